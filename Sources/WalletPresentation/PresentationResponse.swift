internal import WalletJOSE
internal import WalletProtocol

/// What is posted to a relying party (OpenID4VP 1.0 sections 8.2, 8.3 and 8.5): a web form.
public struct PresentationResponse: Equatable, Sendable {
  public static let mediaType = WebForm.mediaType

  /// Where it goes.
  public let url: String
  /// The form. Once only: a relying party may take a request for used up by its first answer.
  public let body: [UInt8]

  /// The answer to `request`, encrypted so that nobody but the relying party reads it.
  ///
  /// - Parameter presentations: for each query the presentations, in compact form.
  /// - Throws: if the key of the relying party cannot be used.
  public init(
    to request: PresentationRequest, presentations: [String: [String]]
  ) throws {
    // `state` is inside, where nobody can change it.
    var content: [String: JSONValue] = [
      "vp_token": .object(presentations.mapValues { .array($0.map { .string($0) }) })
    ]
    if let state = request.state { content["state"] = .string(state) }
    let encryption = request.encryption
    url = request.responseURI
    body = WebForm.encode([
      (
        "response",
        try CompactJWE.encrypt(
          JSONValue.object(content).encoded, for: encryption.key, keyID: encryption.keyID,
          with: encryption.cipher)
      )
    ])
  }

  /// What a relying party is told of a request that is not answered.
  public init(_ reply: RequestRefusal.Reply) {
    url = reply.responseURI
    body = WebForm.encode([("error", reply.error)] + (reply.state.map { [("state", $0)] } ?? []))
  }

  /// What a relying party is told when the user has refused, or has no such cards. One code for
  /// both, because the difference would tell something of the cards.
  public init(denying request: PresentationRequest) {
    self.init(
      RequestRefusal.Reply(
        responseURI: request.responseURI, error: "access_denied", state: request.state))
  }
}

/// What a relying party says to an answer (section 8.2).
public enum PresentationReceipt: Equatable, Sendable {
  /// It has taken the answer. The host opens the address, once and as it is; the wallet never
  /// fetches it.
  case taken(redirectURI: String?)
  /// It has not confirmed the answer as it has to, so it is not known whether it has the data.
  case unknown

  /// Addresses that a browser would run or read from the device instead of opening a page, that have
  /// another address in them, which may be one of the wallet's, or that call somebody or install
  /// something. There can be others: which app opens an address is the operating system's affair.
  private static let refusedSchemes = [
    "javascript", "data", "file", "vbscript", "blob", "about", "content", "filesystem",
    "view-source", "jar", "intent", "android-app", "brave", "firefox", "firefox-focus",
    "firefox-klar", "googlechrome", "googlechromes", "googlechrome-x-callback", "microsoft-edge",
    "microsoft-edge-http", "microsoft-edge-https", "opera-http", "opera-https", "x-safari-http",
    "x-safari-https", "callto", "facetime", "facetime-audio", "mms", "mmsto", "sip", "sips",
    "skype", "sms", "smsto", "tel", "telprompt", "itms-services", "search-ms", "shortcuts",
  ]
  /// Those of wallets, which would call this wallet again.
  private static let ownSchemes = [
    "openid4vp", "haip-vp", "eu-eaap", "haip-vci", "openid-credential-offer", "mdoc-openid4vp",
  ]

  /// - Parameters:
  ///   - mediaType: in lower case, without parameters; nil if there is none.
  ///   - ownHosts: those whose links open this wallet.
  public init(status: Int, mediaType: String?, body: [UInt8], ownHosts: [String]) {
    // Whoever has taken an answer says so by a JSON object. Anything else may be of somebody who has
    // not understood it, such as a page of a server in between.
    guard status == 200, mediaType == "application/json",
      let members = try? JSONValue(parsing: body, profile: .foreign).object
    else {
      self = .unknown
      return
    }
    guard let address = members["redirect_uri"]?.string, Self.mayBeOpened(address, ownHosts) else {
      self = .taken(redirectURI: nil)
      return
    }
    self = .taken(redirectURI: address)
  }

  /// Whether the host may open an address: an absolute URI (RFC 3986 section 3.1).
  private static func mayBeOpened(_ address: String, _ ownHosts: [String]) -> Bool {
    guard address.utf8.count <= 8 * 1024, address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let colon = address.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    let scheme = address[..<colon].lowercased()
    guard let first = scheme.utf8.first, first >= 0x61 && first <= 0x7A,
      scheme.utf8.allSatisfy({ byte in
        byte >= 0x61 && byte <= 0x7A || byte >= 0x30 && byte <= 0x39 || "+-.".utf8.contains(byte)
      })
    else { return false }
    if scheme == "https" { return leadsElsewhere(address, ownHosts) }
    // `http` would send the code that is in the address for all to read. Programs of Windows have
    // `ms-`.
    return !refusedSchemes.contains(scheme) && !ownSchemes.contains(scheme) && scheme != "http"
      && !scheme.hasPrefix("ms-")
      && address.utf8.count > scheme.utf8.count + 1
  }

  /// Whether an https URL leads to a host that is none of the wallet's. Which paths of its hosts open
  /// the app is the operating system's affair, so all count. What browsers read in another way than it
  /// is written is refused.
  private static func leadsElsewhere(_ address: String, _ ownHosts: [String]) -> Bool {
    let rest = address.dropFirst("https:".count)
    guard rest.hasPrefix("//"), !rest.contains("\\") else { return false }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    guard !authority.contains(where: { "@%".contains($0) }) else { return false }
    var host = authority.first == "[" ? authority : authority.prefix { $0 != ":" }
    if host.last == "." { host.removeLast() }
    let name = host.lowercased()
    return !name.isEmpty && !ownHosts.contains { $0.lowercased() == name }
  }
}
