internal import CSodium
internal import Synchronization

/// A block of libsodium's guarded memory: a page of its own, locked where the system allows, left out of
/// dumps, before a page that nobody may touch. What it holds ends where that page begins.
///
/// To make one takes some ten system calls and to free it as many more, so a few of the usual size are
/// wiped and used again.
struct GuardedBlock: @unchecked Sendable {
  // Sendable: one owner at a time, either the secret that took it or the list of those to be used again.
  private let start: UnsafeMutableRawPointer
  private let room: Int
  private let isReusable: Bool

  /// Fits a page together with libsodium's canary.
  private static let usualRoom = 4096 - 16
  private static let unused = UnusedBlocks()

  /// A block with room for `count` bytes; nil where the system has none.
  static func take(_ count: Int) -> GuardedBlock? {
    guard Sodium.isReady, count >= 0 else { return nil }
    guard count <= usualRoom else {
      return sodium_malloc(count).map { GuardedBlock(start: $0, room: count, isReusable: false) }
    }
    if let start = unused.take() {
      return GuardedBlock(start: start, room: usualRoom, isReusable: true)
    }
    return sodium_malloc(usualRoom).map { start in
      // libsodium does not say whether it could lock the page. One that it could not is tried anew for the
      // next secret.
      let isLocked = sodium_mlock(start, usualRoom) == 0
      return GuardedBlock(start: start, room: usualRoom, isReusable: isLocked)
    }
  }

  /// Where the last `count` bytes of the block begin.
  func bytes(_ count: Int) -> UnsafeMutableRawPointer { start + (room - count) }

  /// From now on nothing can write into the block, whoever tries; where the system refuses, it stays as it is.
  func makeReadOnly() { sodium_mprotect_readonly(start) }

  /// Wipes the `count` bytes that it was taken for, which stay readable. Where the system refuses, they
  /// are wiped when the block is given back.
  func wipe(_ count: Int) {
    guard sodium_mprotect_readwrite(start) == 0 else { return }
    sodium_memzero(bytes(count), count)
    makeReadOnly()
  }

  /// Wipes the `count` bytes that it was taken for and gives it up.
  func giveBack(_ count: Int) {
    guard isReusable, sodium_mprotect_readwrite(start) == 0 else { return sodium_free(start) }
    sodium_memzero(bytes(count), count)
    if !Self.unused.keep(start) { sodium_free(start) }
  }
}

/// Wiped blocks of the usual size, to be used again. Without a lock, which a fork might leave locked in the
/// child for ever.
private struct UnusedBlocks: @unchecked Sendable {
  // Sendable: made once and never freed; each place changes in one atomic step.
  private let places: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>
  /// More are freed: a phone may allow no more than 64 KiB of locked memory, and pages may have 16 of them.
  private static let count = 4

  init() {
    places = .allocate(capacity: Self.count)
    for index in 0..<Self.count { (places + index).initialize(to: Atomic(nil)) }
  }

  func take() -> UnsafeMutableRawPointer? {
    for index in 0..<Self.count {
      if let start = places[index].exchange(nil, ordering: .acquiring) { return start }
    }
    return nil
  }

  /// False where there are enough.
  func keep(_ start: UnsafeMutableRawPointer) -> Bool {
    for index in 0..<Self.count {
      let place = places[index].compareExchange(
        expected: nil, desired: start, successOrdering: .releasing, failureOrdering: .relaxed)
      if place.exchanged { return true }
    }
    return false
  }
}
