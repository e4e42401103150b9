internal import WalletModel

/// The streams of a client.
enum StreamKind: Int, CaseIterable, Sendable {
  case configuration
  case lockState
  case versionState
  case step
  case cards

  /// Whether the stream has a current value. Otherwise its events only say that something changed,
  /// and each is delivered once.
  var hasValue: Bool { self != .cards }
}

/// The queue of a client's events, in order. It holds completions, and for each stream at most one
/// marker. The event of a marker is looked up when the marker is taken. So a stream has at most one
/// entry, and only its latest value is delivered.
struct EventQueue {
  enum Entry {
    case stream(StreamKind)
    case completion(EventObject)
  }

  private struct Latest {
    var event: EventObject
    var version: UInt64
    /// Whether a sink has received this version.
    var wasTaken = false
  }

  private var entries: [Entry] = []
  /// Indexed by the raw value of the kind.
  private var latest = [Latest?](repeating: nil, count: StreamKind.allCases.count)
  /// The number of completions in the queue.
  private(set) var completions = 0

  /// Adds a new value of a stream. The stream's marker moves to the end of the queue. A version
  /// that is not newer than the known one is ignored.
  mutating func offer(_ kind: StreamKind, _ event: EventObject, version: UInt64) {
    if let known = latest[kind.rawValue], version <= known.version { return }
    latest[kind.rawValue] = Latest(event: event, version: version)
    removeMarker(kind)
    entries.append(.stream(kind))
    if kind == .lockState, case .lockState(.locked) = event.content { withhold() }
  }

  /// Replaces the event of the current value of a stream by one with the times of now.
  mutating func renew(_ kind: StreamKind, _ event: EventObject, version: UInt64) {
    if latest[kind.rawValue]?.version == version { latest[kind.rawValue]?.event = event }
  }

  /// Queues the current value of a stream for a new subscriber, unless it is queued already.
  mutating func replay(_ kind: StreamKind) {
    guard kind.hasValue, latest[kind.rawValue] != nil, !hasMarker(kind) else { return }
    entries.append(.stream(kind))
  }

  /// Called when the subscriber that `replay` was for has ended. Removes the queued value if a sink
  /// received it before.
  mutating func endReplay(_ kind: StreamKind) {
    if latest[kind.rawValue]?.wasTaken == true { removeMarker(kind) }
  }

  mutating func append(_ completion: EventObject) {
    entries.append(.completion(completion))
    completions += 1
  }

  /// Replaces what must not be shown while the wallet is locked.
  mutating func withhold() {
    for index in entries.indices {
      if case .completion(let event) = entries[index], let withheld = event.withheld {
        entries[index] = .completion(withheld)
      }
    }
  }

  /// Drops the queued step if it is protected and the wallet is locked. The step that the lock
  /// shows will follow.
  private mutating func withholdStep(isLocked: () -> Bool) {
    guard let step = latest[StreamKind.step.rawValue]?.event.step, step.isProtected,
      hasMarker(.step), isLocked()
    else { return }
    removeMarker(.step)
  }

  /// Takes the first entry that `isWanted`.
  ///
  /// - Parameter isLocked: Whether the wallet is locked. Called before what needs an unlocked wallet or
  ///   a protected step is taken, because the wallet may be locked before the event of the lock is queued.
  mutating func take(
    isLocked: () -> Bool, where isWanted: (Entry) -> Bool
  ) -> (entry: Entry, event: EventObject)? {
    withholdStep(isLocked: isLocked)
    guard let index = entries.firstIndex(where: isWanted) else { return nil }
    if case .completion(let event) = entries[index], event.needsUnlocked, isLocked() {
      withhold()
    }
    let entry = entries.remove(at: index)
    switch entry {
    case .completion(let event):
      completions -= 1
      return (entry, event)
    case .stream(let kind):
      guard let event = latest[kind.rawValue]?.event else { return nil }
      latest[kind.rawValue]?.wasTaken = true
      return (entry, event)
    }
  }

  func contains(where isWanted: (Entry) -> Bool) -> Bool { entries.contains(where: isWanted) }

  private func hasMarker(_ kind: StreamKind) -> Bool {
    entries.contains { if case .stream(kind) = $0 { true } else { false } }
  }

  private mutating func removeMarker(_ kind: StreamKind) {
    entries.removeAll { if case .stream(kind) = $0 { true } else { false } }
  }
}
