import WalletProtocol

/// What became of an instruction of the identity proofing, for the log: never of whom.
public struct ProofingNotice: Sendable, Equatable {
  /// The wire name of the instruction.
  public let instruction: String
  /// The wire name of the outcome, with its reason behind a point where it has one.
  public let result: String
  /// What the user was told to name to the support.
  public let reference: String?

  /// Nil for what is no outcome of the proofing.
  init?(_ outcome: InstructionOutcome, to instruction: InstructionName) {
    self.instruction = instruction.rawValue
    switch outcome {
    case .claimed: (result, reference) = ("claimed", nil)
    case .codeRefused(let refusal):
      (result, reference) = ("refused." + refusal.reason.rawValue, refusal.reference)
    case .released: (result, reference) = ("released", nil)
    case .proofing(let status):
      let reason = status.reason.map { "." + $0.rawValue } ?? ""
      (result, reference) = (status.state.rawValue + reason, status.reference)
    case .pid: (result, reference) = ("issued", nil)
    default: return nil
    }
  }
}
