internal import Synchronization

/// How many events of a client its host has taken and not freed.
///
/// A host that never frees would fill the memory of its app without a word; so it is told, long before.
final class UnfreedEvents: Sendable {
  /// No host keeps so many on purpose: a screen is drawn from one.
  static let limit = 1_024

  private let number = Atomic<Int>(0)

  var count: Int { number.load(ordering: .relaxed) }

  fileprivate func add() { number.wrappingAdd(1, ordering: .relaxed) }
  fileprivate func subtract() { number.wrappingSubtract(1, ordering: .relaxed) }
}

/// A share of an event in the hands of the host: what a `wallet_core_event` points to.
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
