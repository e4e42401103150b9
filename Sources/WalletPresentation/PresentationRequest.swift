public import WalletCredentials
internal import WalletJOSE
internal import WalletProtocol
public import WalletTrust

/// An authenticated request of a relying party (OpenID4VP 1.0 section 5, in the HAIP profile).
public struct PresentationRequest: Equatable, Sendable {
  /// The media type of a request object, and its `typ` after the slash.
  public static let mediaType = "application/oauth-authz-req+jwt"
  /// For how many seconds a request can be answered at most.
  public static let longestLife: Int64 = 3600
  /// The longest request object, in bytes.
  public static let maximumLength = 64 * 1024
  /// By how many seconds a time of the relying party may be ahead.
  static let clockSkew: Int64 = 60
  /// The times that can be: from 1970 to the end of the year 9999, the last one that has a date of
  /// RFC 3339.
  private static let times: ClosedRange<Int64> = 0...253_402_300_799
  /// Who is asked where the wallet is not known beforehand (section 5.8).
  private static let audience = "https://self-issued.me/v2"

  public let party: AuthenticatedParty
  /// Goes into what the holder signs.
  public let nonce: String
  /// Goes back unchanged.
  public let state: String?
  public let responseURI: String
  /// When the request is over, in seconds since 1970: when it says, and an hour after it came at the
  /// latest. Whoever asks is judged only once, and may not be trusted any more later.
  public let expiresAt: Int64
  public let query: CredentialsQuery
  public let encryption: ResponseEncryption
  /// What the party has registered, each for queries of its own; empty if it shows nothing that
  /// counts. Nothing is refused for lack of it: the user is warned.
  public let registrations: [PartyRegistration]

  /// Reads and judges a request object.
  ///
  /// - Parameters:
  ///   - text: a compact JWS, as it was fetched.
  ///   - link: by which the wallet was called.
  ///   - walletNonce: what the wallet sent with its request for the object; nil for nothing.
  ///   - now: seconds since 1970.
  public init(
    parsing text: String, calledBy link: PresentationLink, walletNonce: String?,
    anchors: TrustAnchors, now: Int64
  ) throws(RequestRefusal) {
    let (members, leaf) = try Self.authenticated(text, anchors, now)
    guard let clientID = members["client_id"]?.string,
      clientID.utf8.elementsEqual(link.clientID.utf8)
    else { throw RequestRefusal(.clientMismatch) }
    guard let responseURI = members["response_uri"]?.string,
      let responseHost = URLHost(of: responseURI), let requestHost = URLHost(of: link.requestURI)
    else { throw RequestRefusal(.invalid) }
    let party = try AuthenticatedParty(
      clientID, leaf, responseHost: responseHost, requestHost: requestHost)
    self.party = party
    expiresAt = min(try Self.checkTimes(members, now) ?? .max, now &+ Self.longestLife)
    guard members["aud"].map(Self.isAudience) == true else { throw RequestRefusal(.notForNow) }
    if let walletNonce {
      guard let found = members["wallet_nonce"]?.string,
        found.utf8.elementsEqual(walletNonce.utf8)
      else { throw RequestRefusal(.nonceMismatch) }
    }
    self.responseURI = responseURI
    // From here on the relying party is known, and may be told what is wrong.
    let state = try Self.state(members)
    self.state = state
    func refuse(_ reason: RequestRefusal.Reason, _ error: String) -> RequestRefusal {
      RequestRefusal(
        reason, reply: .init(responseURI: responseURI, error: error, state: state), to: party)
    }
    guard members["transaction_data"] == nil else {
      throw refuse(.transactionData, "invalid_transaction_data")
    }
    guard members["response_type"]?.string == "vp_token" else {
      throw refuse(.invalid, "unsupported_response_type")
    }
    guard members["response_mode"]?.string == "direct_post.jwt", members["redirect_uri"] == nil,
      let nonce = members["nonce"]?.string, Self.isPlain(nonce)
    else { throw refuse(.invalid, "invalid_request") }
    self.nonce = nonce
    guard let asked = members["dcql_query"] else {
      throw members["scope"] == nil
        ? refuse(.invalid, "invalid_request") : refuse(.scopeUnknown, "invalid_scope")
    }
    guard members["scope"] == nil, let query = try? CredentialsQuery(parsing: asked),
      query.canBeShown
    else { throw refuse(.invalid, "invalid_request") }
    self.query = query
    let metadata = members["client_metadata"]?.object ?? [:]
    guard Self.hasCommonFormat(metadata["vp_formats_supported"]) else {
      throw refuse(.formatsNotSupported, "vp_formats_not_supported")
    }
    guard let encryption = ResponseEncryption(metadata) else {
      throw refuse(.invalid, "invalid_request")
    }
    self.encryption = encryption
    registrations = VerifierInfo.registrations(
      in: members["verifier_info"], of: party, for: query, anchors: anchors, now: now)
  }

  /// Verifies the object by its chain, and the chain by the anchors for relying parties.
  private static func authenticated(
    _ text: String, _ anchors: TrustAnchors, _ now: Int64
  ) throws(RequestRefusal) -> ([String: JSONValue], TrustedLeaf) {
    guard let object = try? CompactJWS(parsing: text, maximumLength: maximumLength),
      !object.header.chain.isEmpty
    else { throw RequestRefusal(.objectMalformed) }
    let leaf: TrustedLeaf
    do {
      leaf = try anchors.judge(chain: object.header.chain, role: .relyingParty, now: now)
    } catch { throw RequestRefusal(.partyNotTrusted) }
    do throws(JOSEError) {
      try object.verify(type: "oauth-authz-req+jwt", by: leaf.verifier)
    } catch {
      throw RequestRefusal(error == .signatureInvalid ? .signatureInvalid : .objectMalformed)
    }
    guard
      let members = try? JSONValue(parsing: object.payload, profile: .foreign).object
    else { throw RequestRefusal(.objectMalformed) }
    return (members, leaf)
  }

  /// Returns the end of the request; nil if it has none.
  private static func checkTimes(
    _ members: [String: JSONValue], _ now: Int64
  ) throws(RequestRefusal) -> Int64? {
    for name in ["iat", "nbf"] {
      guard let json = members[name] else { continue }
      guard let time = json.integer, times.contains(time), time <= now &+ clockSkew else {
        throw RequestRefusal(.notForNow)
      }
    }
    guard let json = members["exp"] else { return nil }
    guard let end = json.integer, times.contains(end), end > now else {
      throw RequestRefusal(.notForNow)
    }
    return end
  }

  private static func isAudience(_ json: JSONValue) -> Bool {
    if let text = json.string { return text.utf8.elementsEqual(audience.utf8) }
    return json.array?.contains { $0.string?.utf8.elementsEqual(audience.utf8) == true } ?? false
  }

  private static func state(_ members: [String: JSONValue]) throws(RequestRefusal) -> String? {
    guard let json = members["state"] else { return nil }
    guard let state = json.string, isPlain(state) else { throw RequestRefusal(.invalid) }
    return state
  }

  /// Whether a text has only the characters that go unchanged into a URL (section 5.2), and some.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 4096
      && text.utf8.allSatisfy { byte in
        byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
          || "-._~".utf8.contains(byte)
      }
  }

  /// Whether the relying party takes SD-JWT VC that are signed as ours are.
  private static func hasCommonFormat(_ json: JSONValue?) -> Bool {
    guard let format = json?.object?[CredentialQuery.sdJWT]?.object else { return false }
    return ["sd-jwt_alg_values", "kb-jwt_alg_values"].allSatisfy { name in
      guard let listed = format[name] else { return true }
      return listed.array?.contains(.string("ES256")) ?? false
    }
  }
}

extension CredentialsQuery {
  /// The longest name of a type or of a claim, in bytes.
  private static let longestName = 1024

  /// Whether the names of types and claims can be shown: the user reads those that the wallet lacks
  /// in the words of the relying party.
  fileprivate var canBeShown: Bool {
    credentials.allSatisfy { credential in
      (credential.types ?? []).allSatisfy(Self.isShown)
        && (credential.claims ?? []).flatMap(\.path.components).allSatisfy { component in
          if case .name(let name) = component { Self.isShown(name) } else { true }
        }
    }
  }

  private static func isShown(_ name: String) -> Bool {
    name.utf8.count <= longestName && DisplayText.isPlain(name)
  }
}
