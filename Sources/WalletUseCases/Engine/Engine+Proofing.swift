internal import WalletModel

// What is special about UC3.1: the claim, the attempts, and what may be forgotten when.

extension Engine {
  /// Whether licence data that was read may still be needed; if not, it is to be wiped.
  public var needsEvidence: Bool {
    guard !needsEvidence(place), let left, !left.isWithoutEvidence else {
      return needsEvidence(place)
    }
    return isUnlocked ? needsEvidence(left.place) : left.place.row == .submission
  }

  /// Whether an enrolment code that was read, or kept, may still be claimed; if not, it is to be wiped.
  public var needsCode: Bool { needsCode(place) || needsCode(left?.place) }

  private func needsEvidence(_ place: FlowPosition?) -> Bool {
    guard let place, !place.isEnd else { return false }
    switch place.failed ?? place.row {
    case RowID(.obtainPID, "7"): return place.failed == nil
    case RowID(.obtainPID, "9a"), .submission: return true
    case RowID(.obtainPID, "10b"): return place.details.failure?.row.target == .submission
    default: return false
    }
  }

  private func needsCode(_ place: FlowPosition?) -> Bool {
    guard let place, !place.isEnd else { return false }
    let row = place.failed ?? place.row
    guard row.useCase == .obtainPID else { return false }
    switch row.number {
    case "1", "2b", "3", "4": return true
    case "5b": return place.details.failure?.row.target == .claim
    default: return false
    }
  }

  /// Whether links and codes have to wait: a claim is alive, or its verdict is awaited on the display.
  var isProofingUnderWay: Bool {
    switch facts.proofing {
    case .none: false
    case .claimed: true
    case .submitted:
      [place, left?.place].compactMap { $0 }.contains { place in
        place.isProofing && ["9b", "10b"].contains(place.row.number)
      }
    }
  }

  // MARK: Outcomes

  /// The case that the engine knows better than the runtime because of a claim or of the error table.
  mutating func refinedByProofing(
    _ outcome: Outcome, of row: RowID, _ details: inout Details
  ) -> Outcome {
    switch row {
    case RowID(.universalLink, "1.3"), RowID(.scanQR, "1.5"):
      guard isProofingUnderWay, outcome != .failed else { return outcome }
      details = Details(arguments: ["reason": .text(Notice.flowInProgress.rawValue)])
      return .flowInProgress
    case RowID(.openApp, "3.3"), RowID(.unlock, "1.5"):
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
    case .recoverable, .irrecoverable: return judged(outcome, of: row, &details)
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

  /// A failure that the error table knows another way out of than the outcome.
  private mutating func judged(
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

  /// Whether the screen for recoverable failures of `row` has the button of `failure`.
  private func hasRemedy(_ failure: ProofingError, after row: RowID) -> Bool {
    let retry = UseCaseTables.firstCase(.outcome(.recoverable), of: row)?.next
    guard case .row(let number) = retry, let action = failure.row.primary.action else {
      return false
    }
    return UseCaseTables.firstCase(.action(action), of: RowID(row.useCase, number))?.condition == .remedy
  }

  // MARK: Choices

  /// What a choice means for the claim.
  mutating func noteProofing(_ chosen: Case, of row: RowID) {
    guard row.useCase == .obtainPID else { return }
    switch chosen.action {
    case .useLink: reaction.commands.append(.useLink)
    case .notMyAccount: endClaim()
    case .exit, .stop:
      // From 2a what is in the way is mended outside, and the claim waits for that.
      guard chosen.leavesProofing, row.number != "2a" else { return }
      // What was submitted is judged all the same, and asked for when the proofing is opened again.
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

  /// Gets ready for a row of UC3.1; false where it leads elsewhere at once.
  mutating func prepareProofing(_ row: RowID, _ details: inout Details) -> Bool {
    switch row.number {
    // The step says what the news mean.
    case "2b" where notices.contains(.sessionLost): details.failure = .sessionLost
    case "3":
      // Whoever scans another code is done with the claim of the one before.
      if facts.proofing == .claimed { endClaim() }
      if codeAttempts.left(at: facts.now) == 0 { return giveUpScanning(row) }
      codeAttempts.note(at: facts.now)
    case "4" where codeAttempts.isBarred(at: facts.now):
      place = FlowPosition(row: row)
      take(.irrecoverable, Details(failure: .codeRateLimited), of: row)
      return false
    case "5b" where details.failure?.row.target == .code && codeAttempts.left(at: facts.now) == 0:
      return giveUpScanning(row)
    case "5b", "8b", "10b": tellAttempts(&details)
    case "5c", "6":
      // What was submitted is judged; there is nothing to confirm or to scan any more.
      guard facts.proofing != .submitted else {
        enter(UseCaseTables.firstRow(of: .cards))
        return false
      }
      guard row.number == "5c" else { break }
      // Nobody passes without having seen whose account it is.
      guard let account else {
        enter(UseCaseTables.firstRow(of: .obtainPID))
        return false
      }
      details = account
    case "2a", "5a", "8a", "10a": addReference(to: &details)
    case "11": forgetProofing()
    default: break
    }
    if case .number(3...) = details.arguments["attempts_left"] {
      details.arguments["attempts_left"] = nil
    }
    return true
  }

  private mutating func giveUpScanning(_ row: RowID) -> Bool {
    guard let spent = UseCaseTables.firstCase(.event(.attemptsSpent), of: row) else { return true }
    follow(spent, of: row)
    return false
  }

  /// Tells how often what failed may be tried again.
  private func tellAttempts(_ details: inout Details) {
    let left: Int64 =
      switch details.failure?.row.target {
      case .code, .claim: Int64(codeAttempts.left(at: facts.now))
      case .licence, .submission: Int64(facts.licenceAttemptsLeft ?? 0)
      case .left, .exit, nil: 0
      }
    // A connection may be tried again however often the scanner was started.
    if left > 0 { details.arguments["attempts_left"] = .number(left) }
  }

  /// A reference for support, and when to try again.
  mutating func addReference(to details: inout Details) {
    if details.arguments["retry_after_ms"] == nil {
      if details.failure == .attemptsExhausted { codeAttempts.bar(at: facts.now) }
      if details.failure == .attemptsExhausted || details.failure == .codeRateLimited {
        details.arguments["retry_after_ms"] = .number(codeAttempts.wait(at: facts.now))
      }
    }
    guard details.failure?.row.errorClass != .pending, details.arguments["reference"] == nil,
      !facts.reference.isEmpty
    else { return }
    details.arguments["reference"] = .text(facts.reference)
    reaction.takesReference = true
  }

  // MARK: Lock and Resume

  /// What a step of UC3.1 comes back as after a lock, which wipes what was read of a licence; nil for
  /// steps that the other rules are for.
  func keptOverLock(_ place: FlowPosition) -> SuspendedFlow? {
    guard place.isProofing, !place.isEnd else { return nil }
    let confirmation =
      account.map { FlowPosition(row: RowID(.obtainPID, "5c"), details: $0) }
      ?? FlowPosition(row: UseCaseTables.firstRow(of: .obtainPID))
    switch place.row.number {
    // Work that ends the same however often it is begun.
    case "1", "4": return SuspendedFlow(place: place, screen: screen, history: [])
    case "9b": return SuspendedFlow(place: place, screen: confirmation, history: [])
    case "6", "7", "8b", "9a": break
    // The provider is asked what it has, as nothing can be sent again.
    case "10b" where needsEvidence(place) && facts.proofing == .submitted:
      return SuspendedFlow(
        place: FlowPosition(row: .submission), screen: confirmation, history: [], isWithoutEvidence: true)
    case "10b" where needsEvidence(place): break
    default: return nil
    }
    return SuspendedFlow(place: confirmation, screen: confirmation, history: [])
  }

  /// Whether the claim that a step is about has ended meanwhile.
  func isLapsed(_ place: FlowPosition) -> Bool {
    guard place.isProofing, facts.proofing == .none else { return false }
    switch place.row.number {
    case "5c", "5d", "6", "7", "8b", "9a", "9b": return true
    case "10b": return place.details.failure?.row.target != .code
    default: return false
    }
  }

  /// Resume of `place`, whose claim has ended: with the PID, or without.
  mutating func restartProofing(_ place: FlowPosition) {
    forgetProofing()
    cutHistory()
    // Of what was submitted the PID may have come, and a lock have cut off the news.
    if !facts.hasPID || !["9b", "10b"].contains(place.row.number) { notices.append(.sessionLost) }
    guard !facts.hasPID else { return enter(UseCaseTables.firstRow(of: .cards)) }
    enter(RowID(.obtainPID, "2b"))
  }
}

extension RowID {
  /// UC3.1 9b, which goes on while the wallet is locked.
  static let submission = RowID(.obtainPID, "9b")
}

extension Case {
  /// Whether an exit is more than asked for.
  var leavesProofing: Bool { next == .goTo(.cards) }

  /// Whether it leaves the identity proofing for good, for which a host may close the app instead.
  var isExit: Bool { (action == .exit || action == .stop) && leavesProofing }
}

extension FlowPosition {
  fileprivate var isProofing: Bool { row.useCase == .obtainPID }
}

extension ProofingButton {
  /// The action of a step that the button is; nil for one that no step of UC3.1 has.
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
