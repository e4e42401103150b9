internal import WalletProtocol

/// What the cards of a wallet can answer, and what the user may choose.
public struct QueryAnswer: Equatable, Sendable {
  /// A set of the query, as far as it can be met.
  public struct Choice: Equatable, Sendable {
    /// The options that can be met, each with the ids of its queries; in the verifier's order.
    public let options: [[String]]
    public let isRequired: Bool
  }

  /// One card for one query.
  public struct Presentation: Equatable, Sendable {
    public let query: String
    public let card: String
    public let paths: [ClaimsPath]
  }

  /// What the user has chosen.
  public struct Selection: Equatable, Sendable {
    /// For each element of `choices` the index of an option; nil for none, where that is allowed.
    public var options: [Int?]
    /// The ids of the cards for each query.
    public var cards: [String: [String]]

    public init(options: [Int?], cards: [String: [String]]) {
      self.options = options
      self.cards = cards
    }
  }

  private let query: CredentialsQuery
  /// The queries of the relying party, in its order.
  public var queries: [CredentialQuery] { query.credentials }
  /// The cards that answer each query, in the order of the wallet; queries without any are missing.
  public let matches: [String: [QueryMatch]]
  /// What can be chosen: the sets of the query, or one option with all of its queries.
  public let choices: [Choice]

  public init(_ query: CredentialsQuery, cards: [QueriedCard]) {
    self.query = query
    var matches: [String: [QueryMatch]] = [:]
    for wanted in query.credentials {
      let found = cards.compactMap { wanted.match($0) }
      if !found.isEmpty { matches[wanted.id] = found }
    }
    self.matches = matches
    let sets =
      query.sets?.map { ($0.options, $0.isRequired) } ?? [([query.credentials.map(\.id)], true)]
    choices = sets.map { options, isRequired in
      Choice(
        options: options.filter { $0.allSatisfy { matches[$0] != nil } }, isRequired: isRequired)
    }
  }

  /// Whether an answer can be given at all. If not, nothing is sent (`access_denied`).
  public var isPossible: Bool {
    choices.allSatisfy { !$0.isRequired || !$0.options.isEmpty }
      && choices.contains { !$0.options.isEmpty }
  }

  /// What is chosen unless the user chooses otherwise: of each required set the first option that
  /// can be met, of each query the first card. Of sets that are not required nothing, unless there
  /// are no others.
  public var suggestion: Selection {
    let isAllOptional = choices.allSatisfy { !$0.isRequired }
    let options = choices.map { choice -> Int? in
      (choice.isRequired || isAllOptional) && !choice.options.isEmpty ? 0 : nil
    }
    let cards = matches.compactMapValues { $0.first.map { [$0.card] } }
    return Selection(options: options, cards: cards)
  }

  /// Returns what is to be sent, in the order of the query; nil if the selection is not one that the
  /// relying party accepts, or has more cards than the provider opens for one PIN. Each query is
  /// answered once, also where several options have it, and a query that no chosen option has is not
  /// answered.
  public func presentations(_ selection: Selection) -> [Presentation]? {
    guard isPossible, selection.options.count == choices.count else { return nil }
    var wanted: Set<String> = []
    for (choice, option) in zip(choices, selection.options) {
      guard let option else {
        guard !choice.isRequired else { return nil }
        continue
      }
      guard choice.options.indices.contains(option) else { return nil }
      wanted.formUnion(choice.options[option])
    }
    guard !wanted.isEmpty else { return nil }
    var presentations: [Presentation] = []
    for query in query.credentials where wanted.contains(query.id) {
      let chosen = selection.cards[query.id] ?? []
      guard Set(chosen).count == chosen.count, query.allowsMultiple || chosen.count == 1,
        !chosen.isEmpty
      else { return nil }
      for card in chosen {
        guard let match = matches[query.id]?.first(where: { $0.card == card }) else { return nil }
        presentations.append(Presentation(query: query.id, card: card, paths: match.paths))
      }
    }
    guard Set(presentations.map(\.card)).count <= UsePayload.maximumSlots else { return nil }
    return presentations
  }
}
