/// A PIN as entered, in guarded memory. Whether it is acceptable as a new PIN is decided by
/// `PinPolicy` in WalletAccount.
public struct Pin: Sendable {
  /// The bytes as entered, at most `maximumLength`.
  public let secret: Secret

  /// The maximum length in bytes; longer input cannot be a PIN and is refused before it is copied.
  public static let maximumLength = 64

  /// Copies `bytes`; the caller wipes its own copy.
  public init(copying bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count <= Self.maximumLength else { throw CryptoError.wrongLength }
    self.secret = try Secret(copying: bytes)
  }
}
