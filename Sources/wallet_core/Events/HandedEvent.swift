internal import Synchronization

/// The number of a client's events that its host has taken and not freed.
///
/// A host that never frees events would fill the memory of its app unnoticed, so it gets an error
/// long before that.
final class UnfreedEvents: Sendable {
  /// More than any host keeps on purpose, because a screen is drawn from one event.
  static let limit = 1_024

  private let number = Atomic<Int>(0)

  var count: Int { number.load(ordering: .relaxed) }

  fileprivate func add() { number.wrappingAdd(1, ordering: .relaxed) }
  fileprivate func subtract() { number.wrappingSubtract(1, ordering: .relaxed) }
}

/// A reference to an event that the host owns: what a `wallet_core_event` points to.
final class HandedEvent: Sendable {
  let event: EventObject
  private let unfreed: UnfreedEvents?

  init(_ event: EventObject, _ unfreed: UnfreedEvents?) {
    self.event = event
    self.unfreed = unfreed
    unfreed?.add()
  }

  deinit { unfreed?.subtract() }
}
