public import WalletCredentials

/// Something that a relying party asks for beyond what it has registered. The user is warned of it.
public struct RegistrationExcess: Hashable, Sendable {
  /// The id of the query.
  public let query: String
  /// The claim; nil for the card itself, of whose kind nothing is registered.
  public let path: ClaimsPath?
}

extension PartyRegistration {
  /// Returns what a query asks for beyond the registration, in the order of the query.
  ///
  /// A query that the registration is not for, and one for cards of a format that the wallet does
  /// not have, asks for more with all that it has.
  public func excess(of query: CredentialsQuery) -> [RegistrationExcess] {
    query.credentials.flatMap { excess(of: $0) }
  }

  func excess(of query: CredentialQuery) -> [RegistrationExcess] {
    let fitting = credentials(for: query)
    // A claim that two entries of one kind share may be in either: the use is the same.
    let paths = (query.claims ?? []).map(\.path).filter { path in
      !path.isOfCard && !fitting.contains { $0.covers(path) }
    }
    return (fitting.isEmpty ? [nil] : []).map { RegistrationExcess(query: query.id, path: $0) }
      + paths.map { RegistrationExcess(query: query.id, path: $0) }
  }
}

extension PartyRegistration {
  fileprivate func credentials(for query: CredentialQuery) -> [RegisteredCredential] {
    queries.contains(query.id) ? credentials.filter { $0.fits(query) } : []
  }

  /// Whether claims that are shown for a query are beyond the registration. A list that is shown whole
  /// is no more than all of its elements.
  fileprivate func isExceeded(by paths: [ClaimsPath], for query: CredentialQuery) -> Bool {
    let fitting = credentials(for: query)
    return !paths.allSatisfy { path in
      let elements = try? ClaimsPath(path.components + [.everyElement])
      return fitting.contains { entry in
        entry.covers(path) || elements.map(entry.covers) ?? false
      }
    }
  }
}

extension PresentationRequest {
  /// What the party has registered; nil if it shows no registration that counts. It may show several
  /// for different queries, see `registrations`.
  public var registration: PartyRegistration? { registrations.first }

  /// What the request asks for beyond the registrations. Empty if there are none: then the user is
  /// warned of that.
  public var exceedsRegistration: [RegistrationExcess] {
    query.credentials.flatMap { registration(for: $0)?.excess(of: $0) ?? [] }
  }

  /// Whether what a card shows for a query is beyond the registrations. It may be more than what is asked
  /// for, see `QueryMatch`.
  public func exceedsRegistration(by match: QueryMatch, of query: String) -> Bool {
    guard let asked = self.query.credentials.first(where: { $0.id == query }) else { return false }
    return registration(for: asked)?.isExceeded(by: match.paths, for: asked) ?? false
  }

  private func registration(for query: CredentialQuery) -> PartyRegistration? {
    registrations.first { $0.queries.contains(query.id) } ?? registration
  }
}
