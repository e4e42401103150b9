/// A certificate authority that wallets trust in one role, as the configuration publishes it.
///
/// Each entry has all of these members, whatever its role: a wallet reads an entry of a role that
/// it does not know, and ignores it.
public struct PublishedAnchor: Codable, Equatable, Sendable {
  /// The maximum number of entries in a configuration.
  public static let maximumCount = 256

  /// The name for display, 1 to 128 bytes.
  public var name: String
  /// What the authority is trusted for: `relying-party`, `issuer`, `registrar`, `status`
  /// or `tls`.
  public var role: String
  /// The types of cards that its issuers may issue, 1 to 64 of 1 to 256 bytes each; empty for every
  /// other role.
  public var types: [String]
  /// The certificate in DER, as standard base64 with padding, as in `x5c`.
  public var certificate: String
  /// The first second in which the entry counts, since 1970.
  public var notBefore: Int64
  /// The last second in which the entry counts.
  public var notAfter: Int64

  public init(
    name: String, role: String, types: [String] = [], certificate: String, notBefore: Int64,
    notAfter: Int64
  ) {
    self.name = name
    self.role = role
    self.types = types
    self.certificate = certificate
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  enum CodingKeys: String, CodingKey {
    case name, role, types, certificate
    case notBefore = "not_before"
    case notAfter = "not_after"
  }
}
