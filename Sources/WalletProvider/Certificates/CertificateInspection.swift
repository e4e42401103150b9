import WalletProtocol
import WalletSignatures

/// How the certificates of a signer stand, for the check.
public struct CertificateInspection: Sendable, Equatable {
  public let role: KeyRole
  /// The id of the current key.
  public let key: String
  /// The last second at which its chain is valid, since 1970.
  public let notAfter: Int64
  /// Whether a start with these settings makes another certificate.
  public let isRenewed: Bool
  /// Whether it has to be renewed by an authority that is kept elsewhere.
  public let isDue: Bool

  /// Inspects the certificates of the current keys.
  ///
  /// - Parameters:
  ///   - path: the data directory.
  ///   - now: seconds since 1970.
  /// - Throws: `FileProblem` if a server would not start.
  public static func all(
    in path: String, _ identity: ProviderIdentity, _ settings: ProviderSettings, now: Int64
  ) throws(FileProblem) -> [CertificateInspection] {
    let renewal = CertificateRenewal(
      source: KeySource(
        directory: path + "/keys", environment: .process, makesMissing: false),
      names: IssuerNames(settings), now: now)
    var inspections: [CertificateInspection] = []
    for (role, key) in [
      (KeyRole.documentSigner, identity.keys.documentSigner),
      (.statusSigner, identity.keys.statusSigner),
    ] {
      let isRenewed = try renewal.wouldReplace(role, key.chain)
      inspections.append(
        CertificateInspection(
          role: role, key: key.signer.id, notAfter: key.notAfter, isRenewed: isRenewed,
          isDue: !isRenewed && key.notAfter - now < CertificatePolicy.renewal))
    }
    if inspections.allSatisfy({ !$0.isRenewed }) {
      try identity.keys.checkChains(settings, now: now)
    }
    return inspections
  }

  /// RFC 3339.
  public var until: String { RFC3339.text(notAfter) }
}
