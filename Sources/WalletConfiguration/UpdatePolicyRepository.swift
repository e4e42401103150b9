internal import WalletCrypto
public import WalletModel
public import WalletPlatform
internal import WalletProtocol
public import WalletStorage

/// The update policy in force for this app version: the last one that was verified. It is stored on
/// disk, so that an offline start neither forgets a block nor stops an allowed wallet.
///
/// The policy is judged by the provider's time: the time in the policy plus what has passed since,
/// on a clock that also runs while the device sleeps. At a start, and at an unlock before the
/// provider has answered with the nonce of a request, the device's calendar may move this time forward,
/// but never back.
public final class UpdatePolicyRepository: Sendable {
  /// The name of the file in the storage path. The file outlives a wipe.
  public static let fileName = "update-policy.json"
  /// Seconds by which two right clocks may differ.
  private static let tolerance: Int64 = 10

  private struct ProvenAnswer: Sendable {
    let issuedAt: Int64
    /// The readings of the clock when the request was sent and when the answer came.
    let sentAt: Milliseconds
    let receivedAt: Milliseconds
  }

  private struct State: Sendable {
    var policy: UpdatePolicyEvaluation?
    var compact: String?
    /// The provider's time when the clock showed `since`, in seconds since 1970.
    var time: Int64 = 0
    /// Like `time`, but without what the device's calendar added.
    var signedTime: Int64 = 0
    /// The time that `valid_until` is compared with.
    var validity = ValidityTime()
    var since: Milliseconds = 0
    /// The highest reading of the clock. A clock that goes back has no effect.
    var highest = Milliseconds.min
    /// The last answer with the nonce of its request.
    var lastAnswer: ProvenAnswer?
    var published = VersionState.ok
    var version: UInt64 = 1
    var directory: StorageDirectory?

    mutating func start(time: Int64, signedTime: Int64, at now: Milliseconds) {
      self.time = time
      self.signedTime = signedTime
      since = now
      highest = now
    }

    mutating func time(at now: Milliseconds) -> Int64 {
      policy == nil ? 0 : Self.sum(time, elapsed(now))
    }

    mutating func signedTime(at now: Milliseconds) -> Int64 {
      policy == nil ? 0 : Self.sum(signedTime, elapsed(now))
    }

    static func sum(_ time: Int64, _ elapsed: Int64) -> Int64 {
      let (sum, overflows) = time.addingReportingOverflow(elapsed)
      return overflows ? .max : sum
    }

    /// Seconds since `since`.
    private mutating func elapsed(_ now: Milliseconds) -> Int64 {
      highest = max(highest, now)
      return Self.seconds(from: since, to: highest)
    }

    static func seconds(from start: Milliseconds, to end: Milliseconds) -> Int64 {
      let (passed, overflows) = end.subtractingReportingOverflow(start)
      return overflows ? 0 : max(0, passed) / 1000
    }
  }

  private let anchor: ConfigurationAnchor
  private let appVersion: AppVersion
  private let environment: SystemEnvironment
  private let log: Log
  private let state = Monitor(State())
  private let onChange: @Sendable (Versioned<VersionState>) -> Void

  /// - Parameter onChange: Called with no lock held when the grade changes or a new policy arrives.
  public init(
    anchor: ConfigurationAnchor, appVersion: AppVersion, environment: SystemEnvironment, log: Log,
    onChange: @escaping @Sendable (Versioned<VersionState>) -> Void
  ) {
    self.anchor = anchor
    self.appVersion = appVersion
    self.environment = environment
    self.log = log
    self.onChange = onChange
    guard let compact = anchor.embeddedPolicy, let claims = try? anchor.verifyPolicy(compact) else {
      return
    }
    let now = max(claims.issuedAt, environment.calendarSeconds())
    state.withLock { state in
      state.policy = UpdatePolicyEvaluation(claims: claims)
      state.compact = compact
      state.start(time: now, signedTime: claims.issuedAt, at: environment.clock.now())
      state.validity.raise(to: now, at: environment.clock.now())
      state.published = evaluate(&state)
    }
  }

  /// The current state, with the version of its last announced change. Announces a change that was
  /// caused by time.
  public var current: Versioned<VersionState> {
    let (current, changed) = state.withLock { state in
      let value = evaluate(&state)
      let isChange = !value.isSameGrade(as: state.published)
      if isChange { announce(value, &state) }
      return (Versioned(value, version: state.version), isChange)
    }
    if changed { onChange(current) }
    return current
  }

  /// Whether a verified policy is known.
  public var isKnown: Bool { state.withLock { $0.policy != nil } }

  /// The provider's time in seconds since 1970: the time in the last policy plus what has passed
  /// since. If no policy is known, the time of the device's calendar.
  ///
  /// Time that the device's calendar added counts only until the provider answers. An answer without
  /// the nonce of its request may be an old one, and tells no time.
  public var providerTime: Int64 {
    let now = environment.clock.now()
    let time = state.withLock { state -> Int64? in
      guard state.policy != nil else { return nil }
      return state.lastAnswer == nil ? state.time(at: now) : state.signedTime(at: now)
    }
    return time ?? environment.calendarSeconds()
  }

  /// Moves the time forward to that of the device's calendar, unless the provider has answered with the
  /// nonce of a request in this process. So a wallet that runs for long knows what it would know after a restart, such as
  /// that a card has expired.
  public func followCalendar() {
    let calendar = environment.calendarSeconds()
    state.withLock { state in
      let now = environment.clock.now()
      guard state.policy != nil, state.lastAnswer == nil, calendar > state.time(at: now) else {
        return
      }
      state.start(time: calendar, signedTime: state.signedTime(at: now), at: now)
    }
    _ = current
  }

  /// Whether the provider has answered in this process with the nonce of a request, so that
  /// `providerTime` does not depend on the device's calendar.
  public var hasAnswer: Bool { state.withLock { $0.lastAnswer != nil } }

  /// The seconds by which the device's calendar is surely ahead of the provider's time; nil before the
  /// first answer with the nonce of its request in this process.
  ///
  /// The provider wrote its answer at some time between the request and its arrival. What that time
  /// may explain is no skew.
  public var calendarSkew: Int64? {
    guard let answer = state.withLock({ $0.lastAnswer }) else { return nil }
    let now = environment.clock.now()
    let earliest = State.sum(answer.issuedAt, State.seconds(from: answer.receivedAt, to: now))
    let latest = State.sum(answer.issuedAt, State.seconds(from: answer.sentAt, to: now))
    let calendar = environment.calendarSeconds()
    let nearest = min(max(calendar, earliest), latest)
    let (skew, overflow) = calendar.subtractingReportingOverflow(nearest)
    return overflow ? .max : skew
  }

  /// The milliseconds until the state changes by time alone; nil if it never does.
  var untilNextChange: Milliseconds? {
    state.withLock { state in
      let now = state.time(at: environment.clock.now())
      return state.policy?.nextChange(of: appVersion, after: now).map { next in
        let seconds = next.subtractingReportingOverflow(now).partialValue
        return min(max(seconds, 1), 7 * 24 * 60 * 60) * 1000
      }
    }
  }

  /// Reads the file of an earlier run. An unreadable file is ignored.
  public func load(from directory: StorageDirectory) {
    state.withLock { $0.directory = directory }
    guard let bytes = try? directory.readFile(Self.fileName, limit: 512 * 1024) else { return }
    guard let stored = try? WireJSON.decode(StoredUpdatePolicy.self, from: bytes).plausible,
      let claims = try? anchor.verifyPolicy(stored.policy)
    else {
      log(.warning, "update-policy", "The stored update policy is unreadable.")
      return
    }
    let signed = max(stored.signed ?? 0, claims.issuedAt)
    let latest = max(stored.latest, signed, environment.calendarSeconds())
    let validity = max(stored.validity ?? latest, latest)
    state.withLock { state in
      let now = environment.clock.now()
      let (time, signedTime) = (state.time(at: now), state.signedTime(at: now))
      // If an updated app embeds a newer policy than the stored one, the embedded one stays. The
      // time never goes back.
      if (state.policy?.claims.issuedAt ?? .min) <= claims.issuedAt {
        state.policy = UpdatePolicyEvaluation(claims: claims)
        state.compact = stored.policy
      }
      state.start(time: max(time, latest), signedTime: max(signedTime, signed), at: now)
      state.validity.raise(to: validity, at: now)
    }
    _ = current
    keepTime()
  }

  /// A request for the policy. An answer with its nonce is not a replay.
  struct PolicyRequest: Sendable {
    let nonce: String
    /// When it was sent, by the clock that includes sleep.
    let sentAt: Milliseconds
  }

  /// A request to send now.
  func request() -> PolicyRequest {
    PolicyRequest(
      nonce: Base64URL.encode(Random.bytes(Route.nonceLength)), sentAt: environment.clock.now())
  }

  /// Whether neither `claims` nor the policy has expired, and the policy names `claims` by `hash`
  /// or names an older configuration.
  func vouches(for claims: ConfigurationClaims, hash: String) -> Bool {
    let calendar = environment.calendarSeconds()
    return state.withLock { state in
      let now = state.validity.now(at: environment.clock.now(), calendar: calendar)
      guard let policy = state.policy?.claims, let version = policy.configurationVersion,
        let policyEnd = policy.validUntil, let configurationEnd = claims.validUntil,
        now < policyEnd, now < configurationEnd
      else { return false }
      return claims.configurationVersion > version
        || claims.configurationVersion == version && hash == policy.configurationHash
    }
  }

  /// Accepts a fetched policy if it is verified and either contains the nonce of `request` or is not
  /// older than the one in force and not of a time that a proven answer contradicts.
  ///
  /// - Parameter request: The request that the policy answers.
  /// - Returns: Whether the fetched policy is in force now.
  func accept(_ compact: String, answering request: PolicyRequest) throws(WalletError) -> Bool {
    guard let claims = try? anchor.verifyPolicy(compact) else {
      log(.warning, "update-policy", "A fetched update policy does not verify; ignored.")
      return false
    }
    let (known, proven, directory) = state.withLock { state in
      (
        state.policy?.claims,
        state.lastAnswer == nil ? nil : state.signedTime(at: environment.clock.now()),
        state.directory
      )
    }
    let isProven = claims.nonce == request.nonce
    if !isProven {
      log(
        .warning, "update-policy",
        "A fetched update policy lacks the nonce of its request and tells no time. "
          + "A proxy may drop the header \(Route.nonceHeader).")
    }
    // An answer with the nonce is no replay, so it counts even if it is older than the known
    // policy: the provider's clock was ahead before.
    if let known, claims.issuedAt < known.issuedAt, !isProven {
      log(
        .warning, "update-policy", "A fetched update policy is older than the known one; ignored.")
      return false
    }
    // It was written while the provider's clock was ahead.
    if let proven, !isProven, claims.issuedAt > State.sum(proven, Self.tolerance) {
      log(.warning, "update-policy", "A fetched update policy is of a later time; ignored.")
      return false
    }
    let calendar = environment.calendarSeconds()
    let (note, changed) = state.withLock {
      state -> (StoredUpdatePolicy, Versioned<VersionState>?) in
      let now = environment.clock.now()
      if isProven {
        state.validity.prove(claims.issuedAt, at: request.sentAt)
      } else {
        state.validity.raise(to: claims.issuedAt, at: now)
      }
      let isNew = (state.policy?.claims.rules ?? []) != claims.rules
      // A delayed policy does not turn the time back. An answer with the nonce shows that a provider's
      // clock was ahead, if the known time is later than it can be: the answer was on its way no
      // longer than since its request.
      var signed = state.signedTime(at: now)
      if isProven || state.lastAnswer == nil { signed = max(claims.issuedAt, signed) }
      // What the calendar added counts as long as no answer with the nonce contradicts it.
      var time = max(signed, state.time(at: now))
      if isProven {
        let age = State.seconds(from: request.sentAt, to: now)
        let latest = State.sum(claims.issuedAt, age)
        if signed > State.sum(latest, Self.tolerance) { signed = latest }
        time = max(signed, min(state.time(at: now), latest))
        state.lastAnswer = ProvenAnswer(
          issuedAt: claims.issuedAt, sentAt: request.sentAt, receivedAt: now)
      }
      state.policy = UpdatePolicyEvaluation(claims: claims)
      state.compact = compact
      if isProven || claims != known { state.start(time: time, signedTime: signed, at: now) }
      let note = StoredUpdatePolicy(
        policy: compact, latest: state.time(at: now), signed: state.signedTime(at: now),
        validity: state.validity.now(at: now, calendar: calendar))
      let value = evaluate(&state)
      guard isNew || !value.isSameGrade(as: state.published) else { return (note, nil) }
      announce(value, &state)
      return (note, Versioned(value, version: state.version))
    }
    if let changed { onChange(changed) }
    // The policy is in force before it is stored: a full disk must not keep a block from taking
    // effect.
    if let directory, claims != known {
      try Self.write(note, to: directory)
    }
    return true
  }

  /// Stores the current time, so that it does not go back if the device's calendar is set back
  /// later.
  func keepTime() {
    let calendar = environment.calendarSeconds()
    let stored = state.withLock { state -> (StoredUpdatePolicy, StorageDirectory)? in
      guard let compact = state.compact, let directory = state.directory else { return nil }
      let now = environment.clock.now()
      return (
        StoredUpdatePolicy(
          policy: compact, latest: state.time(at: now), signed: state.signedTime(at: now),
          validity: state.validity.now(at: now, calendar: calendar)),
        directory
      )
    }
    guard let (note, directory) = stored else { return }
    do { try Self.write(note, to: directory) } catch {
      log(.info, "update-policy", "The time could not be stored: \(error.message)")
    }
  }

  private static func write(_ stored: StoredUpdatePolicy, to directory: StorageDirectory)
    throws(WalletError)
  {
    guard let file = try? WireJSON.encode(stored) else {
      throw WalletError(.internalDefect, "The update policy could not be encoded.")
    }
    try directory.replaceFile(fileName, with: file)
  }

  private func evaluate(_ state: inout State) -> VersionState {
    state.policy?.state(of: appVersion, now: state.time(at: environment.clock.now())) ?? .ok
  }

  private func announce(_ value: VersionState, _ state: inout State) {
    state.published = value
    state.version += 1
  }
}
