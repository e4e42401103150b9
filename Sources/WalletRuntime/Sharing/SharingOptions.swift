internal import WalletCredentials
internal import WalletModel
internal import WalletProtocol

// What the user can choose of a request: combinations of cards, and a card for each query.

extension QueryAnswer {
  /// The groups of combinations come first, then one for each query.
  private static let firstQueryGroup = CredentialsQuery.maximumCount

  /// Everything that can be chosen, with what is chosen now. Queries that no chosen combination has
  /// are left out.
  func options(_ selection: Selection) -> [SharingRequest.Option] {
    var options: [SharingRequest.Option] = []
    for (index, choice) in choices.enumerated()
    where choice.options.count > 1 || !choice.isRequired && choices.count > 1 {
      for number in choice.options.indices {
        options.append(
          SharingRequest.Option(
            query: nil, group: index, card: nil, isChosen: selection.options[index] == number,
            mayBeLeftOut: !choice.isRequired, paths: []))
      }
    }
    let wanted = wantedQueries(selection)
    for (index, query) in queries.enumerated() where wanted.contains(query.id) {
      let chosen = selection.cards[query.id] ?? []
      for match in matches[query.id] ?? [] {
        options.append(
          SharingRequest.Option(
            query: query.id, group: Self.firstQueryGroup + index, card: match.card,
            isChosen: chosen.contains(match.card), mayBeLeftOut: query.allowsMultiple,
            paths: match.paths.map(SharingRequest.Path.init)))
      }
    }
    return options
  }

  private func wantedQueries(_ selection: Selection) -> Set<String> {
    var wanted: Set<String> = []
    for (choice, option) in zip(choices, selection.options) {
      if let option, choice.options.indices.contains(option) {
        wanted.formUnion(choice.options[option])
      }
    }
    return wanted
  }

  /// What is asked for and not there.
  var missing: [SharingRequest.Missing] {
    queries.filter { matches[$0.id] == nil }.map { query in
      SharingRequest.Missing(
        query: query.id, types: (query.types ?? []).sorted(),
        paths: (query.claims ?? []).map { SharingRequest.Path($0.path) })
    }
  }

  /// Whether it asks for no more than who the user is: one card, and of it at most what identifies
  /// the user to this relying party.
  var isLogin: Bool {
    let identifying: Set<String> = ["sub", "pseudonym", "personal_administrative_number"]
    guard queries.count == 1, let query = queries.first, !query.allowsMultiple else { return false }
    return (query.claims ?? []).allSatisfy { claim in
      if claim.path.isOfCard { return true }
      guard claim.path.components.count == 1, case .name(let name) = claim.path.components[0]
      else { return false }
      return identifying.contains(name)
    }
  }
}

extension QueryAnswer.Selection {
  /// Returns the selection after `option` was chosen; nil if it cannot be.
  ///
  /// - Parameter number: which one of its group it is, from 0.
  func choosing(_ option: SharingRequest.Option, number: Int) -> Self? {
    var changed = self
    guard let query = option.query, let card = option.card else {
      guard options.indices.contains(option.group) else { return nil }
      changed.options[option.group] = option.isChosen && option.mayBeLeftOut ? nil : number
      return changed
    }
    guard option.mayBeLeftOut else {
      changed.cards[query] = [card]
      return changed
    }
    var cards = cards[query] ?? []
    if let index = cards.firstIndex(of: card) {
      cards.remove(at: index)
    } else {
      cards.append(card)
    }
    changed.cards[query] = cards
    return changed
  }
}

extension SharingRequest.Path {
  init(_ path: ClaimsPath) {
    self.init(
      components: path.components.map { component in
        switch component {
        case .name(let name): .name(name)
        case .element(let index): .element(index)
        case .everyElement: nil
        }
      }, text: String(decoding: path.json.encoded, as: UTF8.self))
  }
}
