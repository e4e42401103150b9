internal import WalletCredentials
internal import WalletProtocol
internal import WalletTrust

/// What others attest of a relying party: `verifier_info` of a request (OpenID4VP 1.0 section 5.1).
/// It only helps the user to decide. So what cannot be read or trusted is left out, and the request
/// is judged without it.
enum VerifierInfo {
  /// The format of registration certificates (ETSI TS 119 472-2). What relying parties state of
  /// themselves, as in `registrar_dataset`, is ignored like any unknown format.
  static let registration = "registration_cert"
  /// The maximum number of entries.
  static let maximumCount = 16

  /// The registrations that count, in their order.
  ///
  /// Each query belongs to the first registration that is for it: what two registrations allow for
  /// two uses must not be combined into a third use.
  static func registrations(
    in json: JSONValue?, of party: AuthenticatedParty, for query: CredentialsQuery,
    anchors: TrustAnchors, now: Int64
  ) -> [PartyRegistration] {
    guard let entries = json?.array, entries.count <= maximumCount,
      let identifier = party.identifier
    else { return [] }
    var rest = Set(query.credentials.map(\.id))
    var registrations: [PartyRegistration] = []
    for case .object(let entry) in entries where entry["format"] == .string(registration) {
      guard let queries = scope(of: entry, rest), !queries.isEmpty,
        let text = entry["data"]?.string,
        let found = PartyRegistration(
          text, for: queries, of: identifier, anchors: anchors, now: now)
      else { continue }
      registrations.append(found)
      rest.subtract(queries)
    }
    return registrations
  }

  /// Those of `queries` that an entry is for; nil if that cannot be read. Both spellings of the
  /// member are heeded, because it only narrows.
  private static func scope(
    of entry: [String: JSONValue], _ queries: Set<String>
  ) -> Set<String>? {
    var scope = queries
    for name in ["credential_ids", "credentials_ids"] {
      guard let json = entry[name] else { continue }
      let ids = json.array?.compactMap(\.string) ?? []
      guard ids.count == json.array?.count else { return nil }
      scope.formIntersection(ids)
    }
    return scope
  }
}
