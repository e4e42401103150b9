internal import WalletModel

/// How many attempts a round has left after a wrong PIN. The step that asks for a PIN shows this
/// too, because the step that first told it is gone after a return to the app.
public struct KnownAttempts: Equatable, Sendable {
  public let left: UInt32
  /// Whether the next block is permanent.
  public let isFinalRound: Bool

  public init(left: UInt32, isFinalRound: Bool) {
    self.left = left
    self.isFinalRound = isFinalRound
  }

  var arguments: [StepArgument: Step.Value] {
    [.attemptsLeft: .number(Int64(left)), .isFinalRound: .truth(isFinalRound)]
  }
}
