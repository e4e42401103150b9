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

  private struct State: Sendable {
    var policy: UpdatePolicyEvaluation?
    var compact: String?
    var time = ProviderTime()
    /// The time that `valid_until` is compared with.
    var validity = ValidityTime()
    var published = VersionState.ok
    var version: UInt64 = 1
    var directory: StorageDirectory?
  }

  private let anchor: ConfigurationAnchor
  private let appVersion: AppVersion
  private let environment: SystemEnvironment
  private let log: Log
  private let state = Monitor(State())
  private let turn = WritingTurn()
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
      state.time.start(now, signed: claims.issuedAt, at: environment.clock.now())
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
      return state.time.lastAnswer == nil ? state.time.now(at: now) : state.time.signed(at: now)
    }
    return time ?? environment.calendarSeconds()
  }

  /// Moves the time forward to that of the device's calendar, unless the provider has answered with the
  /// nonce of a request in this process. So a wallet that runs for long knows what it would know after
  /// a restart, such as that a card has expired.
  public func followCalendar() {
    let calendar = environment.calendarSeconds()
    state.withLock { state in
      let now = environment.clock.now()
      guard state.policy != nil, state.time.lastAnswer == nil,
        calendar > state.time.now(at: now)
      else { return }
      state.time.start(calendar, signed: state.time.signed(at: now), at: now)
    }
    _ = current
  }

  /// Whether the provider has answered in this process with the nonce of a request, so that
  /// `providerTime` does not depend on the device's calendar.
  public var hasAnswer: Bool { state.withLock { $0.time.lastAnswer != nil } }

  /// The seconds by which the device's calendar is surely ahead of the provider's time; nil before the
  /// first answer with the nonce of its request in this process.
  ///
  /// A difference that the answer's time on its way can explain is no skew.
  public var calendarSkew: Int64? {
    guard let answer = state.withLock({ $0.time.lastAnswer }) else { return nil }
    let now = environment.clock.now()
    let calendar = environment.calendarSeconds()
    let nearest = min(max(calendar, answer.earliest(at: now)), answer.latest(at: now))
    let (skew, overflow) = calendar.subtractingReportingOverflow(nearest)
    return overflow ? .max : skew
  }

  /// The milliseconds until the state changes by time alone; nil if it never does.
  var untilNextChange: Milliseconds? {
    state.withLock { state in
      let now = state.time.now(at: environment.clock.now())
      return state.policy?.nextChange(of: appVersion, after: now).map { next in
        let seconds = next.subtractingReportingOverflow(now).partialValue
        return min(max(seconds, 1), 7 * 24 * 60 * 60) * 1000
      }
    }
  }

  /// Reads the file of an earlier run. An unreadable file is ignored, and so is any if the provider has
  /// answered already with the nonce of a request: the file and the calendar know nothing better.
  public func load(from directory: StorageDirectory) {
    let calendar = environment.calendarSeconds()
    let isStorable = turn.whileTaken { () -> Bool in
      let stored = stored(in: directory)
      return state.withLock { state in
        state.directory = directory
        if let (stored, claims) = stored { merge(stored, claims, calendar: calendar, &state) }
        // A policy that was fetched before the directory was known is not stored yet.
        return stored != nil || state.compact != anchor.embeddedPolicy
      }
    }
    _ = current
    if isStorable { keepTime() }
  }

  private func stored(
    in directory: StorageDirectory
  ) -> (StoredUpdatePolicy, UpdatePolicyClaims)? {
    guard let bytes = try? directory.readFile(Self.fileName, limit: 512 * 1024) else { return nil }
    guard let stored = try? WireJSON.decode(StoredUpdatePolicy.self, from: bytes).plausible,
      let claims = try? anchor.verifyPolicy(stored.policy)
    else {
      log(.warning, "update-policy", "The stored update policy is unreadable.")
      return nil
    }
    return (stored, claims)
  }

  private func merge(
    _ stored: StoredUpdatePolicy, _ claims: UpdatePolicyClaims, calendar: Int64,
    _ state: inout State
  ) {
    guard state.time.lastAnswer == nil else { return }
    let signed = max(stored.signed ?? 0, claims.issuedAt)
    let latest = max(stored.latest, signed, calendar)
    let now = environment.clock.now()
    let (time, signedTime) = (state.time.now(at: now), state.time.signed(at: now))
    // If an updated app embeds a newer policy than the stored one, the embedded one stays. The
    // time never goes back.
    if (state.policy?.claims.issuedAt ?? .min) <= claims.issuedAt {
      state.policy = UpdatePolicyEvaluation(claims: claims)
      state.compact = stored.policy
    }
    state.time.start(max(time, latest), signed: max(signedTime, signed), at: now)
    state.validity.raise(to: max(stored.validity ?? latest, latest), at: now)
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
    let isProven = claims.nonce == request.nonce
    if !isProven {
      log(
        .warning, "update-policy",
        "A fetched update policy lacks the nonce of its request and tells no time. "
          + "A proxy may drop the header \(Route.nonceHeader).")
    }
    switch take(claims, compact, sentAt: isProven ? request.sentAt : nil) {
    case .refused(let reason):
      log(.warning, "update-policy", "A fetched update policy is \(reason); ignored.")
      return false
    case .taken(let isOther, let changed):
      if let changed { onChange(changed) }
      // The policy is in force before it is stored: a full disk must not keep a block from taking
      // effect.
      if isOther { try store() }
      return true
    }
  }

  private enum Taken {
    case refused(String)
    /// Whether it is another policy than the one before, and the state if it is to be announced.
    case taken(isOther: Bool, Versioned<VersionState>?)
  }

  /// Judges a policy and puts it in force, in one step: what is known may change at any moment.
  ///
  /// - Parameter sentAt: When the request was sent whose nonce the policy has; nil if it has none.
  private func take(
    _ claims: UpdatePolicyClaims, _ compact: String, sentAt: Milliseconds?
  ) -> Taken {
    state.withLock { state in
      let now = environment.clock.now()
      let known = state.policy?.claims
      if let sentAt {
        // An answer with the nonce is no replay, so it counts even if it is older than the known
        // policy: the provider's clock was ahead before.
        state.validity.prove(claims.issuedAt, at: sentAt)
      } else {
        if let known, claims.issuedAt < known.issuedAt {
          return .refused("older than the known one")
        }
        if state.time.contradicts(claims.issuedAt, at: now) { return .refused("of a later time") }
        state.validity.raise(to: claims.issuedAt, at: now)
      }
      state.time.take(claims.issuedAt, isNew: claims != known, sentAt: sentAt, at: now)
      state.policy = UpdatePolicyEvaluation(claims: claims)
      state.compact = compact
      let value = evaluate(&state)
      let isNews = (known?.rules ?? []) != claims.rules || !value.isSameGrade(as: state.published)
      if isNews { announce(value, &state) }
      return .taken(
        isOther: claims != known, isNews ? Versioned(value, version: state.version) : nil)
    }
  }

  /// Stores the current time, so that it does not go back if the device's calendar is set back
  /// later.
  func keepTime() {
    do throws(WalletError) { try store() } catch {
      log(.info, "update-policy", "The time could not be stored: \(error.message)")
    }
  }

  /// Writes the policy and the times, if there is a policy and the directory is known.
  private func store() throws(WalletError) {
    let calendar = environment.calendarSeconds()
    try turn.whileTaken { () throws(WalletError) in
      // Read when the turn has come, so that no older state overwrites a newer one.
      let stored = state.withLock { state -> (StoredUpdatePolicy, StorageDirectory)? in
        guard let compact = state.compact, let directory = state.directory else { return nil }
        let now = environment.clock.now()
        return (
          StoredUpdatePolicy(
            policy: compact, latest: state.time.now(at: now), signed: state.time.signed(at: now),
            validity: state.validity.now(at: now, calendar: calendar)),
          directory
        )
      }
      guard let (note, directory) = stored else { return }
      guard let file = try? WireJSON.encode(note) else {
        throw WalletError(.internalDefect, "The update policy could not be encoded.")
      }
      try directory.replaceFile(Self.fileName, with: file)
    }
  }

  private func evaluate(_ state: inout State) -> VersionState {
    state.policy?.state(of: appVersion, now: state.time.now(at: environment.clock.now())) ?? .ok
  }

  private func announce(_ value: VersionState, _ state: inout State) {
    state.published = value
    state.version += 1
  }
}
