import WalletProtocol

/// The outcome of a proofing instruction for the log; it never identifies a wallet or person.
public struct ProofingNotice: Sendable, Equatable {
  /// The wire name of the instruction.
  public let instruction: String
  /// The wire name of the outcome, followed by a point and the reason if it has one.
  public let result: String
  /// The reference that the user was given for support requests.
  public let reference: String?

  /// Nil if it is not an outcome of proofing.
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
