internal import CSodium

/// A few secret bytes in libsodium's guarded memory, wiped with their last reference. Zero at
/// first.
///
/// Sendable: whoever makes one fills it before it is shared; afterwards it is only read.
final class GuardedBytes: @unchecked Sendable {
  private let start: UnsafeMutablePointer<UInt8>
  let count: Int

  /// Allocates `count` bytes, at least one.
  init(count: Int) throws(ObliviousPRFError) {
    guard sodium_init() >= 0, count > 0, let memory = sodium_malloc(count) else {
      throw .outOfMemory
    }
    sodium_memzero(memory, count)
    start = memory.bindMemory(to: UInt8.self, capacity: count)
    self.count = count
  }

  deinit { sodium_free(start) }

  func withPointer<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(start)
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withPointer { try body(UnsafeRawBufferPointer(start: $0, count: count)) }
  }

  func withMutableBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    withPointer { body(UnsafeMutableRawBufferPointer(start: $0, count: count)) }
  }
}
