public import WalletProtocol

/// What a relying party asks for (DCQL, OpenID4VP 1.0 section 6): cards, the claims of each, and
/// which combinations of cards will do. Members that are not known are ignored.
public struct CredentialsQuery: Equatable, Sendable {
  /// The maximum number of queries for cards, of sets, and of the options of a set.
  public static let maximumCount = 16
  /// The maximum number of claims and of claim sets in a query.
  public static let maximumClaims = 64

  /// One at least; no two have one id.
  public let credentials: [CredentialQuery]
  /// Which combinations will do; nil if every card of `credentials` is wanted.
  public let sets: [CredentialSet]?

  /// Reads the `dcql_query` of a request.
  public init(parsing json: JSONValue) throws(QueryError) {
    guard let members = json.object else { throw .malformed }
    var credentials: [CredentialQuery] = []
    for value in try Self.elements(members["credentials"]) {
      credentials.append(try CredentialQuery(parsing: value))
    }
    let ids = Set(credentials.map(\.id))
    guard ids.count == credentials.count else { throw .malformed }
    self.credentials = credentials
    guard let listed = members["credential_sets"] else {
      sets = nil
      return
    }
    var sets: [CredentialSet] = []
    for value in try Self.elements(listed) {
      sets.append(try CredentialSet(parsing: value, ids: ids))
    }
    self.sets = sets
  }

  /// The elements of an array, which has one at least.
  static func elements(
    _ json: JSONValue?, maximum: Int = maximumCount
  ) throws(QueryError) -> [JSONValue] {
    guard let elements = json?.array, (1...maximum).contains(elements.count) else {
      throw .malformed
    }
    return elements
  }

  /// An id: letters, digits, `_` and `-`.
  static func id(_ json: JSONValue?) throws(QueryError) -> String {
    guard let id = json?.string, !id.isEmpty, id.utf8.count <= 256,
      id.utf8.allSatisfy({ byte in
        byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      })
    else { throw .malformed }
    return id
  }

  /// A truth value, or `fallback` if there is none.
  static func truth(_ json: JSONValue?, or fallback: Bool) throws(QueryError) -> Bool {
    switch json {
    case nil: return fallback
    case .boolean(let value): return value
    default: throw .malformed
    }
  }
}

/// Why a query cannot be answered by anybody (`invalid_request`).
public enum QueryError: Error, Equatable, Sendable {
  /// Against the rules of OpenID4VP, or beyond a limit.
  case malformed
}

/// A query for one card, or for several of a kind.
public struct CredentialQuery: Equatable, Sendable {
  /// The key of its answer in `vp_token`.
  public let id: String
  public let format: String
  /// The types that will do; nil for any. Only of the format `dc+sd-jwt`.
  public let types: Set<String>?
  /// Whether several cards may be sent.
  public let allowsMultiple: Bool
  /// Entries of which one has to fit; nil for any issuer.
  public let authorities: [TrustedAuthority]?
  /// Whether the card must be bound to a key.
  public let needsBinding: Bool
  /// Nil if no claim is asked for by itself.
  public let claims: [ClaimQuery]?
  /// Combinations of claims in the order of the verifier's liking; nil if all claims are wanted.
  public let claimSets: [[String]]?

  /// The format of SD-JWT VC.
  public static let sdJWT = "dc+sd-jwt"

  init(parsing json: JSONValue) throws(QueryError) {
    guard let members = json.object, let format = members["format"]?.string,
      let meta = members["meta"]?.object
    else { throw .malformed }
    id = try CredentialsQuery.id(members["id"])
    self.format = format
    types = format == Self.sdJWT ? try Self.types(meta["vct_values"]) : nil
    allowsMultiple = try CredentialsQuery.truth(members["multiple"], or: false)
    needsBinding = try CredentialsQuery.truth(
      members["require_cryptographic_holder_binding"], or: true)
    authorities = try members["trusted_authorities"].map { json throws(QueryError) in
      var entries: [TrustedAuthority] = []
      for entry in try CredentialsQuery.elements(json) {
        entries.append(try TrustedAuthority(parsing: entry))
      }
      return entries
    }
    claims = try members["claims"].map { json throws(QueryError) in try Self.claims(json) }
    claimSets = try Self.claimSets(members["claim_sets"], of: claims)
  }

  private static func types(_ json: JSONValue?) throws(QueryError) -> Set<String>? {
    guard let json else { return nil }
    let values = try CredentialsQuery.elements(json, maximum: CredentialsQuery.maximumClaims)
    let types = values.compactMap(\.string)
    guard types.count == values.count else { throw .malformed }
    return Set(types)
  }

  private static func claims(_ json: JSONValue) throws(QueryError) -> [ClaimQuery] {
    var claims: [ClaimQuery] = []
    for value in try CredentialsQuery.elements(json, maximum: CredentialsQuery.maximumClaims) {
      claims.append(try ClaimQuery(parsing: value))
    }
    let ids = claims.compactMap(\.id)
    guard Set(ids).count == ids.count else { throw .malformed }
    return claims
  }

  private static func claimSets(
    _ json: JSONValue?, of claims: [ClaimQuery]?
  ) throws(QueryError) -> [[String]]? {
    guard let json else { return nil }
    guard let claims, claims.allSatisfy({ $0.id != nil }) else { throw .malformed }
    let known = Set(claims.compactMap(\.id))
    var sets: [[String]] = []
    for set in try CredentialsQuery.elements(json, maximum: CredentialsQuery.maximumClaims) {
      let values = try CredentialsQuery.elements(set, maximum: CredentialsQuery.maximumClaims)
      let ids = values.compactMap(\.string)
      guard ids.count == values.count, ids.allSatisfy(known.contains) else { throw .malformed }
      sets.append(ids)
    }
    return sets
  }
}

/// A query for one claim of a card, or for several at one path.
public struct ClaimQuery: Equatable, Sendable {
  public let id: String?
  public let path: ClaimsPath
  /// Strings, integers and truth values, of which one has to be the claim's; nil for any value.
  public let values: [JSONValue]?

  init(parsing json: JSONValue) throws(QueryError) {
    guard let members = json.object, let pointer = members["path"],
      let path = try? ClaimsPath(parsing: pointer)
    else { throw .malformed }
    id = try members["id"].map { json throws(QueryError) in try CredentialsQuery.id(json) }
    self.path = path
    guard let listed = members["values"] else {
      values = nil
      return
    }
    let values = try CredentialsQuery.elements(listed, maximum: CredentialsQuery.maximumClaims)
    for value in values {
      switch value {
      case .string, .integer, .boolean: break
      default: throw .malformed
      }
    }
    self.values = values
  }
}

/// Whose cards will do.
public struct TrustedAuthority: Equatable, Sendable {
  /// `aki`: the values are key identifiers of authorities in the card's chain, as base64url. No card
  /// fits an entry of another type.
  public let type: String
  public let values: [String]

  init(parsing json: JSONValue) throws(QueryError) {
    guard let members = json.object, let type = members["type"]?.string else { throw .malformed }
    let listed = try CredentialsQuery.elements(
      members["values"], maximum: CredentialsQuery.maximumClaims)
    let values = listed.compactMap(\.string)
    guard values.count == listed.count else { throw .malformed }
    self.type = type
    self.values = values
  }
}

/// Combinations of queries of which one will do.
public struct CredentialSet: Equatable, Sendable {
  /// Ids of queries, in the order of the verifier's liking.
  public let options: [[String]]
  /// Whether nothing at all may be sent without one of them.
  public let isRequired: Bool

  init(parsing json: JSONValue, ids: Set<String>) throws(QueryError) {
    guard let members = json.object else { throw .malformed }
    var options: [[String]] = []
    for option in try CredentialsQuery.elements(members["options"]) {
      let values = try CredentialsQuery.elements(option)
      let wanted = values.compactMap(\.string)
      guard wanted.count == values.count, wanted.allSatisfy(ids.contains) else { throw .malformed }
      options.append(wanted)
    }
    self.options = options
    isRequired = try CredentialsQuery.truth(members["required"], or: true)
  }
}
