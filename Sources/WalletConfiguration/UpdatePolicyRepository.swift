public import WalletModel
public import WalletPlatform
internal import WalletProtocol
public import WalletStorage

/// The update policy in force for this app version: the last one verified, kept on disk, so that an
/// offline start neither forgets a block nor stops an allowed wallet (W16).
///
/// Time is the provider's: the policy's own, counted on by the clock that includes sleep. After a
/// restart the device's calendar may move it forward, never back.
public final class UpdatePolicyRepository: Sendable {
  /// The file, in the storage path. It outlives a wipe.
  public static let fileName = "update-policy.json"

  private struct Stored: Codable {
    var schema = 1
    var policy: String
    /// The latest time that was known, seconds since 1970.
    var latest: Int64

    enum CodingKeys: String, CodingKey {
      case schema, policy
      case latest = "latest_time"
    }
  }

  private struct State: Sendable {
    var policy: UpdatePolicy?
    var compact: String?
    /// The time by the provider at `since` of the clock.
    var time: Int64 = 0
    var since: Milliseconds = 0
    var published = VersionState.ok
    var version: UInt64 = 1
    var directory: StorageDirectory?
  }

  private let anchor: TrustAnchor
  private let appVersion: AppVersion
  private let world: OutsideWorld
  private let log: Log
  private let state = Monitor(State())
  private let onChange: @Sendable (Versioned<VersionState>) -> Void

  /// - Parameter onChange: Called when the grade changes or a new policy came, with no lock held.
  public init(
    anchor: TrustAnchor, appVersion: AppVersion, world: OutsideWorld, log: Log,
    onChange: @escaping @Sendable (Versioned<VersionState>) -> Void
  ) {
    self.anchor = anchor
    self.appVersion = appVersion
    self.world = world
    self.log = log
    self.onChange = onChange
  }

  /// The state now, with the number of its last announced change. Announces a change that time
  /// brought.
  public var current: Versioned<VersionState> {
    let (current, changed) = state.withLock { state in
      let value = evaluate(state)
      let isChange = !value.isSameGrade(as: state.published)
      if isChange { announce(value, &state) }
      return (Versioned(value, version: state.version), isChange)
    }
    if changed { onChange(current) }
    return current
  }

  /// Milliseconds until time alone changes the state; nil if it never does.
  var untilNextChange: Milliseconds? {
    state.withLock { state in
      let now = time(state)
      return state.policy?.nextChange(of: appVersion, after: now).map { next in
        let seconds = next.subtractingReportingOverflow(now).partialValue
        return min(max(seconds, 1), 7 * 24 * 60 * 60) * 1000
      }
    }
  }

  /// Reads the file of an earlier run; an unreadable one is passed over.
  public func load(from directory: StorageDirectory) {
    state.withLock { $0.directory = directory }
    guard let bytes = try? directory.readFile(Self.fileName, limit: 512 * 1024) else { return }
    guard let stored = try? WireJSON.decode(Stored.self, from: bytes),
      let claims = try? anchor.verifyPolicy(stored.policy)
    else {
      log(.warning, "update-policy", "The stored update policy is unreadable.")
      return
    }
    let latest = max(stored.latest, claims.issuedAt, world.calendarSeconds())
    state.withLock { state in
      guard state.policy == nil else { return }
      state.policy = UpdatePolicy(claims: claims)
      state.compact = stored.policy
      state.time = latest
      state.since = world.clock.now()
    }
    _ = current
    keepTime()
  }

  /// Takes a fetched policy in, if it is verified and not older than the one in force.
  ///
  /// - Returns: whether it is in force now.
  func accept(_ compact: String) throws(WalletError) -> Bool {
    guard let claims = try? anchor.verifyPolicy(compact) else {
      log(.warning, "update-policy", "A fetched update policy does not verify; ignored.")
      return false
    }
    let (known, directory) = state.withLock { ($0.policy?.claims, $0.directory) }
    if let known, claims.issuedAt < known.issuedAt {
      log(.warning, "update-policy", "A fetched update policy is older than the known; ignored.")
      return false
    }
    if let directory, claims != known {
      try Self.write(Stored(policy: compact, latest: claims.issuedAt), to: directory)
    }
    let changed = state.withLock { state -> Versioned<VersionState>? in
      let isNew = (state.policy?.claims.rules ?? []) != claims.rules
      state.policy = UpdatePolicy(claims: claims)
      state.compact = compact
      // The same policy again, kept by somebody on the way, does not stop the time.
      if claims != known {
        state.time = claims.issuedAt
        state.since = world.clock.now()
      }
      let value = evaluate(state)
      guard isNew || !value.isSameGrade(as: state.published) else { return nil }
      announce(value, &state)
      return Versioned(value, version: state.version)
    }
    if let changed { onChange(changed) }
    return true
  }

  /// Writes down what time it is, so that a calendar set back later does not undo it.
  func keepTime() {
    let stored = state.withLock { state -> (Stored, StorageDirectory)? in
      guard let compact = state.compact, let directory = state.directory else { return nil }
      return (Stored(policy: compact, latest: time(state)), directory)
    }
    guard let (note, directory) = stored else { return }
    do { try Self.write(note, to: directory) } catch {
      log(.info, "update-policy", "The time could not be kept: \(error.message)")
    }
  }

  private static func write(_ stored: Stored, to directory: StorageDirectory) throws(WalletError) {
    guard let file = try? WireJSON.encode(stored) else {
      throw WalletError(.internalDefect, "The update policy could not be encoded.")
    }
    try directory.replaceFile(fileName, with: file)
  }

  private func time(_ state: State) -> Int64 {
    let elapsed = max(0, world.clock.now() &- state.since) / 1000
    return state.time.addingReportingOverflow(elapsed).partialValue
  }

  private func evaluate(_ state: State) -> VersionState {
    state.policy?.state(of: appVersion, now: time(state)) ?? .ok
  }

  private func announce(_ value: VersionState, _ state: inout State) {
    state.published = value
    state.version += 1
  }
}
