internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProofing
internal import WalletProtocol
internal import WalletStorage
internal import WalletUseCases

// UC3.1 6 to 11: the licence, the verdict and the PID.

extension Flows {
  /// How long the user waits for somebody else's decision.
  private static let pendingPatience: Milliseconds = 60_000
  /// The pauses between two questions for it.
  private static let pollPauses: ClosedRange<Milliseconds> = 1_000...15_000

  // MARK: Row 7

  /// Reads the licence. Its bytes live here and nowhere else.
  func readLicence(_ id: UInt64) {
    work(id, .readLicence) { flows, session, job throws(WalletError) in
      let (scanned, record) = flows.state.withLock { state in
        defer { state.scanned = nil }
        return (state.scanned, state.proofing.record)
      }
      let now = flows.context.updatePolicy.providerTime
      guard let record, record.expiresAt > now else { return flows.reply(id, .sessionLost) }
      // The last one failed, and a lock or a kill cut off the news.
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
        try flows.refuse(id, error.error, record, session.account(job, creating: false))
      }
    }
  }

  /// Counts what failed, where it counts; nothing is left of a claim that cannot go on.
  private func refuse(
    _ id: UInt64, _ failure: ProofingError, _ record: ProofingRecord, _ account: Account
  ) throws(WalletError) {
    var failure = failure
    var record = record
    if failure.row.errorClass == .recoverableWhileAttemptsRemain {
      record.noteFailedScan()
      if record.attemptsLeft == 0 { failure = .attemptsExhausted }
      try account.keep(record)
      note(record)
    }
    replyProofing(
      id, failure, ends: failure.row.errorClass == .irrecoverable ? .claim : nil,
      ["minimum_age": .number(Int64(record.minimumAge))])
  }

  // MARK: Row 9b

  /// Submits, awaits the verdict, and receives the PID. May be begun again at any time: what was sent
  /// goes by its name, and what is stored says how far it came.
  ///
  /// It gives way to whoever asks for something, an unlock say, and goes on after that.
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
        // On disk before it is sent: whatever happens then, the provider is asked what came of it.
        record.stage = .submitted
        try account.keep(record)
        note(record)
        context.world.passCrashPoint("proofing.before-submission")
        status = try account.submit(
          submission.evidence, idempotencyKey: submission.idempotencyKey, session: record.session)
      } else {
        status = try account.proofingStatus(record.session)
      }
      guard try settle(id, status, &record, account) else { return }
    }
    context.world.passCrashPoint("proofing.before-issuance")
    try receive(id, record, account, job)
  }

  /// Takes the provider's word in.
  ///
  /// - Returns: whether the PID is to be fetched.
  private func settle(
    _ id: UInt64, _ status: ProofingStatus, _ record: inout ProofingRecord, _ account: Account
  ) throws(WalletError) -> Bool {
    // An end that nobody would hear of, as of a wallet that was locked meanwhile, is asked for again.
    guard !status.state.isEnd || isAwaited(id) else { return false }
    let (hasEvidence, wasSourceAway) = state.withLock { state in
      defer {
        state.proofing.isSourceAway = status.state == .sourceUnavailable
        // The provider has what it needs, or wants something else.
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
    case .sourceUnavailable where hasEvidence:
      try keep(record, account)
      replyProofing(id, .proofSourceUnavailable, retryAfter: status.retryAfterMilliseconds)
    // Without the evidence, which nobody keeps over a lock, the source cannot be asked again.
    case .open, .resubmit, .sourceUnavailable:
      record.stage = .claimed
      try keep(record, account)
      // With those that failed before anything was sent, it was the last one.
      guard record.attemptsLeft > 0 else {
        replyProofing(id, .attemptsExhausted, ends: .claim)
        return false
      }
      replyProofing(id, status.reason == .notMatched ? .proofNotMatched : .proofRescanDocument)
    // A source that was away to the end does not answer the next code either. A session that ended
    // before its time was ended by another code.
    case .lapsed
    where hasEvidence && wasSourceAway && record.expiresAt <= context.updatePolicy.providerTime:
      replyProofing(id, .proofSourceUnavailable, ends: .submission, isFinal: true)
    // Who comes back hears that it took too long, who has just scanned that another code is needed.
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

  /// Whether the outcome of that work is still waited for.
  private func isAwaited(_ id: UInt64) -> Bool { state.withLock { $0.engine.pending?.id == id } }

  private func keep(_ record: ProofingRecord?, _ account: Account) throws(WalletError) {
    try account.keep(record)
    note(record)
  }

  /// Asks again after a while; tells the user to come back after a longer one.
  private func awaitDecision(_ id: UInt64, _ status: ProofingStatus) {
    let now = context.world.clock.now()
    let since = state.withLock { state in
      let since = state.proofing.pendingSince ?? now
      state.proofing.pendingSince = since
      return since
    }
    guard now &- since < Self.pendingPatience else {
      state.withLock { $0.proofing.pendingSince = nil }
      return replyProofing(id, .proofPendingReview, reference: status.reference)
    }
    let wanted = Milliseconds(clamping: status.retryAfterMilliseconds ?? 0)
    let pause = min(max(wanted, Self.pollPauses.lowerBound), Self.pollPauses.upperBound)
    alarms.set(.proofing, at: now &+ pause) { [self] in
      if isAwaited(id) { submitProofing(id) }
    }
    context.world.passCrashPoint("proofing.decision-awaited")
  }

  // MARK: The PID

  /// Fetches the PID, checks it and seals it in the vault. A wallet that is locked meanwhile fetches it
  /// after the unlock.
  private func receive(
    _ id: UInt64, _ record: ProofingRecord, _ account: Account, _ job: JobQueue.Job
  ) throws(WalletError) {
    guard !context.lock.current.value.isLocked else { return }
    switch try account.issuePID(record.session) {
    case .status(let status):
      var record = record
      record.stage = .submitted
      guard try settle(id, status, &record, account) else { return }
      throw WalletError(.serverRefused, "The provider has proofed and issues no PID.")
    case .issued(let text, let key):
      let issuerKey = PIDCredential.issuerKeyID(of: text)
      if !context.configuration.current.issuerKeys.contains(where: { $0.id == issuerKey }) {
        context.refresher.refreshNow(cancellation: job.abort)
      }
      let configuration = context.configuration.current
      let pid = try PIDCredential(
        issued: text, issuer: configuration.providerID, issuerKeys: configuration.issuerKeys,
        boundTo: key.subjectKey, keyIdentifier: key.identifier,
        now: context.updatePolicy.providerTime)
      let stored = try pid.stored()
      let sealed = try context.lock.withVaultKey { vaultKey throws(WalletError) in
        try SealedVaultValue(sealing: stored, name: Account.pidName, key: vaultKey)
      }
      guard let sealed else { return }
      try account.storePID(sealed, key: key)
      state.withLock { state in
        state.proofing = ProofingState()
        state.hasPID = true
      }
      reply(id, .issued)
    }
  }
}

extension ProofingStatus.State {
  /// Whether nothing of the proofing is left after it.
  fileprivate var isEnd: Bool {
    switch self {
    case .declined, .exhausted, .lapsed: true
    case .open, .pending, .proofed, .resubmit, .sourceUnavailable: false
    }
  }
}
