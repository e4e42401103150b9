/// A page that shows an enrolment code and its state.
public struct StoredEnrolmentPage: Sendable, Equatable {
  /// SHA-256 of the page's id, which is secret: whoever has it sees the code.
  public var hash: [UInt8]
  public var account: String
  /// The hash of the displayed code.
  public var code: [UInt8]
  public var sealingKey: String
  /// The secret of the code, sealed.
  public var sealedSecret: [UInt8]
  /// Milliseconds since 1970.
  public var expiresAt: Int64

  public init(
    hash: [UInt8], account: String, code: [UInt8], sealingKey: String, sealedSecret: [UInt8],
    expiresAt: Int64
  ) {
    self.hash = hash
    self.account = account
    self.code = code
    self.sealingKey = sealingKey
    self.sealedSecret = sealedSecret
    self.expiresAt = expiresAt
  }
}
