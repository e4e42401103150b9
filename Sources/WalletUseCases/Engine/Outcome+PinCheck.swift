public import WalletModel

extension Outcome {
  /// Whether a PIN has reached a block, or was refused because of one.
  public var isPinBlock: Bool {
    switch self {
    case .blocked, .blockedForGood, .wrongFourth, .finalWrongFourth: true
    default: false
    }
  }

  /// Maps the provider's answer to an outcome of PF2.8 1.1. "First" to "fourth wrong" follow from
  /// the attempts left and the final-round flag, so that a provider with another number of attempts
  /// fits as well.
  public init(_ check: PinCheck, wasAttempt: Bool) {
    switch check {
    case .valid: self = .valid
    case .blocked: self = wasAttempt ? .wrongFourth : .blocked
    case .blockedPermanently: self = wasAttempt ? .finalWrongFourth : .blockedForGood
    case .wrong(let left, finalRound: false):
      self = left >= 3 ? .wrongFirst : left == 2 ? .wrongSecond : .wrongThird
    case .wrong(let left, finalRound: true):
      self = left >= 3 ? .finalWrongFirst : left == 2 ? .finalWrongSecond : .finalWrongThird
    }
  }
}
