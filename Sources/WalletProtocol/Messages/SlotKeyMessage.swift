/// What a wallet seals to the provider's use key for each copy of a card: the key of the copy's
/// slot, bound to the wallet and the copy. The provider opens it only in a request of that wallet.
///
/// The layout is 81 bytes: the version 1 (1 byte), the SHA-256 of the wallet's id in UTF-8 (32), the
/// copy's id (16), the key (32). It is binary so that the key never is in a text.
public enum SlotKeyMessage {
  public static let version: UInt8 = 1
  /// The length of the id of a copy.
  public static let copyLength = 16
  /// The length of the key.
  public static let keyLength = 32
  /// The length of the whole.
  public static let length = prefixLength + keyLength
  private static let prefixLength = 1 + 32 + copyLength

  /// What precedes the key.
  ///
  /// - Parameters:
  ///   - walletHash: the SHA-256 of the wallet's id, 32 bytes.
  ///   - copy: 16 bytes.
  public static func prefix(walletHash: [UInt8], copy: [UInt8]) -> [UInt8] {
    [version] + walletHash + copy
  }

  /// The parts of an opened message; nil if it is not of this version and length.
  public static func parts(
    of message: [UInt8]
  ) -> (walletHash: ArraySlice<UInt8>, copy: ArraySlice<UInt8>, key: ArraySlice<UInt8>)? {
    guard message.count == length, message.first == version else { return nil }
    let rest = message.dropFirst()
    return (
      rest.prefix(32), rest.dropFirst(32).prefix(copyLength), message.suffix(keyLength)
    )
  }
}
