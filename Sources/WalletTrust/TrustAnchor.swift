internal import SwiftASN1
internal import WalletJOSE

/// What a party is trusted for. Anchors of one role are worth nothing in another.
public enum TrustRole: String, Sendable, CaseIterable {
  /// Asks for data, authenticated by its access certificate.
  case relyingParty = "relying-party"
  /// Issues cards of the anchor's types.
  case issuer
  /// Signs what relying parties have registered.
  case registrar
  /// Signs status lists.
  case statusList = "status"
  /// Certifies the hosts of other parties for TLS, in place of the system's authorities.
  case host = "tls"
}

/// A certificate authority that the wallet trusts in one role, from its configuration.
public struct TrustAnchor: Sendable {
  /// The name for display and records.
  public let name: String
  public let role: TrustRole
  /// The types of cards that its issuers may issue; empty for each other role.
  public let types: Set<String>
  /// The first and the last second in which the entry counts, since 1970.
  public let inForce: ClosedRange<Int64>

  let certificate: PathCertificate
  /// The SHA-256 of the authority's name and key, which a renewed certificate leaves as they are.
  let authority: [UInt8]

  /// The certificate as PEM (RFC 7468).
  var pem: String {
    PEMDocument(type: "CERTIFICATE", derBytes: certificate.der).pemString + "\n"
  }

  /// Reads the certificate and checks that it can be an anchor: an authority that may sign
  /// certificates. Its own signature proves nothing and is not checked.
  ///
  /// - Parameters:
  ///   - certificate: the certificate in DER, self-signed or not.
  ///   - inForce: the window of the entry; the certificate has its own.
  public init(
    name: String, role: TrustRole, types: Set<String> = [], certificate: [UInt8],
    inForce: ClosedRange<Int64>
  ) throws(TrustError) {
    guard types.isEmpty == (role != .issuer) else { throw .anchorRefused }
    self.name = name
    self.role = role
    self.types = types
    self.inForce = inForce
    self.certificate = try PathCertificate(der: certificate)
    try self.certificate.checkAuthority(allowsAnyKey: role == .host)
    authority = JOSEDigest.sha256(self.certificate.subject + self.certificate.key)
  }
}
