internal import CWalletCore
internal import WalletModel

/// The provider's answer to a PIN, or to the question whether it accepts one, as hosts read it.
struct PinAnswer: Sendable {
  let code: wallet_core_pin_outcome
  /// The name of the code in JSON.
  let name: String
  let attemptsLeft: UInt32?
  let isFinalRound: Bool?
  let blockedFor: UInt64?
  /// Wrong PINs that the owner has not been told of.
  var failures: PinFailures?

  init(_ check: PinCheck, _ failures: PinFailures?) {
    self =
      switch check {
      case .valid: PinAnswer(code: WALLET_CORE_PIN_OUTCOME_VALID, name: "valid")
      case .wrong(let attemptsLeft, let finalRound):
        PinAnswer(
          code: WALLET_CORE_PIN_OUTCOME_WRONG, name: "wrong", attemptsLeft: attemptsLeft,
          isFinalRound: finalRound)
      case .blocked(let milliseconds): .blocked(milliseconds)
      case .blockedPermanently: .blockedPermanently
      }
    self.failures = failures
  }

  init(_ state: PinState, _ failures: PinFailures?) {
    self =
      switch state {
      case .notBlocked(let attemptsLeft, let finalRound):
        PinAnswer(
          code: WALLET_CORE_PIN_OUTCOME_NOT_BLOCKED, name: "not_blocked",
          attemptsLeft: attemptsLeft,
          isFinalRound: finalRound)
      case .blocked(let milliseconds): .blocked(milliseconds)
      case .blockedPermanently: .blockedPermanently
      }
    self.failures = failures
  }

  private init(
    code: wallet_core_pin_outcome, name: String, attemptsLeft: UInt32? = nil,
    isFinalRound: Bool? = nil,
    blockedFor: UInt64? = nil
  ) {
    self.code = code
    self.name = name
    self.attemptsLeft = attemptsLeft
    self.isFinalRound = isFinalRound
    self.blockedFor = blockedFor
  }

  private static func blocked(_ milliseconds: UInt64) -> PinAnswer {
    PinAnswer(
      code: WALLET_CORE_PIN_OUTCOME_BLOCKED_TEMPORARILY, name: "blocked_temporarily",
      blockedFor: milliseconds)
  }

  private static let blockedPermanently = PinAnswer(
    code: WALLET_CORE_PIN_OUTCOME_BLOCKED_PERMANENTLY, name: "blocked_permanently")
}
