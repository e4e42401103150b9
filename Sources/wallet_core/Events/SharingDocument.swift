internal import WalletModel

/// The JSON of what a relying party asks for.
struct SharingDocument: Encodable {
  let id: String
  let organisation: String?
  let organisationID: String?
  let authority: String
  let host: String
  let registrations: [Registration]
  let warnings: [String]
  let isLogin: Bool
  let isFromOtherDevice: Bool
  let sharedBefore: Int
  let lastSharedAt: String?
  let expiresAt: String?
  let options: [Option]
  let missing: [Missing]

  struct Registration: Encodable {
    let purposes: [String: String]
    let privacyPolicy: String?
    let registrar: String

    init(_ registration: SharingRequest.Registration) {
      purposes = registration.purposes
      privacyPolicy = registration.privacyPolicy
      registrar = registration.registrar
    }

    private enum CodingKeys: String, CodingKey {
      case purposes, registrar
      case privacyPolicy = "privacy_policy"
    }
  }

  struct Option: Encodable {
    let query: String?
    let group: Int
    let card: String?
    let isChosen: Bool
    let mayBeLeftOut: Bool
    let paths: [[Component]]

    private enum CodingKeys: String, CodingKey {
      case query, group, card, paths
      case isChosen = "is_chosen"
      case mayBeLeftOut = "may_be_left_out"
    }
  }

  struct Missing: Encodable {
    let query: String
    let types: [String]
    let paths: [[Component]]
  }

  /// A step on the way to claims: a name, an index, or null for all elements of an array.
  struct Component: Encodable {
    let component: Card.PathComponent?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch component {
      case .name(let name): try container.encode(name)
      case .element(let index): try container.encode(index)
      case nil: try container.encodeNil()
      }
    }
  }

  init(_ request: SharingRequest) {
    id = request.id
    organisation = request.party.name
    organisationID = request.party.identifier
    authority = request.party.authority
    host = request.party.host
    registrations = request.registrations.map { Registration($0) }
    warnings = request.warnings.map(\.rawValue)
    isLogin = request.isLogin
    isFromOtherDevice = request.isFromOtherDevice
    sharedBefore = request.sharedBefore
    lastSharedAt = request.lastSharedAt.map(CardTime.text)
    expiresAt = request.expiresAt.map(CardTime.text)
    options = request.options.map { option in
      Option(
        query: option.query, group: option.group, card: option.card, isChosen: option.isChosen,
        mayBeLeftOut: option.mayBeLeftOut, paths: option.paths.map(Self.path))
    }
    missing = request.missing.map { missing in
      Missing(
        query: missing.query, types: missing.types, paths: missing.paths.map(Self.path))
    }
  }

  static func path(_ path: SharingRequest.Path) -> [Component] {
    path.components.map { Component(component: $0) }
  }

  private enum CodingKeys: String, CodingKey {
    case id, organisation, authority, host, registrations, warnings, options, missing
    case organisationID = "organisation_id"
    case isLogin = "is_login"
    case isFromOtherDevice = "is_from_other_device"
    case sharedBefore = "shared_before"
    case lastSharedAt = "last_shared_at"
    case expiresAt = "expires_at"
  }
}
