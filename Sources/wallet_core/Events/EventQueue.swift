internal import WalletModel

/// The streams of a client.
enum StreamKind: Int, CaseIterable, Sendable {
  case configuration
  case lockState
  case versionState
  case step
}

/// What waits for a client, in order: completions, and for each stream at most one marker, whose
/// event is looked up when it is taken. So a stream is bounded, its last value wins, and a value
/// that was overtaken is never delivered.
struct EventQueue {
  enum Entry {
    case stream(StreamKind)
    case completion(EventObject)
  }

  private struct Latest {
    var event: EventObject
    var version: UInt64
    /// Whether some sink has had this version.
    var wasTaken = false
  }

  private var entries: [Entry] = []
  /// By the kind's number.
  private var latest = [Latest?](repeating: nil, count: StreamKind.allCases.count)
  /// Completions in the queue.
  private(set) var completions = 0

  /// Takes a new value of a stream, which moves to the end of the queue. Late news are ignored.
  mutating func offer(_ kind: StreamKind, _ event: EventObject, version: UInt64) {
    if let known = latest[kind.rawValue], version <= known.version { return }
    latest[kind.rawValue] = Latest(event: event, version: version)
    removeMarker(kind)
    entries.append(.stream(kind))
    if kind == .lockState, case .lockState(.locked) = event.content { withholdCards() }
  }

  /// Queues the current value of a stream for a new subscriber, unless it waits already.
  mutating func replay(_ kind: StreamKind) {
    guard latest[kind.rawValue] != nil, !hasMarker(kind) else { return }
    entries.append(.stream(kind))
  }

  /// Forgets a value that waits only because a subscriber, who has left, asked to hear it again.
  mutating func endReplay(_ kind: StreamKind) {
    if latest[kind.rawValue]?.wasTaken == true { removeMarker(kind) }
  }

  mutating func append(_ completion: EventObject) {
    entries.append(.completion(completion))
    completions += 1
  }

  /// Ends the completions with cards, which nobody is to see of a locked wallet, as it answers then.
  mutating func withholdCards() {
    for index in entries.indices {
      guard case .completion(let event) = entries[index], event.speaksOfOwner else { continue }
      entries[index] = .completion(
        EventObject(.completion(request: event.request, .failure(.lockedMeanwhile))))
    }
  }

  /// Drops the step that waits if nobody is to see it of a locked wallet; the step of the lock follows.
  private mutating func withholdStep(isLocked: () -> Bool) {
    guard let step = latest[StreamKind.step.rawValue]?.event.step, step.isProtected,
      hasMarker(.step), isLocked()
    else { return }
    removeMarker(.step)
  }

  /// Takes the first entry that `isWanted`.
  ///
  /// - Parameter isLocked: Whether the wallet is locked; asked before cards or a protected step are given
  ///   out, as a lock may be a moment ahead of its news.
  mutating func take(
    isLocked: () -> Bool, where isWanted: (Entry) -> Bool
  ) -> (entry: Entry, event: EventObject)? {
    withholdStep(isLocked: isLocked)
    guard let index = entries.firstIndex(where: isWanted) else { return nil }
    if case .completion(let event) = entries[index], event.speaksOfOwner, isLocked() {
      withholdCards()
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
