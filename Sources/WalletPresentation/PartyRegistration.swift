internal import WalletJOSE
internal import WalletProtocol
internal import WalletTrust

/// What a relying party may ask for and why, as a registrar has signed it: its registration
/// certificate (ETSI TS 119 475 section 5.2).
///
/// Whether it was withdrawn (`status`) is not looked at.
public struct PartyRegistration: Equatable, Sendable {
  /// The `typ`.
  static let headerType = "rc-wrp+jwt"
  /// The longest time from `iat` to `exp`, in seconds: twelve months.
  static let longestValidity: Int64 = 366 * 86_400
  /// The language of a text that does not say (RFC 5646 section 4.1).
  public static let undeterminedLanguage = "und"

  /// The name of the registrar in the wallet's configuration.
  public let authority: String
  /// What the data is for, by language. Only texts that can be shown; may be empty.
  public let purposes: [String: String]
  /// An https URL.
  public let privacyPolicy: String?
  /// What the registrar calls this use of data.
  public let intendedUse: String?
  /// How to reach the authority that supervises the party, such as `email`, `phone` and `uri`. Only
  /// texts that can be shown.
  public let supervisoryAuthority: [String: String]
  /// When it is over, in seconds since 1970; nil if it does not say.
  public let expiresAt: Int64?
  /// What may be asked for. Entries that cannot be read are left out.
  public let credentials: [RegisteredCredential]
  /// The ids of the queries that it is for.
  public let queries: Set<String>

  /// Nil if it does not count: it is not signed by a registrar, not for now, or of another
  /// organisation. All of that is the same to the user, and nobody else's business.
  ///
  /// - Parameters:
  ///   - text: a compact JWS.
  ///   - identifier: the organisation's, from the certificate that has signed the request.
  ///   - now: seconds since 1970.
  init?(
    _ text: String, for queries: Set<String>, of identifier: String, anchors: TrustAnchors,
    now: Int64
  ) {
    guard let jws = try? CompactJWS(parsing: text), !jws.header.chain.isEmpty,
      let leaf = try? anchors.judge(chain: jws.header.chain, role: .registrar, now: now),
      (try? jws.verify(type: Self.headerType, by: leaf.verifier)) != nil,
      let members = try? JSONValue(parsing: jws.payload, profile: .foreign).object,
      let subject = Self.subject(members["sub"]), subject.utf8.elementsEqual(identifier.utf8),
      Self.isInForce(members, now)
    else { return nil }
    authority = leaf.anchorName
    purposes = Self.purposes(members["purpose"])
    privacyPolicy = members["privacy_policy"]?.string.flatMap { URLHost(of: $0) == nil ? nil : $0 }
    intendedUse = Self.shown(members["intended_use_id"])
    supervisoryAuthority = (members["supervisory_authority"]?.object ?? [:])
      .compactMapValues(Self.shown)
    expiresAt = members["exp"]?.integer
    credentials = (members["credentials"]?.array ?? [])
      .compactMap(RegisteredCredential.init(parsing:))
    self.queries = queries
  }

  /// The identifier of an organisation: `sub`, or `id` in it, where version 1.1.1 has it.
  private static func subject(_ json: JSONValue?) -> String? {
    json?.string ?? json?.object?["id"]?.string
  }

  /// Whether `now` is within its times, which are whole numbers. `exp` may be left out.
  private static func isInForce(_ members: [String: JSONValue], _ now: Int64) -> Bool {
    let latest = now &+ PresentationRequest.clockSkew
    guard let start = members["iat"]?.integer, start <= latest else { return false }
    if let json = members["nbf"] {
      guard let begin = json.integer, begin <= latest else { return false }
    }
    guard let json = members["exp"] else { return true }
    guard let end = json.integer, end > now else { return false }
    let (validity, overflow) = end.subtractingReportingOverflow(start)
    return !overflow && validity <= longestValidity
  }

  /// One text, or an array with one for each language. Of two for one language the first counts.
  private static func purposes(_ json: JSONValue?) -> [String: String] {
    if let text = shown(json) { return [undeterminedLanguage: text] }
    var purposes: [String: String] = [:]
    for entry in json?.array ?? [] {
      guard let members = entry.object, let language = members["lang"]?.string,
        isLanguage(language), let text = shown(members["value"]), purposes[language] == nil
      else { continue }
      purposes[language] = text
    }
    return purposes
  }

  /// The characters and the length of a language tag (RFC 5646 section 4.4.1).
  private static func isLanguage(_ text: String) -> Bool {
    (1...35).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
          || byte == UInt8(ascii: "-")
      }
  }

  private static func shown(_ json: JSONValue?) -> String? {
    json?.string.flatMap { $0.utf8.count <= 2048 && DisplayText.isPlain($0) ? $0 : nil }
  }
}
