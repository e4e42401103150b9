internal import WalletModel

// What only UC3.1 has: the claim, the attempts, and when personal data may be wiped.

extension Engine {
  /// Whether licence data that was read may still be needed; if not, it must be wiped.
  public var needsEvidence: Bool {
    guard !needsEvidence(position), let suspended, !suspended.isWithoutEvidence else {
      return needsEvidence(position)
    }
    return isUnlocked ? needsEvidence(suspended.position) : suspended.position.row == .submission
  }

  /// Whether an enrolment code that was read, or kept, may still be claimed; if not, it must be
  /// wiped.
  public var needsCode: Bool { needsCode(position) || needsCode(suspended?.position) }

  private func needsEvidence(_ position: FlowPosition?) -> Bool {
    guard let position, !position.isEnd else { return false }
    switch position.failed ?? position.row {
    case .licenceReading: return position.failed == nil
    case .licenceIsRead, .submission: return true
    case .submissionRetry: return position.details.failure?.row.target == .submission
    default: return false
    }
  }

  private func needsCode(_ position: FlowPosition?) -> Bool {
    guard let position, !position.isEnd else { return false }
    let row = position.failed ?? position.row
    switch row {
    case .proofingCheck, .proofingStart, .codeScanner, .codeClaim: return true
    case .codeRetry: return position.details.failure?.row.target == .claim
    default: return false
    }
  }

  /// Whether links and codes have to wait: the wallet has claimed an account, or the step that
  /// waits for the verdict is shown or suspended.
  var isProofingUnderWay: Bool {
    switch facts.proofing {
    case .none: false
    case .claimed: true
    case .submitted:
      [position, suspended?.position].compactMap { $0 }.contains { position in
        [.submission, .submissionRetry].contains(position.row) || position.awaitsPinForPID
      }
    }
  }

  // MARK: Outcomes

  /// Returns the outcome corrected by what only the engine knows: the claim and the error table.
  mutating func refinedByProofing(
    _ outcome: Outcome, of row: RowID, _ details: inout Details
  ) -> Outcome {
    switch row {
    case .linkPurpose, .codePurpose:
      guard isProofingUnderWay, outcome != .failed else { return outcome }
      details = Details(arguments: [.reason: .text(Notice.flowInProgress.rawValue)])
      return .flowInProgress
    case .appReturnHasPID, .afterUnlock:
      guard isProofingUnderWay else { return outcome }
      details.notices = details.notices.map { $0 == .linkNeedsPID ? .flowInProgress : $0 }
      return outcome
    case _ where row.useCase == .obtainPID: break
    default: return outcome
    }
    endProofing(&details)
    switch outcome {
    case .claimed, .claimAlive: account = details
    case .issued: account = nil
    case .recoverable, .irrecoverable: return adjusted(outcome, of: row, &details)
    case .pendingReview: details.failure = .proofPendingReview
    case .sessionLost: endClaim()
    default: break
    }
    return outcome
  }

  private mutating func endProofing(_ details: inout Details) {
    defer { details.ends = nil }
    switch details.ends {
    case .claim: endClaim()
    case .submission: reaction.commands.append(.endSubmission)
    case nil: break
    }
  }

  /// Returns the outcome whose screen fits the failure. The error table may have another remedy for
  /// the failure than the runtime's outcome leads to.
  private mutating func adjusted(
    _ outcome: Outcome, of row: RowID, _ details: inout Details
  ) -> Outcome {
    let isKnown = { (other: Outcome) in
      UseCaseTables.firstCase(.outcome(other), of: row) != nil
    }
    switch details.failure {
    case .sessionLost where isKnown(.sessionLost):
      endClaim()
      return .sessionLost
    case .proofPendingReview where isKnown(.pendingReview): return .pendingReview
    case let failure? where outcome == .irrecoverable || hasRemedy(failure, after: row):
      return outcome
    default:
      details.failure = .proofInternal
      return .irrecoverable
    }
  }

  /// Whether the screen for recoverable failures of `row` offers the button that the error table
  /// has for `failure`.
  private func hasRemedy(_ failure: ProofingError, after row: RowID) -> Bool {
    let retry = UseCaseTables.firstCase(.outcome(.recoverable), of: row)?.next
    guard case .row(let number) = retry, let action = failure.row.primary.action else {
      return false
    }
    return UseCaseTables.firstCase(.action(action), of: RowID(row.useCase, number))?.condition
      == .remedy
  }

  // MARK: Choices

  /// Does what a choice in UC3.1 means for the proofing, for example ends the claim.
  mutating func noteProofing(_ chosen: Case, of row: RowID) {
    guard row.useCase == .obtainPID else { return }
    switch chosen.action {
    case .useLink: reaction.commands.append(.useLink)
    case .notMyAccount: endClaim()
    case .exit, .stop:
      // In 2a an obstacle prevents the proofing. The claim is kept while the user removes the
      // obstacle outside the app.
      guard chosen.leavesProofing, row != .proofingImpossible else { return }
      // The provider decides on a submission anyway. The verdict is fetched when the proofing is
      // opened again.
      if facts.proofing == .claimed { endClaim() } else { forgetProofing() }
    default: break
    }
  }

  private mutating func endClaim() {
    account = nil
    reaction.commands.append(.releaseClaim)
  }

  private mutating func forgetProofing() {
    account = nil
    reaction.commands.append(.forgetProofing)
  }

  // MARK: Entering a row

  /// Prepares the entry of a row of UC3.1. Returns false if another row was entered instead.
  mutating func prepareProofing(_ row: RowID, _ details: inout Details) -> Bool {
    switch row {
    // The step itself explains the notice that the claim has lapsed.
    case .proofingStart where notices.contains(.sessionLost): details.failure = .sessionLost
    case .codeScanner:
      // Scanning another code gives up the account that was claimed with the code before.
      if facts.proofing == .claimed { endClaim() }
      if codeAttempts.left(at: facts.now) == 0 { return giveUpScanning(row) }
      codeAttempts.note(at: facts.now)
    case .codeClaim where codeAttempts.isBarred(at: facts.now):
      position = FlowPosition(row: row)
      take(.irrecoverable, Details(failure: .codeRateLimited), of: row)
      return false
    case .codeRetry
    where details.failure?.row.target == .code && codeAttempts.left(at: facts.now) == 0:
      return giveUpScanning(row)
    case .codeRetry, .licenceRetry, .submissionRetry: tellAttempts(&details)
    case .confirmAccount, .licenceScanner:
      // After a submission there is nothing left to confirm or to scan.
      guard facts.proofing != .submitted else {
        enter(UseCaseTables.firstRow(of: .cards))
        return false
      }
      guard row == .confirmAccount else { break }
      // The user must confirm whose account it is. Without its details, UC3.1 begins again.
      guard let account else {
        enter(UseCaseTables.firstRow(of: .obtainPID))
        return false
      }
      details = account
    case .proofingImpossible, .codeFailure, .licenceFailure, .submissionFailure:
      addReference(to: &details)
    case .pidIsThere: forgetProofing()
    default: break
    }
    if case .number(3...) = details.arguments[.attemptsLeft] {
      details.arguments[.attemptsLeft] = nil
    }
    return true
  }

  private mutating func giveUpScanning(_ row: RowID) -> Bool {
    guard let spent = UseCaseTables.firstCase(.event(.attemptsSpent), of: row) else { return true }
    follow(spent, of: row)
    return false
  }

  /// Adds how many attempts are left.
  private func tellAttempts(_ details: inout Details) {
    let left: Int64 =
      switch details.failure?.row.target {
      case .code, .claim: Int64(codeAttempts.left(at: facts.now))
      case .licence, .submission: Int64(facts.licenceAttemptsLeft ?? 0)
      case .left, .exit, nil: 0
      }
    // If no attempt is left, the number is omitted: the user may still repeat a request after a
    // lost connection, which is no attempt.
    if left > 0 { details.arguments[.attemptsLeft] = .number(left) }
  }

  /// Adds a reference for support, and when to try again.
  mutating func addReference(to details: inout Details) {
    if details.arguments[.retryAfter] == nil {
      if details.failure == .attemptsExhausted { codeAttempts.bar(at: facts.now) }
      if details.failure == .attemptsExhausted || details.failure == .codeRateLimited {
        details.arguments[.retryAfter] = .number(codeAttempts.wait(at: facts.now))
      }
    }
    guard details.failure?.row.errorClass != .pending, details.arguments[.reference] == nil,
      !facts.reference.isEmpty
    else { return }
    details.arguments[.reference] = .text(facts.reference)
    reaction.takesReference = true
  }

  // MARK: Lock and Resume

  /// Returns the step at which UC3.1 resumes after a lock, which wipes what was read of a licence;
  /// nil if the general rules say where to resume.
  func keptOverLock(_ position: FlowPosition) -> SuspendedFlow? {
    guard position.isProofing || position.awaitsPinForPID, !position.isEnd else { return nil }
    let confirmation =
      account.map { FlowPosition(row: .confirmAccount, details: $0) }
      ?? FlowPosition(row: UseCaseTables.firstRow(of: .obtainPID))
    // An unlock with the PIN is what was asked for.
    if position.awaitsPinForPID {
      return SuspendedFlow(
        position: FlowPosition(row: .submission), screen: confirmation, history: [])
    }
    switch position.row {
    // These rows can be repeated with the same result.
    case .proofingCheck, .codeClaim:
      return SuspendedFlow(position: position, screen: screen, history: [])
    case .submission:
      return SuspendedFlow(position: position, screen: confirmation, history: [])
    case .licenceScanner, .licenceReading, .licenceRetry, .licenceIsRead: break
    // The evidence is wiped and cannot be sent again, so the provider is asked for its verdict.
    case .submissionRetry where needsEvidence(position) && facts.proofing == .submitted:
      return SuspendedFlow(
        position: FlowPosition(row: .submission), screen: confirmation, history: [],
        isWithoutEvidence: true)
    case .submissionRetry where needsEvidence(position): break
    default: return nil
    }
    return SuspendedFlow(position: confirmation, screen: confirmation, history: [])
  }

  /// Whether `position` needs a claim, and the claim has ended meanwhile.
  func isLapsed(_ position: FlowPosition) -> Bool {
    guard position.isProofing, facts.proofing == .none else { return false }
    switch position.row {
    case .confirmAccount, .stopQuestion, .licenceScanner, .licenceReading, .licenceRetry,
      .licenceIsRead, .submission, .receivePin, .replacementWait:
      return true
    case .submissionRetry: return position.details.failure?.row.target != .code
    default: return false
    }
  }

  /// Resumes a step whose claim has ended: on the dashboard if there is a PID, else at the start.
  mutating func restartProofing(_ position: FlowPosition) {
    forgetProofing()
    cutHistory()
    // The exception: if there is a PID after a submission, the claim was not lost. The PID was
    // issued, and a lock cut off the news of it.
    if !facts.hasPID || ![.submission, .submissionRetry].contains(position.row) {
      notices.append(.sessionLost)
    }
    guard !facts.hasPID else { return enter(UseCaseTables.firstRow(of: .cards)) }
    enter(.proofingStart)
  }
}

extension Case {
  /// Whether the case leaves the proofing at once, without a question first.
  var leavesProofing: Bool { next == .goTo(.cards) }

  /// Whether the user leaves the identity proofing for good, so that a host may close the app
  /// instead.
  var isExit: Bool { (action == .exit || action == .stop) && leavesProofing }
}

extension FlowPosition {
  fileprivate var isProofing: Bool { row.useCase == .obtainPID }
}

extension ProofingButton {
  /// The action that the button stands for; nil if no step of UC3.1 has it.
  var action: Action? {
    switch self {
    case .exit: .exit
    case .scanAgain: .scanAgain
    case .scanAnother: .scanAnother
    case .scanLicence: .scanLicence
    case .scanCode: .scan
    case .tryAgain: .tryAgain
    case .proceed: nil
    }
  }
}
