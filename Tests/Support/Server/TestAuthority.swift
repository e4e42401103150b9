internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import X509

/// A certificate authority, which is a trust anchor in tests, and parties below it. All keys are
/// P-256.
public struct TestAuthority: Sendable {
  /// The certificate in DER, signed by its own key.
  public let certificate: [UInt8]
  private let key = P256.Signing.PrivateKey()
  private let name: String

  /// 2026 to 2035.
  private static let start = Date(timeIntervalSince1970: 1_767_225_600)
  private static let end = Date(timeIntervalSince1970: 2_082_758_399)

  /// - Parameters:
  ///   - isAuthority: false for a certificate that can be no anchor.
  ///   - padding: bytes that make the certificate longer.
  public init(_ name: String, isAuthority: Bool = true, padding: Int = 0) throws {
    self.name = name
    let constraints: BasicConstraints =
      isAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
    var extensions = [
      try Certificate.Extension(constraints, critical: true),
      try Certificate.Extension(KeyUsage(keyCertSign: true), critical: true),
    ]
    if padding > 0 {
      extensions.append(
        Certificate.Extension(
          oid: [1, 3, 6, 1, 4, 1, 32473, 1], critical: false,
          value: ArraySlice([UInt8](repeating: 5, count: padding))))
    }
    certificate = try Self.der(
      subject: name, key: key.publicKey, extensions: Certificate.Extensions(extensions),
      issuer: name, issuerKey: key)
  }

  /// A certificate of a party that may sign in every role, with what stands between it and the
  /// anchor: nothing. In the order of `x5c`.
  ///
  /// - Parameters:
  ///   - key: its P-256 key in the form of X9.63; nil for one that nobody has.
  ///   - hosts: its host names.
  ///   - identifier: of the organisation.
  public func chain(
    of party: String, key: [UInt8]? = nil, hosts: [String] = [], identifier: String? = nil
  ) throws -> [[UInt8]] {
    let publicKey = try key.map { try P256.Signing.PublicKey(x963Representation: $0) }
    var extensions = [
      try Certificate.Extension(BasicConstraints.notCertificateAuthority, critical: true),
      try Certificate.Extension(KeyUsage(digitalSignature: true), critical: true),
      // The second one is for signers of status lists.
      try Certificate.Extension(
        ExtendedKeyUsage([.clientAuth, .init(oid: [2, 999, 1, 30])]), critical: false),
    ]
    if !hosts.isEmpty {
      let names = SubjectAlternativeNames(hosts.map { .dnsName($0) })
      extensions.append(try Certificate.Extension(names, critical: false))
    }
    return [
      try Self.der(
        subject: party, identifier: identifier,
        key: publicKey ?? P256.Signing.PrivateKey().publicKey,
        extensions: Certificate.Extensions(extensions), issuer: name, issuerKey: self.key)
    ]
  }

  /// The certificate as standard base64, as a configuration has it.
  public var text: String { Data(certificate).base64EncodedString() }

  /// The certificate as PEM.
  public var pem: String {
    PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString + "\n"
  }

  private static func der(
    subject: String, identifier: String? = nil, key: P256.Signing.PublicKey,
    extensions: Certificate.Extensions, issuer: String, issuerKey: P256.Signing.PrivateKey
  ) throws -> [UInt8] {
    var names = [try CommonName(subject).makeRDN()]
    if let identifier {
      names.append(RelativeDistinguishedName(.init(type: [2, 5, 4, 97], utf8String: identifier)))
    }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PublicKey(key), notValidBefore: start, notValidAfter: end,
      issuer: DistinguishedName { CommonName(issuer) },
      subject: DistinguishedName(names), extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(issuerKey))
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }
}
