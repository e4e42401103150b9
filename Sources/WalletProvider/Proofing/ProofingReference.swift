import WalletSignatures

/// A reference that a user can quote to support. It is random, so it reveals nothing.
enum ProofingReference {
  /// 32 characters, without letters and digits that are easily confused.
  private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")

  /// Eight characters, 40 bits.
  static func make() -> String {
    String(SecureRandom.bytes(8).map { alphabet[Int($0) % alphabet.count] })
  }
}
