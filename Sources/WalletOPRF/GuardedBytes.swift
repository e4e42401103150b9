internal import CSodium
internal import Synchronization

/// A few secret bytes in libsodium's guarded memory, wiped with their last reference. Zero at
/// first.
///
/// Sendable: whoever makes one fills it before it is shared; afterwards it is only read.
final class GuardedBytes: @unchecked Sendable {
  private let start: UnsafeMutablePointer<UInt8>
  let count: Int
  /// What it takes up of the page for all; nil if it has a page of its own.
  private let places: UInt64?

  /// Allocates `count` bytes, at least one.
  init(count: Int) throws(ObliviousPRFError) {
    self.count = count
    if let (places, start) = GuardedPage.take(count) {
      (self.places, self.start) = (places, start)
      return
    }
    guard let memory = Self.allocate(count) else { throw .outOfMemory }
    (places, start) = (nil, memory)
  }

  deinit {
    guard let places else { return sodium_free(start) }
    sodium_memzero(start, count)
    GuardedPage.giveBack(places)
  }

  /// Returns bytes that are zero; nil if there is no guarded memory.
  fileprivate static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    guard sodium_init() >= 0, count > 0, let memory = sodium_malloc(count) else { return nil }
    sodium_memzero(memory, count)
    return memory.bindMemory(to: UInt8.self, capacity: count)
  }

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

/// One page of guarded memory for the whole process, for what is short. A page for each would take ten
/// system calls to make and as many to free, and each call makes all processors drop cached addresses.
/// Its places are not guarded by a lock, because another thread could hold it during a fork.
private enum GuardedPage {
  /// The page is made once and never freed, and each place has one owner at a time.
  private struct Memory: @unchecked Sendable {
    let start: UnsafeMutablePointer<UInt8>
  }

  private static let placeLength = ObliviousPRF.scalarLength
  /// A bit for each place.
  private static let taken = Atomic<UInt64>(0)
  private static let length = UInt64.bitWidth * placeLength
  private static let memory: Memory? = {
    guard let start = GuardedBytes.allocate(length) else { return nil }
    // libsodium does not report whether it could lock the page. One that is not locked is not used for
    // ever, because the system may lock another one later.
    guard sodium_mlock(start, length) == 0 else {
      sodium_free(start)
      return nil
    }
    return Memory(start: start)
  }()

  /// Returns zeros, aligned for any type, in places one after the other; nil if there is no room.
  static func take(_ count: Int) -> (places: UInt64, start: UnsafeMutablePointer<UInt8>)? {
    let number = (count + placeLength - 1) / placeLength
    guard 1...UInt64.bitWidth / 2 ~= number, let memory else { return nil }
    let pattern: UInt64 = 1 << UInt64(number) - 1
    var known = taken.load(ordering: .relaxed)
    var first = 0
    while first <= UInt64.bitWidth - number {
      let places = pattern << UInt64(first)
      guard known & places == 0 else {
        first += 1
        continue
      }
      let (isTaken, now) = taken.weakCompareExchange(
        expected: known, desired: known | places, ordering: .acquiring)
      if isTaken { return (places, memory.start + first * placeLength) }
      known = now
    }
    return nil
  }

  /// - Parameter places: whose bytes are zero again.
  static func giveBack(_ places: UInt64) { taken.bitwiseAnd(~places, ordering: .releasing) }
}
