internal import WalletModel
internal import WalletPlatform

/// Calls back when a deadline has passed. One thread serves all alarms.
final class AlarmClock: Sendable {
  /// What an alarm is for. There is at most one alarm of each kind; a new one replaces the old one.
  enum Alarm: Hashable, Sendable, CaseIterable {
    /// Work takes longer than 0.2 s.
    case slowness
    /// The visible step ends by itself.
    case step
    /// The visible step tells of a block of the PIN, and this block ends.
    case block
    /// The wait for the update policy ends.
    case updatePolicy
    /// The provider is asked again for its verdict.
    case proofing
    /// The wallet was locked while a registration ran, and the time to wait for its answer is over.
    case registration
    /// Time changes the state of a card.
    case cards
  }

  private struct Entry {
    var deadline: Milliseconds
    var action: @Sendable () -> Void
  }

  private struct State {
    var entries: [Alarm: Entry] = [:]
    var isStopping = false
  }

  private let state = Monitor(State())
  private let clock: any BootClock
  private let thread = Monitor<NamedThread?>(nil)

  init(clock: any BootClock) { self.clock = clock }

  /// Calls `action` at `deadline` on the alarm thread, unless the alarm is cancelled first.
  func set(_ alarm: Alarm, at deadline: Milliseconds, _ action: @escaping @Sendable () -> Void) {
    state.update { $0.entries[alarm] = Entry(deadline: deadline, action: action) }
  }

  /// Cancels an alarm. Its action may be running already. The thread is not woken, because an early
  /// wake-up is harmless.
  func cancel(_ alarm: Alarm) {
    state.withLock { _ = $0.entries.removeValue(forKey: alarm) }
  }

  func start() throws(WalletError) {
    guard let started = NamedThread("wallet_core.alm", signals: .blocked, body: { self.run() })
    else { throw WalletError(.outOfResources, "The system could not start the alarm thread.") }
    thread.withLock { $0 = started }
  }

  /// Ends the thread and waits for it.
  func shutDown() {
    state.update { state in
      state.isStopping = true
      // The actions hold strong references to what set them.
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
      _ = state.wait(until: next, clock: clock) { state -> Bool? in
        state.isStopping || state.entries.values.map(\.deadline).min() != next ? true : nil
      }
      callDueActions()
    }
  }

  private func callDueActions() {
    let now = clock.now()
    let due = state.withLock { state -> [Entry] in
      let alarms = state.entries.filter { $0.value.deadline <= now }
      for alarm in alarms.keys { state.entries.removeValue(forKey: alarm) }
      return alarms.values.sorted { $0.deadline < $1.deadline }
    }
    for entry in due { entry.action() }
  }
}
