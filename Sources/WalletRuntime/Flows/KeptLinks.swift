internal import WalletCrypto
internal import WalletUseCases

/// The links that came and may still be needed. They are kept in memory only.
///
/// The newest valid link is opened, once. An invalid link replaces none; only the fact that it came
/// is kept, to tell the user.
struct KeptLinks {
  private enum Unopened {
    case enrolment
    case other(Secret)
  }

  /// The newest enrolment link made for this device. It stays for UC3.1 2b after it was opened.
  private(set) var enrolment: Secret?
  /// The newest valid link, if it was not opened yet.
  private var unopened: Unopened?
  private var hasInvalid = false

  /// Whether there is a link to open or to refuse.
  var isAnyUnopened: Bool { unopened != nil || hasInvalid }

  /// The newest valid link, if it was not opened yet.
  var newest: Secret? {
    switch unopened {
    case .enrolment: enrolment
    case .other(let link): link
    case nil: nil
    }
  }

  /// Adds a link that came.
  mutating func add(_ link: Secret, _ read: UniversalLink) {
    switch read {
    case .invalid, .unknownPurpose: hasInvalid = true
    case .valid(.enrolment, madeForScanning: false):
      enrolment = link
      unopened = .enrolment
    case .valid: unopened = .other(link)
    }
  }

  /// Returns whether the user has to be told that a link was invalid, once.
  mutating func takeInvalid() -> Bool {
    defer { hasInvalid = false }
    return hasInvalid
  }

  /// Forgets the newest link, which was used or refused.
  mutating func forgetNewest() {
    if case .enrolment = unopened { enrolment = nil }
    unopened = nil
  }

  /// Notes that the newest link, an enrolment link, was opened. It is still offered.
  mutating func noteOpened() { unopened = nil }

  /// Forgets an enrolment link that was opened, because a code is being claimed.
  mutating func forgetOpenedEnrolment() {
    if case .enrolment = unopened { return }
    enrolment = nil
  }
}
