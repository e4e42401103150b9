internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProofing
internal import WalletProtocol
internal import WalletUseCases

// UC3.1 rows 1 to 5: the checks before an identity proofing and the claim of an enrolment code.

extension Flows {
  /// The largest allowed difference between the device's calendar and the provider's time, in
  /// seconds.
  private static let allowedSkew: Int64 = 5 * 60

  // MARK: Row 1

  func checkProofing(_ id: UInt64) {
    // The job reads only this device, and the policy is fetched by another thread. So it never
    // waits behind a PIN that the provider does not answer.
    work(id, .checkProofing, .localQuery) { flows, session, job throws(WalletError) in
      let record: ProofingRecord?
      do throws(WalletError) {
        record = try flows.storedProofing(session.account(job, creating: false))
      } catch {
        guard error.isOfStorage else { throw error }
        return flows.replyUnavailable(id, [.storage])
      }
      flows.note(record)
      // A proofing that was submitted needs neither camera nor clock.
      if let record, record.stage != .claimed, !flows.mayReplaceSubmission {
        return flows.reply(id, .submissionPending)
      }
      let obstacles = session.proofingObstacles(job)
      flows.context.refresher.fetchUpdatePolicySoon { failure in
        flows.settleProofingCheck(id, obstacles, failure)
      }
    }
  }

  /// The stored proofing. It is under way or has lapsed; the provider's time decides which.
  private func storedProofing(_ account: Account) throws(WalletError) -> ProofingRecord? {
    var record = try account.proofing()
    // If the user has left the proofing, a job deletes its record; that job may still wait for its
    // turn.
    let ended = state.withLock { $0.endedSessions }
    if let session = record?.session, ended[session] != nil { record = nil }
    // A proofing that was submitted needs no further space.
    if record?.stage ?? .claimed == .claimed { try account.checkSpace() }
    return record
  }

  /// Whether another code is available after the provider refused to issue the PID that it had
  /// granted.
  private var mayReplaceSubmission: Bool {
    state.withLock {
      $0.proofing.isIssuanceRefused
        && ($0.proofing.code != nil || $0.scanned != nil || $0.links.enrolment != nil)
    }
  }

  private func settleProofingCheck(
    _ id: UInt64, _ obstacles: [ProofingError], _ failure: WalletError?
  ) {
    var obstacles = obstacles
    let policy = context.updatePolicy
    if let failure {
      obstacles.append(failure.proofingObstacle)
    } else if let skew = policy.calendarSkew {
      if skew.magnitude > Self.allowedSkew.magnitude { obstacles.append(.clockSkew) }
    } else {
      // The answer may be an old one. Whether a claim has lapsed is judged by the provider's time.
      obstacles.append(.serviceDown)
    }
    if !policy.current.value.isAllowed { obstacles.append(.updateRequired) }
    guard obstacles.isEmpty else { return replyUnavailable(id, obstacles) }
    let now = policy.providerTime
    let (record, isClaimed, isCodeKept) = state.withLock { state in
      (
        state.proofing.record, state.proofing.fact(now: now) == .claimed,
        state.proofing.code != nil || state.scanned != nil
      )
    }
    guard let record else { return reply(id, isCodeKept ? .codeKept : .ready) }
    if isClaimed { return reply(id, .claimAlive, Details(record)) }
    // A granted proofing stays until another claim replaces it, because the new code may turn out
    // to be unusable.
    guard record.stage == .claimed else { return reply(id, isCodeKept ? .codeKept : .ready) }
    // The session is ended only here, after the policy was fetched: before, a wrong calendar could
    // have ended a valid claim.
    let news: [Notice] = isCodeKept ? [] : [.sessionLost]
    reply(id, isCodeKept ? .codeKept : .ready, Details(notices: news, ends: .submission))
  }

  private func replyUnavailable(_ id: UInt64, _ failures: [ProofingError]) {
    var details = Details(arguments: [
      .reasons: .text(failures.map(\.rawValue).joined(separator: ","))
    ])
    details.failure = failures.first
    reply(id, .unavailable, details)
  }

  // MARK: Row 4

  func claimCode(_ id: UInt64) {
    work(id, .claimCode) { flows, session, job throws(WalletError) in
      let code: EnrolmentCode
      let isOfOtherKind = flows.state.withLock { state in
        state.scanned.map { $0.symbology != .qrCode } ?? false
      }
      switch flows.takeCode() {
      case .success(let taken): code = taken
      case .failure(let error):
        return flows.replyProofing(id, error, isOfOtherKind: isOfOtherKind)
      }
      let account = try session.account(job, creating: false)
      // An end that is stored later would end a new claim of the same session.
      try flows.storeEnds(account)
      do throws(WalletError) {
        // First, because a later release would end the new claim of the same code.
        try account.releaseOwedClaims()
        switch try account.claim(code.secret) {
        case .claimed(let claimed):
          try account.forgetOwedRelease(of: claimed.id)
          let record = ProofingRecord(claimed, now: flows.context.updatePolicy.providerTime)
          try account.keep(record)
          flows.note(record)
          flows.reply(id, .claimed, Details(record))
        case .refused(let refusal): flows.replyRefused(id, refusal)
        }
      } catch {
        guard let failure = error.proofingFailure(network: .codeNetwork) else { throw error }
        flows.replyProofing(id, failure)
      }
    }
  }

  /// Returns the code to claim, which is the one that was read last. A raw scan is not kept.
  private func takeCode() -> Result<EnrolmentCode, ProofingError> {
    let hosts = context.configuration.current.proofingHosts
    let (scanned, link, kept) = state.withLock { state in
      defer { state.scanned = nil }
      return (
        state.scanned, state.proofing.usesLink ? state.links.enrolment : nil, state.proofing.code
      )
    }
    do throws(ProofingError) {
      let code: EnrolmentCode
      if let scanned {
        code = try scanned.bytes.withBytes { bytes throws(ProofingError) in
          try EnrolmentCode(scanned: bytes, symbology: scanned.symbology, hosts: hosts)
        }
      } else if let kept {
        code = kept
      } else if let link {
        code = try link.withBytes { bytes throws(ProofingError) in
          try EnrolmentCode(link: bytes, hosts: hosts)
        }
      } else {
        throw .codeUnreadable
      }
      state.withLock { state in
        state.proofing.code = code
        state.proofing.usesLink = false
        // Whichever code is claimed, the link is no longer offered.
        state.links.forgetOpenedEnrolment()
      }
      return .success(code)
    } catch {
      state.withLock { state in
        state.proofing.code = nil
        if state.proofing.usesLink { state.links.forgetOpenedEnrolment() }
        state.proofing.usesLink = false
      }
      return .failure(error)
    }
  }

  private func replyRefused(_ id: UInt64, _ refusal: CodeRefusal) {
    let failure: ProofingError =
      switch refusal.reason {
      case .invalid: .codeExpired
      case .claimedElsewhere: .codeClaimedElsewhere
      case .accountFinal: .codeAccountFinal
      case .rateLimited: .codeRateLimited
      }
    replyProofing(
      id, failure, reference: refusal.reference, retryAfter: refusal.retryAfterMilliseconds)
  }

  // MARK: Answers

  /// Replies to the engine with a failure, whose outcome follows from its class in the error table.
  ///
  /// - Parameters:
  ///   - ends: What ends once the user has seen the failure.
  ///   - isFinal: Whether a failure that is usually recoverable is final this time.
  ///   - isOfOtherKind: Whether the scanner read a code of another kind than its own.
  func replyProofing(
    _ id: UInt64, _ failure: ProofingError, reference: String? = nil, retryAfter: UInt64? = nil,
    ends: ProofingEnd? = nil, isFinal: Bool = false, isOfOtherKind: Bool = false,
    _ arguments: [StepArgument: Step.Value] = [:]
  ) {
    var details = Details(arguments: arguments, failure: failure, ends: ends)
    details.isOfOtherKind = isOfOtherKind
    details.arguments[.reference] = reference.map { .text($0) }
    details.arguments[.retryAfter] = retryAfter.map { .number(Int64(clamping: $0)) }
    let outcome: Outcome =
      switch failure.row.errorClass {
      case _ where isFinal: .irrecoverable
      case .irrecoverable: .irrecoverable
      case .pending: .pendingReview
      case .recoverable, .recoverableWhileAttemptsRemain, .recoverableUntilDeadline: .recoverable
      }
    reply(id, outcome, details)
  }

  /// Takes over the stored record of the proofing.
  func note(_ record: ProofingRecord?) { state.withLock { $0.proofing.note(record) } }

  /// Forgets a session that has ended at the provider too. A failure is only logged, because the
  /// provider is asked again about a record that stays.
  func forgetRecord() {
    endSession("The end of a proofing could not be stored", .submission) { $0.note(nil) }
  }

  /// Releases the claim: at once on this device, and in the background at the provider, because the
  /// user has moved on.
  func releaseClaim() {
    endSession("The end of the claim could not be stored", .claim) { $0 = ProofingState() }
  }

  /// Ends the session on this device, which needs no network: a kill must not bring back what the
  /// user has left, however long the provider is silent.
  private func endSession(
    _ message: String, _ end: ProofingEnd, _ forget: (inout ProofingState) -> Void
  ) {
    let ended = state.withLock { state -> String? in
      defer { forget(&state.proofing) }
      let ended = state.proofing.record?.session
      if let ended { state.endedSessions[ended] = end }
      return ended
    }
    guard let ended else { return }
    jobs.add(needs: .device) { [self] session, job in
      // The same session may be claimed once more.
      defer { state.withLock { $0.endedSessions[ended] = nil } }
      context.attempt("proofing", message) { () throws(WalletError) in
        try storeEnds(session.account(job, creating: false))
        if end == .claim { WalletSession.releaseOwedClaims(by: jobs) }
      }
    }
  }

  /// Stores the ends of sessions that are not stored yet.
  private func storeEnds(_ account: Account) throws(WalletError) {
    for (session, end) in state.withLock({ $0.endedSessions }) {
      switch end {
      case .claim: try account.leaveClaim(session)
      // Only the record of this session is deleted, because another one may have started.
      case .submission:
        if try account.proofing()?.session == session { try account.keep(nil) }
      }
      state.withLock { $0.endedSessions[session] = nil }
    }
  }
}

extension WalletSession {
  /// The properties of this device that prevent a proofing.
  func proofingObstacles(_ job: JobQueue.Job) -> [ProofingError] {
    var obstacles: [ProofingError] = []
    // If the bridge lacks this function or fails, the scanner itself will find out.
    let camera = try? context.platform.perform(.cameraState, cancellation: job.cancellation)
    switch camera?.disclosed() {
    case [0]: obstacles.append(.cameraMissing)
    case [2]: obstacles.append(.cameraDenied)
    default: break
    }
    let security = try? context.platform.perform(.deviceSecure, cancellation: job.cancellation)
    // Any other reply than 0 or 1 is the host's mistake, which a registration names.
    if let security, security.disclosed() == [0] { obstacles.append(.integrity) }
    return obstacles
  }
}

extension Details {
  /// The details that the user confirms before a licence is read.
  init(_ record: ProofingRecord) {
    self.init(arguments: [
      .accountLabel: .text(record.accountLabel),
      .minimumAge: .number(Int64(record.minimumAge)),
    ])
  }
}

extension WalletError {
  fileprivate var isOfStorage: Bool {
    switch kind {
    case .storageUnavailable, .storageFull, .storageCorrupt, .storageInUse, .storageKeyLost: true
    default: false
    }
  }

  /// The obstacle to a proofing that a failed fetch means. The fetched policy is also stored; if
  /// only that failed, the provider is not the cause.
  var proofingObstacle: ProofingError {
    if isOfStorage { return .storage }
    return kind == .noInternet ? .offline : .serviceDown
  }

  /// The entry of the error table for this error; nil if it has none.
  func proofingFailure(network: ProofingError) -> ProofingError? {
    switch kind {
    case .noInternet, .serverUnreachable, .transportMissing: network
    case .serverRefused: .proofInternal
    default: nil
    }
  }
}
