/// What a user can name to the support: random, so it tells nothing of anybody.
enum ProofingReference {
  /// Without the letters and digits that are taken for each other; 32 of them.
  private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")

  /// Eight characters, 40 bits.
  static func make() -> String {
    String(SecureRandom.bytes(8).map { alphabet[Int($0) % alphabet.count] })
  }
}
