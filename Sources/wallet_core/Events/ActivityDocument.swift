internal import WalletModel

/// The JSON of an activity.
struct ActivityDocument: Encodable {
  let kind: String
  let result: String
  let at: String
  let organisation: String?
  let organisationID: String?
  let authority: String
  let host: String
  let registrations: [SharingDocument.Registration]
  let items: [Item]

  struct Item: Encodable {
    let card: String
    let type: String
    let name: String?
    let paths: [[SharingDocument.Component]]
  }

  init(_ activity: Activity) {
    kind = activity.kind.rawValue
    result = activity.result.rawValue
    at = CardTime.text(activity.at)
    organisation = activity.party.name
    organisationID = activity.party.identifier
    authority = activity.party.authority
    host = activity.party.host
    registrations = activity.registrations.map { SharingDocument.Registration($0) }
    items = activity.items.map { item in
      Item(
        card: item.card, type: item.type, name: item.name,
        paths: item.paths.map(SharingDocument.path))
    }
  }

  private enum CodingKeys: String, CodingKey {
    case kind, result, at, organisation, authority, host, registrations, items
    case organisationID = "organisation_id"
  }
}

/// The JSON of how a request of a relying party ended.
struct SharedDocument: Encodable {
  let result: String
  let redirectURI: String?

  init(_ answer: SharedAnswer) {
    result = answer.result.rawValue
    redirectURI = answer.redirectURI
  }

  private enum CodingKeys: String, CodingKey {
    case result
    case redirectURI = "redirect_uri"
  }
}
