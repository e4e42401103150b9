internal import WalletModel

/// What is left of a round of attempts after a wrong PIN, for the step that asks for a PIN: a return
/// to the app replaces the step that told of it.
public struct KnownAttempts: Equatable, Sendable {
  public let left: UInt32
  /// Whether the next block is permanent.
  public let isFinalRound: Bool

  public init(left: UInt32, isFinalRound: Bool) {
    self.left = left
    self.isFinalRound = isFinalRound
  }

  var arguments: [String: Step.Value] {
    ["attempts_left": .number(Int64(left)), "is_final_round": .truth(isFinalRound)]
  }
}
