internal import WalletModel
internal import WalletSystem

/// Texts and numbers by their names, for getters of C.
struct NamedValues: Sendable {
  private let texts: [(name: StableText, text: StableText)]
  private let numbers: [(name: StableText, number: Int64)]

  init(texts: [(String, String?)], numbers: [(String, Int64)] = []) {
    self.texts = texts.map { (StableText($0.0), StableText($0.1 ?? "")) }
    self.numbers = numbers.map { (StableText($0.0), $0.1) }
  }

  func text(_ name: UnsafePointer<CChar>?) -> StableText? {
    guard let name else { return nil }
    return texts.first { CText.areEqual($0.name.start, name) }?.text
  }

  func number(_ name: UnsafePointer<CChar>?) -> Int64? {
    guard let name else { return nil }
    return numbers.first { CText.areEqual($0.name.start, name) }?.number
  }
}

/// What a getter of C reads of a registration.
struct RegistrationTexts: Sendable {
  let values: NamedValues
  private let purposes: [(language: StableText, text: StableText)]

  init(_ registration: SharingRequest.Registration) {
    values = NamedValues(texts: [
      ("registrar", registration.registrar), ("privacy_policy", registration.privacyPolicy),
    ])
    purposes = registration.purposes.sorted { $0.key < $1.key }
      .map { (StableText($0.key), StableText($0.value)) }
  }

  func purpose(_ language: UnsafePointer<CChar>?) -> StableText? {
    guard let language else { return purposes.first?.text }
    return purposes.first { CText.areEqual($0.language.start, language) }?.text
  }
}

/// What a getter of C reads of a request of a relying party. It lives as long as the event.
final class SharingTexts: Sendable {
  /// An option, or what is missing.
  struct Entry: Sendable {
    let values: NamedValues
    let types: [StableText]
    let paths: [StableText]
  }

  let values: NamedValues
  let registrations: [RegistrationTexts]
  let warnings: [StableText]
  let options: [Entry]
  let missing: [Entry]

  init(_ request: SharingRequest) {
    values = NamedValues(
      texts: request.party.texts + [
        ("id", request.id), ("last_shared_at", request.lastSharedAt.map(CardTime.text)),
        ("expires_at", request.expiresAt.map(CardTime.text)),
      ],
      numbers: [
        ("is_login", request.isLogin ? 1 : 0),
        ("is_from_other_device", request.isFromOtherDevice ? 1 : 0),
        ("shared_before", Int64(request.sharedBefore)),
      ])
    registrations = request.registrations.map { RegistrationTexts($0) }
    warnings = request.warnings.map { StableText($0.rawValue) }
    options = request.options.map { option in
      Entry(
        values: NamedValues(
          texts: [("card", option.card), ("query", option.query)],
          numbers: [
            ("group", Int64(option.group)), ("is_chosen", option.isChosen ? 1 : 0),
            ("may_be_left_out", option.mayBeLeftOut ? 1 : 0),
          ]),
        types: [], paths: option.paths.map { StableText($0.text) })
    }
    missing = request.missing.map { missing in
      Entry(
        values: NamedValues(texts: [("query", missing.query)]),
        types: missing.types.map { StableText($0) },
        paths: missing.paths.map { StableText($0.text) })
    }
  }

  /// The end of a request.
  init(_ answer: SharedAnswer) {
    values = NamedValues(
      texts: [("result", answer.result.rawValue), ("redirect_uri", answer.redirectURI)])
    (registrations, warnings, options, missing) = ([], [], [], [])
  }
}

/// What a getter of C reads of an activity. It lives as long as the event.
final class ActivityTexts: Sendable {
  let values: NamedValues
  let registrations: [RegistrationTexts]
  let items: [SharingTexts.Entry]

  init(_ activity: Activity) {
    values = NamedValues(
      texts: activity.party.texts + [
        ("kind", activity.kind.rawValue), ("result", activity.result.rawValue),
        ("at", CardTime.text(activity.at)),
      ])
    registrations = activity.registrations.map { RegistrationTexts($0) }
    items = activity.items.map { item in
      SharingTexts.Entry(
        values: NamedValues(texts: [("card", item.card), ("type", item.type), ("name", item.name)]),
        types: [], paths: item.paths.map { StableText($0.text) })
    }
  }
}

extension SharingRequest.Party {
  fileprivate var texts: [(String, String?)] {
    [
      ("organisation", name), ("organisation_id", identifier), ("authority", authority),
      ("host", host),
    ]
  }
}

extension Array {
  /// The element at an index that came from outside; nil if there is none.
  func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
