internal import WalletProtocol
internal import WalletTrust

/// Who asks, as its certificate says and never as the message does.
public struct AuthenticatedParty: Equatable, Sendable {
  /// With its prefix, as in the request.
  public let clientID: String
  /// The name of the organisation; nil if the certificate has none that can be shown.
  public let name: String?
  /// The identifier of the organisation, which registrations name.
  public let identifier: String?
  /// The name of the authority in the wallet's configuration.
  public let authority: String
  /// The host that gets the answer.
  public let host: String
  /// Whether the certificate names the host. If it names none, only the request says that the host
  /// is the party's, and the user should know.
  public let isHostCertified: Bool

  /// Checks that the certificate is that of the client, and that the answer goes to its host
  /// (OpenID4VP 1.0 section 5.9.3).
  init(
    _ clientID: String, _ leaf: TrustedLeaf, responseHost: URLHost, requestHost: URLHost
  ) throws(RequestRefusal) {
    let parts = clientID.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw RequestRefusal(.clientKindUnknown) }
    let names = leaf.dnsNames.map { $0.lowercased() }
    switch parts[0] {
    case "x509_hash":
      guard parts[1].utf8.elementsEqual(Base64URL.encode(leaf.digest).utf8) else {
        throw RequestRefusal(.clientMismatch)
      }
      // Where the certificate has names, the hosts must be among them.
      guard names.isEmpty || names.contains(responseHost.name) && names.contains(requestHost.name)
      else { throw RequestRefusal(.responseHostRefused) }
      guard !names.isEmpty || responseHost == requestHost else {
        throw RequestRefusal(.responseHostRefused)
      }
    case "x509_san_dns":
      guard names.contains(parts[1].lowercased()) else { throw RequestRefusal(.clientMismatch) }
      guard responseHost.name == parts[1].lowercased(), names.contains(requestHost.name) else {
        throw RequestRefusal(.responseHostRefused)
      }
    default: throw RequestRefusal(.clientKindUnknown)
    }
    self.clientID = clientID
    name = leaf.organizationName
    identifier = leaf.organizationIdentifier
    authority = leaf.anchorName
    host = responseHost.name
    isHostCertified = names.contains(responseHost.name)
  }
}
