/// A PIN as entered, in guarded memory. `PinPolicy` of the account decides whether it is accepted.
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
