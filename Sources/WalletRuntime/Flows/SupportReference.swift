internal import WalletCrypto

/// The reference that a user can give to support. It is random, so it reveals nothing about the
/// user.
enum SupportReference {
  /// Digits and letters that are not confused with each other.
  private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Returns eight characters in two groups, e.g. "7KQ2-M9XD".
  static func make() -> String {
    var text = Random.bytes(8).map { alphabet[Int($0) % alphabet.count] }
    text.insert(UInt8(ascii: "-"), at: 4)
    return String(decoding: text, as: UTF8.self)
  }
}
