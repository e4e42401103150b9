internal import WalletModel
internal import WalletPlatform

/// Says when time is up; one thread for all alarms of the flows.
final class AlarmClock: Sendable {
  /// What the flows wait for; each has at most one alarm, a new one replaces the old.
  enum Alarm: Hashable, Sendable, CaseIterable {
    /// Work takes longer than 0.2 s.
    case slowness
    /// The visible step ends by itself.
    case step
    /// The update policy is not waited for any longer.
    case updatePolicy
    /// A verdict is asked for again.
    case proofing
  }

  private struct Entry {
    var deadline: Milliseconds
    var action: @Sendable () -> Void
  }

  private struct State {
    var entries: [Alarm: Entry] = [:]
    var isStopping = false
  }

  /// The longest sleep: a device that slept wakes no sleeper, so look now and then.
  private static let longestSleep: Milliseconds = 5_000

  private let state = Monitor(State())
  private let clock: any BootClock
  private let thread = Monitor<NamedThread?>(nil)

  init(clock: any BootClock) { self.clock = clock }

  /// Calls `action` at `deadline`, on the thread of the alarms, unless `cancel` comes first.
  func set(_ alarm: Alarm, at deadline: Milliseconds, _ action: @escaping @Sendable () -> Void) {
    state.update { $0.entries[alarm] = Entry(deadline: deadline, action: action) }
  }

  /// Forgets an alarm; its action may be on its way already. Wakes nobody: sleeping on is harmless.
  func cancel(_ alarm: Alarm) {
    state.withLock { _ = $0.entries.removeValue(forKey: alarm) }
  }

  func start() throws(WalletError) {
    guard let started = NamedThread("wallet_core.alm", signals: .blocked, body: { self.run() })
    else { throw WalletError(.outOfResources, "The system has no thread left for the alarms.") }
    thread.withLock { $0 = started }
  }

  /// Ends the thread and waits for it.
  func shutDown() {
    state.update { state in
      state.isStopping = true
      // They hold on to whoever set them.
      state.entries = [:]
    }
    let thread = thread.withLock { current in
      defer { current = nil }
      return current
    }
    thread?.join()
  }

  private func run() {
    while true {
      let (next, isStopping) = state.withLock { state in
        (state.entries.values.map(\.deadline).min(), state.isStopping)
      }
      if isStopping { return }
      let deadline = next.map { min($0, clock.now() + Self.longestSleep) }
      _ = state.wait(until: deadline, clock: clock) { state -> Bool? in
        state.isStopping || state.entries.values.map(\.deadline).min() != next ? true : nil
      }
      ring()
    }
  }

  private func ring() {
    let now = clock.now()
    let due = state.withLock { state -> [Entry] in
      let alarms = state.entries.filter { $0.value.deadline <= now }
      for alarm in alarms.keys { state.entries.removeValue(forKey: alarm) }
      return alarms.values.sorted { $0.deadline < $1.deadline }
    }
    for entry in due { entry.action() }
  }
}
