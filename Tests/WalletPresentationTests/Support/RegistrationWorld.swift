import WalletCredentials
import WalletJOSE
import WalletPresentation
import WalletProtocol
import WalletTrust

/// A relying party and a registrar, and a wallet that knows the authorities of both.
struct RegistrationWorld {
  let party: TestParty
  let registrar: TestRegistrar

  private let key: SubjectPublicKey

  init() throws {
    party = try TestParty()
    registrar = try TestRegistrar()
    key = try KeyAgreementKey().publicKey
  }

  func anchors() throws -> TrustAnchors {
    try TrustAnchors(party.anchors().anchors + [registrar.anchor()])
  }

  /// An entry of `verifier_info`.
  static func entry(
    _ text: String, format: String = "registration_cert", _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    .object(["format": .string(format), "data": .string(text)].merging(more) { $1 })
  }

  /// The request of the party, as the wallet reads it.
  ///
  /// - Parameter query: `dcql_query`; nil for any card.
  func request(
    _ info: [JSONValue], identifier: String? = TestParty.identifier, query: String? = nil,
    anchors: TrustAnchors? = nil
  ) throws -> PresentationRequest {
    try request(.array(info), identifier: identifier, query: query, anchors: anchors)
  }

  func request(
    _ info: JSONValue?, identifier: String? = TestParty.identifier, query: String? = nil,
    anchors: TrustAnchors? = nil
  ) throws -> PresentationRequest {
    let clientID = "x509_san_dns:verifier.example"
    var members = TestParty.members(clientID, key: key)
    members["verifier_info"] = info
    if let query {
      members["dcql_query"] = try JSONValue(parsing: Array(query.utf8), profile: .foreign)
    }
    return try PresentationRequest(
      parsing: party.object(members, chain: party.chain(identifier: identifier)),
      calledBy: PresentationLink(
        parsing: "openid4vp://?client_id=\(clientID)&request_uri=https://verifier.example/request"),
      walletNonce: nil, anchors: anchors ?? self.anchors(), now: TestParty.now)
  }
}
