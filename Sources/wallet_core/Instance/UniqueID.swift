internal import Synchronization

/// Makes ids that are unique in a process and never 0.
enum UniqueID {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
