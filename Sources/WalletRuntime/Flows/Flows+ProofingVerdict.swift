internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProofing
internal import WalletProtocol
internal import WalletStorage
internal import WalletUseCases

// UC3.1 rows 6 to 11: the driving licence, the verdict and the PID.

extension Flows {
  /// How long the user waits for a pending decision of the provider.
  private static let pendingTimeout: Milliseconds = 60_000
  /// The range of the pause between two requests for the decision.
  private static let pollPauses: ClosedRange<Milliseconds> = 1_000...15_000

  // MARK: Row 7

  /// Reads the licence. Its bytes exist only in this function.
  func readLicence(_ id: UInt64) {
    // It needs only this device, so it does not wait for a PIN that the provider does not answer.
    work(id, .readLicence, .localQuery) { flows, session, job throws(WalletError) in
      let (scanned, record) = flows.state.withLock { state in
        defer { state.scanned = nil }
        return (state.scanned, state.proofing.record)
      }
      let now = flows.context.updatePolicy.providerTime
      guard let record, record.expiresAt > now else { return flows.reply(id, .sessionLost) }
      // The last attempt failed, but a lock or a kill kept the user from seeing that.
      guard record.attemptsLeft > 0 else {
        return flows.replyProofing(id, .attemptsExhausted, ends: .claim)
      }
      guard let scanned else { return flows.replyProofing(id, .documentUnreadable) }
      do throws(LicenceRefusal) {
        let evidence = try scanned.bytes.withBytes { bytes throws(LicenceRefusal) in
          try LicenceEvidence(
            scanned: bytes, symbology: scanned.symbology, now: now, policy: ProofingPolicy(record))
        }
        flows.state.withLock { $0.proofing.submission = .init(evidence: evidence) }
        flows.reply(id, .passed)
      } catch {
        try flows.refuse(
          id, error.error, record, session.account(job, creating: false),
          isOfOtherKind: scanned.symbology != .pdf417)
      }
    }
  }

  /// Replies with the failure of a scan. Counts it as an attempt if failures of its kind count, and
  /// if the scanner read no code of another kind. Ends a claim that cannot continue.
  private func refuse(
    _ id: UInt64, _ failure: ProofingError, _ record: ProofingRecord, _ account: Account,
    isOfOtherKind: Bool
  ) throws(WalletError) {
    var failure = failure
    var record = record
    if failure.row.errorClass == .recoverableWhileAttemptsRemain, !isOfOtherKind {
      record.noteFailedScan()
      if record.attemptsLeft == 0 { failure = .attemptsExhausted }
      try keep(record, account)
    }
    replyProofing(
      id, failure, ends: failure.row.errorClass == .irrecoverable ? .claim : nil,
      [.minimumAge: .number(Int64(record.minimumAge))])
  }

  // MARK: Row 9b

  /// Submits the evidence, waits for the verdict and receives the PID. It can be started again at
  /// any time: the idempotency key identifies a submission, and the stored record says how far it
  /// came.
  ///
  /// It runs as a background job, so a request such as an unlock interrupts it; it continues
  /// afterwards.
  func submitProofing(_ id: UInt64) {
    let isAdded = jobs.add(isBackground: true) { [self] session, job in
      do throws(WalletError) {
        try advance(id, session, job)
      } catch {
        if error.kind == .cancelled {
          if isAwaited(id) { submitProofing(id) }
        } else if let failure = error.proofingFailure(network: .proofNetwork) {
          state.withLock { state in
            guard failure == .proofInternal, state.proofing.record?.stage == .proofed else {
              return
            }
            state.proofing.isIssuanceRefused = true
          }
          replyProofing(id, failure)
        } else {
          reply(id, .failed, error.details)
        }
      }
    }
    if !isAdded { reply(id, .failed) }
  }

  private func advance(
    _ id: UInt64, _ session: WalletSession, _ job: JobQueue.Job
  ) throws(WalletError) {
    let account = try session.account(job, creating: false)
    guard var record = try account.proofing() else { return reply(id, .sessionLost) }
    if record.stage != .proofed {
      let submission = state.withLock { $0.proofing.submission }
      let status: ProofingStatus
      if let submission {
        // The record is stored before the evidence is sent, so that the provider can be asked for
        // the result whatever happens.
        record.stage = .submitted
        try keep(record, account)
        context.environment.passCrashPoint("proofing.before-submission")
        status = try account.submit(
          submission.evidence, idempotencyKey: submission.idempotencyKey, session: record.session)
      } else {
        status = try account.proofingStatus(record.session)
      }
      guard try settle(id, status, &record, account) else { return }
    }
    context.environment.passCrashPoint("proofing.before-issuance")
    try receive(id, record, account, session, job)
  }

  /// Takes in the status from the provider.
  ///
  /// - Returns: Whether the PID can be fetched now.
  private func settle(
    _ id: UInt64, _ status: ProofingStatus, _ record: inout ProofingRecord, _ account: Account
  ) throws(WalletError) -> Bool {
    // If the user would not see the end, for example because the wallet was locked meanwhile, the
    // provider is asked again later.
    guard !status.state.isEnd || isAwaited(id) else { return false }
    let (hasEvidence, wasSourceAway) = state.withLock { state in
      defer {
        state.proofing.isSourceAway = status.state == .sourceUnavailable
        // The provider has the evidence or wants other evidence.
        if status.state != .sourceUnavailable { state.proofing.submission = nil }
      }
      return (state.proofing.submission != nil, state.proofing.isSourceAway)
    }
    record.note(status, now: context.updatePolicy.providerTime)
    switch status.state {
    case .proofed:
      record.stage = .proofed
      try keep(record, account)
      return true
    case .pending:
      try keep(record, account)
      awaitDecision(id, status)
    case .waiting:
      try keep(record, account)
      replyWaiting(id, status)
    case .sourceUnavailable where hasEvidence:
      try keep(record, account)
      replyProofing(id, .proofSourceUnavailable, retryAfter: status.retryAfterMilliseconds)
    // Without the evidence, which is not kept over a lock, the source cannot be asked again.
    case .open, .resubmit, .sourceUnavailable:
      record.stage = .claimed
      try keep(record, account)
      // Together with the attempts that failed before the submission, this was the last one.
      guard record.attemptsLeft > 0 else {
        replyProofing(id, .attemptsExhausted, ends: .claim)
        return false
      }
      replyProofing(id, status.reason == .notMatched ? .proofNotMatched : .proofRescanDocument)
    // The source was unavailable until the session expired, so another code would not help. A
    // session that ended earlier was ended by another code.
    case .lapsed
    where hasEvidence && wasSourceAway && record.expiresAt <= context.updatePolicy.providerTime:
      replyProofing(id, .proofSourceUnavailable, ends: .submission, isFinal: true)
    // A user who returns is told that it took too long; one who has just scanned is told that
    // another code is needed.
    case .lapsed:
      replyProofing(id, hasEvidence ? .proofCodeExpired : .sessionLost, ends: .submission)
    case .declined:
      replyProofing(id, .proofDeclined, reference: status.reference, ends: .submission)
    case .exhausted:
      replyProofing(
        id, .attemptsExhausted, reference: status.reference,
        retryAfter: status.retryAfterMilliseconds, ends: .submission)
    }
    return false
  }

  /// Whether the outcome of work `id` is still awaited.
  private func isAwaited(_ id: UInt64) -> Bool { state.withLock { $0.engine.pending?.id == id } }

  /// Stores a record that was changed, unless its session has ended meanwhile: that is stored by the
  /// other thread of the job queue.
  private func keep(_ record: ProofingRecord, _ account: Account) throws(WalletError) {
    guard try account.proofing()?.session == record.session else { return }
    try account.keep(record)
    note(record)
  }

  /// Tells the user that another wallet may object, and until when.
  private func replyWaiting(_ id: UInt64, _ status: ProofingStatus) {
    let end = context.environment.clock.now().addingReportingOverflow(
      max(Milliseconds(clamping: status.retryAfterMilliseconds ?? 0), Self.pollPauses.lowerBound))
    var details = Details(deadline: end.overflow ? .max : end.partialValue)
    details.arguments[.reference] = status.reference.map { .text($0) }
    reply(id, .replacementWaits, details)
  }

  /// Asks the provider again after a pause. After `pendingTimeout` the user is told to come back
  /// later.
  private func awaitDecision(_ id: UInt64, _ status: ProofingStatus) {
    let now = context.environment.clock.now()
    let since = state.withLock { state in
      let since = state.proofing.pendingSince ?? now
      state.proofing.pendingSince = since
      return since
    }
    guard now &- since < Self.pendingTimeout else {
      state.withLock { $0.proofing.pendingSince = nil }
      return replyProofing(id, .proofPendingReview, reference: status.reference)
    }
    let wanted = Milliseconds(clamping: status.retryAfterMilliseconds ?? 0)
    let pause = min(max(wanted, Self.pollPauses.lowerBound), Self.pollPauses.upperBound)
    alarms.set(.proofing, at: now &+ pause) { [self] in
      if isAwaited(id) { submitProofing(id) }
    }
    context.environment.passCrashPoint("proofing.decision-awaited")
  }

  // MARK: The PID

  /// Fetches the PID, checks it and seals it in the vault. If the wallet is locked meanwhile, the
  /// PID is fetched after the next unlock.
  private func receive(
    _ id: UInt64, _ record: ProofingRecord, _ account: Account, _ session: WalletSession,
    _ job: JobQueue.Job
  ) throws(WalletError) {
    guard !context.lock.current.value.isLocked else { return }
    let keys = try account.cards.prepareKeys(
      OfferedCard.pidCopies, for: .pid, platform: context.platform, cancellation: job.cancellation)
    let answer: IssuanceAnswer
    do {
      answer = try account.issuePID(record.session, for: keys)
    } catch  where error.kind == .cardKeyLost {
      // Nothing is lost with the keys, because no PID was stored for them.
      try account.cards.giveUpPreparedKeys(.pid)
      throw WalletError(
        .bridgeFailed, "The platform has lost a key that the PID was to get; try again.")
    }
    switch answer {
    case .status(let status) where status.state == .proofed:
      reply(id, .pinNeeded)
    case .status(let status):
      var record = record
      record.stage = .submitted
      guard try settle(id, status, &record, account) else { return }
      throw WalletError(.serverRefused, "The provider accepted the proofing but issues no PID.")
    case .issued(let copies):
      guard let pid = try session.takePID(copies, keys: keys, of: account, job) else { return }
      state.withLock { state in
        state.proofing = ProofingState()
        state.hasPID = true
        state.pidExpiry = pid.expires
      }
      reply(id, .issued)
      // Those of an earlier PID.
      let tries = context.orphanTries.begun
      jobs.addUntilDone { session, job in
        session.deleteOrphansInBackground(after: tries, job)
        session.refreshCardStatuses(job)
      }
    }
  }
}

extension ProofingStatus.State {
  /// Whether this state ends the proofing.
  fileprivate var isEnd: Bool {
    switch self {
    case .declined, .exhausted, .lapsed: true
    case .open, .pending, .waiting, .proofed, .resubmit, .sourceUnavailable: false
    }
  }
}
