/// A PIN as it was entered, in guarded memory. Whether it fits the policy is the account's business.
public struct Pin: Sendable {
  /// The bytes as entered, at most `maximumLength`.
  public let secret: Secret

  /// Longer input is nobody's PIN and is refused before it is copied.
  public static let maximumLength = 64

  /// Copies `bytes`; the caller wipes its own copy.
  public init(copying bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count <= Self.maximumLength else { throw CryptoError.wrongLength }
    self.secret = try Secret(copying: bytes)
  }
}
