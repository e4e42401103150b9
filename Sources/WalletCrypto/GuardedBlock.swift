internal import CSodium
internal import Synchronization

/// A block of libsodium's guarded memory: a page of its own, locked and left out of dumps where the
/// system allows, before an inaccessible page. The secret ends where that page begins.
///
/// Allocating a block takes some ten system calls and freeing it as many more, so a few of the
/// usual size are wiped and reused.
struct GuardedBlock: @unchecked Sendable {
  // Sendable: one owner at a time, either the secret that took it or the list of unused blocks.
  private let start: UnsafeMutableRawPointer
  private let capacity: Int
  private let isReusable: Bool

  /// Fills a page together with libsodium's canary.
  private static let usualCapacity = 4096 - 16
  private static let unused = UnusedBlocks()

  /// Returns a block for `count` bytes; nil if the system has no memory.
  static func take(_ count: Int) -> GuardedBlock? {
    guard Sodium.isReady, count >= 0 else { return nil }
    guard count <= usualCapacity else {
      return sodium_malloc(count).map {
        GuardedBlock(start: $0, capacity: count, isReusable: false)
      }
    }
    if let start = unused.take() {
      return GuardedBlock(start: start, capacity: usualCapacity, isReusable: true)
    }
    return sodium_malloc(usualCapacity).map { start in
      // libsodium does not report whether it could lock the page, so it is locked here again. An
      // unlocked block is not reused; the next secret tries a new one.
      let isLocked = sodium_mlock(start, usualCapacity) == 0
      return GuardedBlock(start: start, capacity: usualCapacity, isReusable: isLocked)
    }
  }

  /// Returns the address of the last `count` bytes of the block.
  func bytes(_ count: Int) -> UnsafeMutableRawPointer { start + (capacity - count) }

  /// Makes the block read-only for the whole process; where the system refuses, it stays writable.
  func makeReadOnly() { sodium_mprotect_readonly(start) }

  /// Wipes the `count` bytes in use, which stay readable. If the system refuses, they are wiped
  /// when the block is given back.
  func wipe(_ count: Int) {
    guard sodium_mprotect_readwrite(start) == 0 else { return }
    sodium_memzero(bytes(count), count)
    makeReadOnly()
  }

  /// Wipes the `count` bytes in use and reuses or frees the block.
  func giveBack(_ count: Int) {
    guard isReusable, sodium_mprotect_readwrite(start) == 0 else { return sodium_free(start) }
    sodium_memzero(bytes(count), count)
    if !Self.unused.keep(start) { sodium_free(start) }
  }
}

/// Wiped blocks of the usual size for reuse. Without a lock, because a fork could leave it locked
/// in the child for ever.
private struct UnusedBlocks: @unchecked Sendable {
  // Sendable: made once and never freed; each slot changes in one atomic step.
  private let slots: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>
  /// Further blocks are freed: a phone may allow only 64 KiB of locked memory, and pages may have
  /// 16 KiB.
  private static let count = 4

  init() {
    slots = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (slots + index).initialize(to: Atomic(nil)) }
  }

  func take() -> UnsafeMutableRawPointer? {
    for index in 0..<Self.count {
      if let start = slots[index].exchange(nil, ordering: .acquiring) { return start }
    }
    return nil
  }

  /// Keeps a block for reuse; returns false if there are enough already.
  func keep(_ start: UnsafeMutableRawPointer) -> Bool {
    for index in 0..<Self.count {
      let slot = slots[index].compareExchange(
        expected: nil, desired: start, successOrdering: .releasing, failureOrdering: .relaxed)
      if slot.exchanged { return true }
    }
    return false
  }
}
