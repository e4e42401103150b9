internal import CSodium
internal import Synchronization
internal import WalletSystem

/// A block of libsodium's guarded memory. It has memory pages of its own, which are locked and left
/// out of dumps where the system allows. An inaccessible page follows. The secret ends right before
/// that page, so reading past the secret's end crashes.
///
/// Allocating a block takes some ten system calls, and so does freeing it. So a few blocks of the
/// usual size are wiped and reused.
struct GuardedBlock: @unchecked Sendable {
  // Sendable: a block has one owner at a time, either the secret that took it or the list of unused
  // blocks.
  private let start: UnsafeMutableRawPointer
  /// The most bytes that fit.
  let capacity: Int
  private let isReusable: Bool

  /// Together with libsodium's canary of 16 bytes, this fills one page.
  static let usualCapacity = 4096 - 16
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
      // libsodium does not report whether it could lock the page, so the page is locked here once
      // more. A block that cannot be locked is not reused, and the next secret tries a new one.
      let isLocked = sodium_mlock(start, usualCapacity) == 0
      return GuardedBlock(start: start, capacity: usualCapacity, isReusable: isLocked)
    }
  }

  /// Returns the address of the last `count` bytes of the block.
  func bytes(_ count: Int) -> UnsafeMutableRawPointer { start + (capacity - count) }

  /// Makes the block read-only for the whole process; where the system refuses, it stays writable.
  func makeReadOnly() { sodium_mprotect_readonly(start) }

  /// Overwrites the `count` bytes in use with zeros and makes the block writable again. Returns
  /// false if the system refuses; then the block can only be given back.
  func clear(_ count: Int) -> Bool {
    guard sodium_mprotect_readwrite(start) == 0 else { return false }
    sodium_memzero(bytes(count), count)
    return true
  }

  /// Overwrites the `count` bytes in use with zeros; they can still be read. If the system does not
  /// make the block writable, the bytes are wiped when the block is given back.
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

/// Wiped blocks of the usual size, for reuse. They are not guarded by a lock: if another thread
/// held the lock during a fork, it would stay locked in the child for ever.
private struct UnusedBlocks: @unchecked Sendable {
  // Sendable: the slots are made once and never freed, and each slot changes in one atomic step.
  private let slots: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>
  /// The number of blocks that are kept; further ones are freed. A phone may allow only 64 KiB of
  /// locked memory, and a page may have 16 KiB: then one is left for what is short. Where a page has
  /// 4 KiB, there are as many as an unlock needs, and 16 KiB are left for records.
  private static let count = max(3, 40 * 1024 / max(4096, Int(clamping: CurrentProcess.pageBytes)))

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
