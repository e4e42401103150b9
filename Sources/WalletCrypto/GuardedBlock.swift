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
  /// The room of a block of the usual size, 0 for one that was made to measure.
  private let room: Int

  /// Fits a page together with libsodium's canary.
  static let usualRoom = 4096 - 16
  /// More of them are freed. The usual limit of locked memory on a phone is 64 KiB.
  private static let mostUnused = 16
  private static let unused = Mutex<[GuardedBlock]>([])

  /// A block with room for `count` bytes; nil where the system has none.
  static func take(_ count: Int) -> GuardedBlock? {
    guard Sodium.isReady, count >= 0 else { return nil }
    guard count <= usualRoom else {
      return sodium_malloc(count).map { GuardedBlock(start: $0, room: 0) }
    }
    if let block = unused.withLock({ $0.popLast() }) { return block }
    return sodium_malloc(usualRoom).map { GuardedBlock(start: $0, room: usualRoom) }
  }

  /// Where the last `count` bytes of the block begin.
  func bytes(_ count: Int) -> UnsafeMutableRawPointer {
    room == 0 ? start : start + (room - count)
  }

  /// From now on nothing can write into the block, whoever tries; where the system refuses, it stays as it is.
  func makeReadOnly() { sodium_mprotect_readonly(start) }

  /// Wipes the `count` bytes that it was taken for and gives it up.
  func giveBack(_ count: Int) {
    guard room > 0, sodium_mprotect_readwrite(start) == 0 else { return sodium_free(start) }
    sodium_memzero(bytes(count), count)
    let isKept = Self.unused.withLock { unused in
      guard unused.count < Self.mostUnused else { return false }
      unused.append(self)
      return true
    }
    if !isKept { sodium_free(start) }
  }
}
