import WalletModel

@testable import WalletUseCases

/// The part of the model for UC3.1: how the provider behaves, and what must hold for the account,
/// the attempts, the evidence, the exits and the buttons.
struct ProofingModel {
  /// Whether the user has confirmed since the claim that the account is theirs.
  private var isConfirmed = false
  /// The times at which the scanner for codes was started.
  private var starts: [Int64] = []

  // MARK: The environment

  static func usual(_ effect: FlowEffect, _ facts: Facts, _ number: Int) -> Outcome {
    switch effect {
    case .checkProofing:
      switch facts.proofing {
      case .none: number % 5 == 1 ? .codeKept : .ready
      case .claimed: .claimAlive
      case .submitted: .submissionPending
      }
    case .claimCode: number % 4 == 1 ? .recoverable : .claimed
    case .readLicence: number % 2 == 1 ? .recoverable : .passed
    case .submitProofing:
      switch number % 16 {
      case 1, 3, 5, 7, 9, 11, 13, 15: .recoverable
      case 4, 12: .replacementWaits
      case 2, 6, 8, 10: .pinNeeded
      default: .issued
      }
    default: .done
    }
  }

  /// Returns a failure for an outcome, occasionally one that does not fit.
  static func failure(of job: Pending.Job, _ number: Int) -> ProofingError? {
    let codes =
      switch job {
      case .perform(.claimCode): ProofingError.allCases.filter { $0.rawValue.hasPrefix("code.") }
      case .perform(.readLicence): ProofingError.allCases.filter { $0.rawValue.hasPrefix("doc.") }
      case .perform(.submitProofing):
        ProofingError.allCases.filter { $0.rawValue.hasPrefix("proof.") }
      default: ProofingError.allCases
      }
    if number % 32 == 5 { return nil }
    let known = number % 32 == 9 ? ProofingError.allCases : codes
    return known[number / 32 % known.count]
  }

  static func note(_ outcome: Outcome, of effect: FlowEffect, _ facts: inout Facts) {
    switch (effect, outcome) {
    case (.claimCode, .claimed), (.checkProofing, .claimAlive): facts.proofing = .claimed
    case (.submitProofing, .issued):
      facts.proofing = .none
      facts.hasPID = true
    case (.submitProofing, .pendingReview), (.submitProofing, .replacementWaits),
      (.submitProofing, .pinNeeded):
      facts.proofing = .submitted
    case (.submitProofing, .irrecoverable): facts.proofing = .none
    default: break
    }
    facts.licenceAttemptsLeft = facts.proofing == .none ? nil : 2
  }

  /// Whether a case stores the PID or leaves the proofing.
  static func cutsHistory(_ taken: String) -> Bool {
    guard taken.hasPrefix("UC3.1 ") else { return false }
    let next = ModelProperties.cases[taken]?.next
    return next == .goTo(.cards) || next == .row("11")
  }

  // MARK: Properties

  mutating func follow(_ reaction: Reaction, _ engine: Engine, _ facts: Facts) -> String? {
    for taken in reaction.taken {
      // A pending submission was confirmed before it was sent.
      if ["UC3.1 5ca", "UC3.1 1d"].contains(taken) { isConfirmed = true }
      if ["UC3.1 4a", "UC3.1 1e"].contains(taken) { isConfirmed = false }
    }
    if reaction.commands.contains(.forgetLink) { starts = [] }
    let position = engine.position
    guard let position, position.row.useCase == .obtainPID else {
      return fault(away: engine)
    }
    if let fault = attempts(reaction, engine, facts) { return fault }
    if ["6", "7", "9a", "9b"].contains(position.row.number), !isConfirmed {
      return "\(position.row) without a confirmed account"
    }
    if let fault = exits(reaction, facts) { return fault }
    if ["UC3.1 6b", "UC3.1 6c", "UC3.1 6d"].contains(reaction.taken.last),
      facts.licenceAttemptsLeft != nil, position.details.arguments[.attemptsLeft] == nil
    {
      return "the attempts left are not shown"
    }
    return engine.warningLocksAt == nil ? buttons(position, engine) : nil
  }

  /// Data that is no longer needed must be wiped.
  private func fault(away engine: Engine) -> String? {
    if !engine.isUnlocked, engine.needsEvidence, engine.suspended?.position.row != .submission {
      return "evidence outlived the lock"
    }
    if engine.position?.row.useCase == .cards, engine.needsEvidence || engine.needsCode {
      return "evidence or code outlived the proofing"
    }
    return nil
  }

  /// Allows at most five starts of the scanner in any fifteen minutes.
  private mutating func attempts(
    _ reaction: Reaction, _ engine: Engine, _ facts: Facts
  ) -> String? {
    let begins = ["UC3.1 2ba", "UC3.1 5ba", "UC3.1 10bd"]
    guard reaction.taken.contains(where: { begins.contains($0) }),
      engine.position?.row.number == "3"
    else { return nil }
    starts = starts.filter { facts.now - $0 < CodeAttempts.window } + [facts.now]
    return starts.count > CodeAttempts.limit ? "attempt \(starts.count) in fifteen minutes" : nil
  }

  /// An exit must release a claim that is not submitted.
  private func exits(_ reaction: Reaction, _ facts: Facts) -> String? {
    let left = reaction.taken.first { taken in
      guard taken.hasPrefix("UC3.1 "), let definition = ModelProperties.cases[taken] else {
        return false
      }
      return [.action(.exit), .action(.stop)].contains(definition.trigger)
        && definition.next == .goTo(.cards)
    }
    guard let left else { return nil }
    let releases = reaction.commands.contains(.releaseClaim)
    return releases == (facts.proofing == .claimed) ? nil : "\(left) and the claim"
  }

  /// Of Exit and Retry exactly one is primary, and a final failure offers only Exit.
  private func buttons(_ position: FlowPosition, _ engine: Engine) -> String? {
    let actions = engine.offeredActions
    switch position.row.number {
    case "2a", "5a", "8a", "10a":
      return actions == [.exit] ? nil : "\(position.row): \(actions) after a final failure"
    case "5b", "8b", "10b":
      guard actions.count == 2, actions[1] == .exit, actions[0] != .exit else {
        return "\(position.row): \(actions), Exit is not the secondary one"
      }
      let isPrimary = actions[0] == position.details.failure?.row.primary.action
      return isPrimary ? nil : "\(position.row): \(actions)"
    default: return nil
    }
  }
}
