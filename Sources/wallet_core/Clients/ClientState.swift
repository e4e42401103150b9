internal import WalletPlatform

/// The callbacks that a client can have.
enum EventSink: CaseIterable, Sendable {
  case wakeup
  case events
  case configuration
  case lockState
  case versionState
  case step
  case cards

  /// The stream that only this sink delivers; nil if it delivers no single stream.
  var stream: StreamKind? {
    switch self {
    case .configuration: .configuration
    case .lockState: .lockState
    case .versionState: .versionState
    case .step: .step
    case .cards: .cards
    case .wakeup, .events: nil
    }
  }
}

/// A callback that is or was set.
struct CallbackSlot: Sendable {
  let sink: EventSink
  /// Identifies this registration, so that a late clear never affects a newer one.
  let token: UInt64
  let callback: HostCallback
  let context: HostContext
}

/// The mutable state of a client and the rules for it. Each rule is implemented once and has no
/// side effects. The client's monitor guards the state.
struct ClientState {
  enum Phase {
    case attached
    case detaching
    case detached
    /// Abandoned or taken over: the host is never called again and no context is released.
    case abandoned
  }

  /// What the delivery thread does next with no lock held.
  enum Step {
    case call(CallbackSlot, EventObject?)
    case release(CallbackSlot)
    case leave
  }

  /// Whether the wallet is locked.
  let isLocked: @Sendable () -> Bool

  var phase = Phase.attached
  var queue = EventQueue()
  /// Requests that have not completed yet.
  var requests: [UInt64: Cancellation] = [:]

  var slots: [EventSink: CallbackSlot] = [:]
  /// Cleared and replaced callbacks whose contexts are still to be released, in order. The first
  /// one stays here while its destroy function runs.
  var releases: [CallbackSlot] = []
  var lastToken: UInt64 = 0

  var isPulling = false
  var isInterrupted = false
  /// Whether a wakeup is called for the next event that can be taken. Set when all events were
  /// taken, reset by a wakeup.
  var isWakeupArmed = true

  /// Started with the first callback; nil again once it was joined or detached.
  var thread: NamedThread?
  /// Whether the delivery thread is inside host code.
  var isInHost = false
  /// Whether the delivery thread was left behind in host code.
  var isLeftBehind = false
  /// Whether the delivery thread has done its last step.
  var hasLeft = false

  init(isLocked: @escaping @Sendable () -> Bool) { self.isLocked = isLocked }

  /// The number of requests that count towards the limit: running, or completed and not taken.
  var openRequests: Int { requests.count + queue.completions }

  /// The callback that an entry goes to; nil if the host takes it with `wallet_core_client_next_event`.
  private static func slot(for entry: EventQueue.Entry, in slots: [EventSink: CallbackSlot])
    -> CallbackSlot?
  {
    switch entry {
    case .stream(.configuration): slots[.configuration] ?? slots[.events]
    case .stream(.lockState): slots[.lockState] ?? slots[.events]
    case .stream(.versionState): slots[.versionState] ?? slots[.events]
    case .stream(.step): slots[.step] ?? slots[.events]
    case .stream(.cards): slots[.cards] ?? slots[.events]
    case .completion: slots[.events]
    }
  }

  var hasPullable: Bool { queue.contains { Self.slot(for: $0, in: slots) == nil } }

  /// Installs a callback; the previous one is released.
  mutating func install(_ slot: CallbackSlot) {
    scheduleRelease(slot.sink)
    lastToken = slot.token
    slots[slot.sink] = slot
    if let stream = slot.sink.stream { queue.replay(stream) }
    if slot.sink == .wakeup { isWakeupArmed = true }
  }

  /// Removes a callback. The delivery thread releases its context after everything that runs now.
  mutating func scheduleRelease(_ sink: EventSink) {
    guard let slot = slots.removeValue(forKey: sink) else { return }
    releases.append(slot)
    if let stream = sink.stream { queue.endReplay(stream) }
  }

  /// Takes the next event that has no callback.
  mutating func pull() -> EventObject? {
    let taken = queue.take(isLocked: isLocked) { [slots] in Self.slot(for: $0, in: slots) == nil }
    if !hasPullable { isWakeupArmed = true }
    return taken?.event
  }

  /// Returns what the delivery thread does next; nil if it waits.
  mutating func nextStep() -> Step? {
    if phase == .abandoned { return .leave }
    if let slot = releases.first { return .release(slot) }
    if phase == .detaching { return nextStepOfDetaching() }
    if !hasPullable { isWakeupArmed = true }
    if isWakeupArmed, let wakeup = slots[.wakeup], hasPullable {
      isWakeupArmed = false
      return .call(wakeup, nil)
    }
    var chosen: CallbackSlot?
    let taken = queue.take(isLocked: isLocked) { [slots] entry in
      chosen = Self.slot(for: entry, in: slots)
      return chosen != nil
    }
    guard let taken, let chosen else { return nil }
    return .call(chosen, taken.event)
  }

  /// The order is: the last completions, the release of the contexts, the end.
  private mutating func nextStepOfDetaching() -> Step {
    let completion = queue.take(isLocked: isLocked) {
      if case .completion = $0 { true } else { false }
    }
    if let completion, let slot = slots[.events] { return .call(slot, completion.event) }
    for sink in EventSink.allCases { scheduleRelease(sink) }
    if let slot = releases.first { return .release(slot) }
    return .leave
  }

  /// Whether contexts of `sink` up to `limit` are still to be released. A `token` of 0 means any.
  func isReleasing(_ sink: EventSink, token: UInt64, upTo limit: UInt64) -> Bool {
    releases.contains {
      $0.sink == sink && (token == 0 ? $0.token <= limit : $0.token == token)
    }
  }

  /// Ends the client without calling the host again.
  mutating func abandon() {
    phase = .abandoned
    queue = EventQueue()
    slots = [:]
    releases = []
    requests = [:]
  }
}
