internal import WalletCrypto

/// What a user can name to the support: random, so that it says nothing of anybody.
enum SupportReference {
  /// Digits and letters that nobody takes for each other.
  private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Eight characters in two groups, e.g. "7KQ2-M9XD".
  static func make() -> String {
    var text = Random.bytes(8).map { alphabet[Int($0) % alphabet.count] }
    text.insert(UInt8(ascii: "-"), at: 4)
    return String(decoding: text, as: UTF8.self)
  }
}
