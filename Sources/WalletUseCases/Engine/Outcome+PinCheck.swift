public import WalletModel

extension Outcome {
  /// The case of PF2.8 1.1 that the provider's word is. "nth" is read from the attempts left and the
  /// final-round flag, so that other policies at the provider fit as well.
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
