internal import WalletCrypto
internal import WalletUseCases

/// The links that came and may still be needed. They are kept in memory only.
///
/// Only the newest valid link is opened, and only once. An invalid link does not replace a valid
/// one. It is not kept itself, only the fact that the user has to be told of it.
struct KeptLinks {
  private enum Unopened {
    case enrolment
    case other(Secret, UniversalLink.Purpose)
  }

  /// The newest enrolment link made for this device. It is kept after it was opened, because UC3.1
  /// 2b still offers it.
  private(set) var enrolment: Secret?
  /// The newest valid link, if it was not opened yet.
  private var unopened: Unopened?
  private var hasInvalid = false
  /// The link that was found valid and whose purpose is asked for next. Another one may come meanwhile.
  private var judged: Secret?

  /// Whether there is a link to open or to refuse.
  var isAnyUnopened: Bool { unopened != nil || hasInvalid }

  /// The newest valid link, if it was not opened yet.
  var newest: Secret? {
    switch unopened {
    case .enrolment: enrolment
    case .other(let link, _): link
    case nil: nil
    }
  }

  /// Whether the newest link is the request of a relying party.
  var isNewestRequest: Bool {
    switch unopened {
    case .other(_, .sharing), .other(_, .login): true
    default: false
    }
  }

  /// Adds a link that came.
  mutating func add(_ link: Secret, _ read: UniversalLink) {
    switch read {
    case .invalid, .unknownPurpose: hasInvalid = true
    case .valid(.enrolment, madeForScanning: false):
      enrolment = link
      unopened = .enrolment
    case .valid(let purpose, _): unopened = .other(link, purpose)
    }
  }

  /// Returns whether the user has to be told that a link was invalid, once.
  mutating func takeInvalid() -> Bool {
    defer { hasInvalid = false }
    return hasInvalid
  }

  /// Notes that a link was found valid.
  mutating func noteJudged(_ link: Secret) { judged = link }

  /// Returns the link that was found valid, once.
  mutating func takeJudged() -> Secret? {
    defer { judged = nil }
    return judged
  }

  /// Forgets a link, which was used or refused. A newer one that came meanwhile stays.
  mutating func forget(_ link: Secret) {
    if newest === link { unopened = nil }
    if enrolment === link { enrolment = nil }
  }

  /// Notes that an enrolment link was opened. It is still offered.
  mutating func noteOpened(_ link: Secret) {
    if newest === link { unopened = nil }
  }

  /// Forgets an enrolment link that was opened, because a code is being claimed.
  mutating func forgetOpenedEnrolment() {
    if case .enrolment = unopened { return }
    enrolment = nil
  }
}
