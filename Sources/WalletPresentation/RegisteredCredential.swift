public import WalletCredentials
internal import WalletProtocol

/// A kind of card that a relying party may ask for, and what of it: an entry of `credentials` in its
/// registration (ETSI TS 119 475 section 5.2.4).
public struct RegisteredCredential: Equatable, Sendable {
  public let format: String
  /// The types; nil if the entry names none.
  public let types: Set<String>?
  /// The claims, each with all that lies in it. Without any, nothing that can be withheld is
  /// registered.
  public let paths: [ClaimsPath]

  /// Nil for what cannot be read: a limit that is not understood must not become no limit.
  init?(parsing json: JSONValue) {
    guard let members = json.object, let format = members["format"]?.string else { return nil }
    self.format = format
    guard let meta = (members["meta"] ?? .object([:])).object else { return nil }
    if let listed = meta["vct_values"] {
      let types = listed.array?.compactMap(\.string) ?? []
      guard !types.isEmpty, types.count == listed.array?.count else { return nil }
      self.types = Set(types)
    } else {
      types = nil
    }
    paths = (members["claim"]?.array ?? []).compactMap { claim in
      claim.object?["path"].flatMap { try? ClaimsPath(parsing: $0) }
    }
  }

  /// Whether each card that answers a query is of this kind. A query for any type is wider than an
  /// entry with types; an entry without types says nothing of those that a query names.
  ///
  /// Cards of other formats have no types here, so of those nothing fits.
  func fits(_ query: CredentialQuery) -> Bool {
    guard format.utf8.elementsEqual(query.format.utf8),
      query.format.utf8.elementsEqual(CredentialQuery.sdJWT.utf8)
    else { return false }
    guard let wanted = query.types else { return types == nil }
    // Byte for byte: strings are also equal if they are only canonically equivalent.
    let known = Set((types ?? []).map { Array($0.utf8) })
    return wanted.allSatisfy { known.contains(Array($0.utf8)) }
  }

  func covers(_ path: ClaimsPath) -> Bool { paths.contains { $0.contains(path) } }
}

extension ClaimsPath {
  /// Whether all that `other` selects lies in what this path selects.
  fileprivate func contains(_ other: ClaimsPath) -> Bool {
    components.count <= other.components.count
      && zip(components, other.components).allSatisfy { $0.contains($1) }
  }
}

extension ClaimsPath.Component {
  fileprivate func contains(_ other: Self) -> Bool {
    switch (self, other) {
    case (.name(let one), .name(let two)): one.utf8.elementsEqual(two.utf8)
    case (.everyElement, .everyElement), (.everyElement, .element): true
    case (.element(let one), .element(let two)): one == two
    default: false
    }
  }
}
