internal import WalletCredentials
internal import WalletPresentation
internal import WalletProtocol

// What relying parties ask.

/// Accepted where the first line is a query. The second one has the claims of a card.
func readCardQuery(_ bytes: [UInt8]) -> Bool {
  let lines = bytes.split(
    separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false
  ).map(Array.init)
  guard let json = try? JSONValue(parsing: lines[0], profile: .foreign),
    let query = try? CredentialsQuery(parsing: json)
  else { return false }
  precondition((1...CredentialsQuery.maximumCount).contains(query.credentials.count))
  let claims =
    lines.count > 1 ? try? JSONValue(parsing: lines[1], profile: .foreign) : .object([:])
  let cards = [
    QueriedCard(id: "good", types: ["a", "b"], claims: claims ?? .null, authorities: ["aWQ"]),
    QueriedCard(id: "over", types: ["a"], claims: claims ?? .null, isUsable: false),
    QueriedCard(id: "free", types: ["b"], claims: .object([:]), isBound: false),
  ]
  let answer = QueryAnswer(query, cards: cards)
  let sent = answer.presentations(answer.suggestion)
  precondition((sent != nil) == answer.isPossible, "a suggestion that cannot be sent")
  for presentation in sent ?? [] {
    precondition(presentation.card != "over", "a card that may not be shown")
    guard presentation.card == "good", let claims else { continue }
    for path in presentation.paths {
      precondition((try? path.select(in: claims)) != nil, "a claim that is not there")
    }
  }
  return true
}

func readPresentationLink(_ text: String) -> Bool {
  guard let link = try? PresentationLink(parsing: text) else { return false }
  precondition(link.requestURI.hasPrefix("https://") && !link.clientID.isEmpty)
  precondition((try? PresentationLink(parsing: text)) == link, "a link read in two ways")
  return true
}
