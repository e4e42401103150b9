internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProofing
internal import WalletProtocol
internal import WalletUseCases

// UC3.1 1 to 5: the checks and the claim of a code.

extension Flows {
  /// How far the calendar may be from the provider's time, in seconds.
  private static let allowedSkew: Int64 = 5 * 60

  // MARK: Row 1

  func checkProofing(_ id: UInt64) {
    work(id, .checkProofing) { flows, session, job throws(WalletError) in
      let record: ProofingRecord?
      do throws(WalletError) {
        record = try flows.storedProofing(session.account(job, creating: false))
      } catch {
        guard error.isOfStorage else { throw error }
        return flows.replyUnavailable(id, [.storage])
      }
      flows.note(record)
      // What was sent needs neither camera nor clock.
      if let record, record.stage != .claimed, !flows.mayReplaceSubmission {
        return flows.reply(id, .submissionPending)
      }
      let obstacles = session.proofingObstacles(job)
      flows.context.refresher.fetchUpdatePolicySoon { failure in
        flows.settleProofingCheck(id, obstacles, failure)
      }
    }
  }

  /// What is under way, or has lapsed: which of them, the provider's time tells.
  private func storedProofing(_ account: Account) throws(WalletError) -> ProofingRecord? {
    let record = try account.proofing()
    // What was sent needs no more space than it has.
    if record?.stage ?? .claimed == .claimed { try account.checkSpace() }
    return record
  }

  /// Whether there is another code while a PID that was granted is not to be had.
  private var mayReplaceSubmission: Bool {
    state.withLock {
      $0.proofing.isIssuanceRefused
        && ($0.proofing.code != nil || $0.scanned != nil || $0.link != nil)
    }
  }

  private func settleProofingCheck(
    _ id: UInt64, _ obstacles: [ProofingError], _ failure: WalletError?
  ) {
    var obstacles = obstacles
    let policy = context.updatePolicy
    if let failure {
      obstacles.append(failure.proofingObstacle)
    } else if let skew = policy.calendarSkew, skew.magnitude > Self.allowedSkew.magnitude {
      obstacles.append(.clockSkew)
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
    // What was granted stays until another claim takes its place: the code may be of no use.
    guard record.stage == .claimed else { return reply(id, isCodeKept ? .codeKept : .ready) }
    // Only now: a calendar that was wrong would have ended a claim that is alive.
    let news: [Notice] = isCodeKept ? [] : [.sessionLost]
    reply(id, isCodeKept ? .codeKept : .ready, Details(notices: news, ends: .submission))
  }

  private func replyUnavailable(_ id: UInt64, _ failures: [ProofingError]) {
    var details = Details(arguments: [
      "reasons": .text(failures.map(\.rawValue).joined(separator: ","))
    ])
    details.failure = failures.first
    reply(id, .unavailable, details)
  }

  // MARK: Row 4

  func claimCode(_ id: UInt64) {
    work(id, .claimCode) { flows, session, job throws(WalletError) in
      let code: EnrolmentCode
      switch flows.takeCode() {
      case .success(let taken): code = taken
      case .failure(let error): return flows.replyProofing(id, error)
      }
      let account = try session.account(job, creating: false)
      do throws(WalletError) {
        switch try account.claim(code.secret) {
        case .claimed(let claimed):
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

  /// The code that is to be claimed: the one that was read last. A raw scan is not kept.
  private func takeCode() -> Result<EnrolmentCode, ProofingError> {
    let hosts = context.configuration.current.proofingHosts
    let (scanned, link, kept) = state.withLock { state in
      defer { state.scanned = nil }
      return (
        state.scanned, state.proofing.usesLink ? state.link : nil, state.proofing.code
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
        // Whatever was claimed, it is not offered any more.
        state.link = nil
      }
      return .success(code)
    } catch {
      state.withLock { state in
        state.proofing.code = nil
        if state.proofing.usesLink { state.link = nil }
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

  /// Tells the engine what stands in the way, by the class of the error table.
  ///
  /// - Parameters:
  ///   - ends: What is over as soon as the user hears of it.
  ///   - isFinal: Whether it is, of a failure that might be none yet.
  func replyProofing(
    _ id: UInt64, _ failure: ProofingError, reference: String? = nil, retryAfter: UInt64? = nil,
    ends: ProofingEnd? = nil, isFinal: Bool = false, _ arguments: [String: Step.Value] = [:]
  ) {
    var details = Details(arguments: arguments, failure: failure, ends: ends)
    details.arguments["reference"] = reference.map { .text($0) }
    details.arguments["retry_after_ms"] = retryAfter.map { .number(Int64(clamping: $0)) }
    let outcome: Outcome =
      switch failure.row.errorClass {
      case _ where isFinal: .irrecoverable
      case .irrecoverable: .irrecoverable
      case .pending: .pendingReview
      case .recoverable, .recoverableWhileAttemptsRemain, .recoverableUntilDeadline: .recoverable
      }
    reply(id, outcome, details)
  }

  /// Remembers what the store says of the proofing.
  func note(_ record: ProofingRecord?) { state.withLock { $0.proofing.note(record) } }

  /// Forgets a session that is over for the provider as well. Quiet: what stays is asked for again.
  func forgetRecord() {
    endSession("The end of a proofing could not be kept", isReleased: false) { $0.note(nil) }
  }

  /// Gives the claim back; the session ends on both sides. Quiet: the user has gone on.
  func releaseClaim() {
    endSession("The claim could not be given back; it lapses", isReleased: true) {
      $0 = ProofingState()
    }
  }

  private func endSession(
    _ complaint: String, isReleased: Bool, _ forget: (inout ProofingState) -> Void
  ) {
    let ended = state.withLock { state -> String? in
      defer { forget(&state.proofing) }
      return state.proofing.record?.session
    }
    guard let ended else { return }
    jobs.add { [log = context.log] session, job in
      do throws(WalletError) {
        let account = try session.account(job, creating: false)
        // Of this very session: another one may have begun.
        if try account.proofing()?.session == ended { try account.keep(nil) }
        if isReleased { try account.releaseClaim(ended) }
      } catch {
        log(.info, "proofing", "\(complaint): \(error.message)")
      }
    }
  }
}

extension WalletSession {
  /// What of this device stands in the way of a proofing.
  func proofingObstacles(_ job: JobQueue.Job) -> [ProofingError] {
    var obstacles: [ProofingError] = []
    // A bridge without this function, or one that fails, does not know better than the scanner.
    let camera = try? context.platform.perform(.cameraState, cancellation: job.cancellation)
    switch camera?.disclosed() {
    case [0]: obstacles.append(.cameraMissing)
    case [2]: obstacles.append(.cameraDenied)
    default: break
    }
    let security = try? context.platform.perform(.deviceSecure, cancellation: job.cancellation)
    if let security, security.disclosed() != [1] { obstacles.append(.integrity) }
    return obstacles
  }
}

extension Details {
  /// What the user confirms before a licence is read.
  init(_ record: ProofingRecord) {
    self.init(arguments: [
      "account_label": .text(record.accountLabel),
      "minimum_age": .number(Int64(record.minimumAge)),
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

  /// What a fetch that failed says to stand in the way of a proofing. What was fetched is written down:
  /// where only that failed, the provider is not to blame.
  var proofingObstacle: ProofingError {
    if isOfStorage { return .storage }
    return kind == .noInternet ? .offline : .serviceDown
  }

  /// What it is in the error table; nil where it is none of its business.
  func proofingFailure(network: ProofingError) -> ProofingError? {
    switch kind {
    case .noInternet, .serverUnreachable, .transportMissing: network
    case .serverRefused: .proofInternal
    default: nil
    }
  }
}
