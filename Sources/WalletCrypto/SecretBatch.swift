internal import CSodium

/// Several secrets in one block of guarded memory, for values that are read and let go together. The
/// block is made read-only once for all of them and wiped once, which takes two system calls for each
/// secret otherwise. Used by one thread.
///
/// The first secret ends right before the block's inaccessible page, and each further one where the
/// one before it begins. All of them are wiped by `clear` or with the batch.
public final class SecretBatch {
  /// The capacity once there are more secrets than fit into a usual block. With libsodium's canary it
  /// fills a memory page of 16 KiB, because a phone may allow only 64 KiB of locked memory.
  private static let largeCapacity = 16 * 1024 - 16

  private var block: GuardedBlock?
  /// The bytes in use, which are the last ones of the block.
  private var used = 0
  /// Of each secret the bytes from its start to the end of the block, and its length; nil for one that
  /// is missing.
  private var places: [(fromEnd: Int, count: Int)?] = []
  private var isLarge = false
  private var isReadOnly = false

  public init() {}

  deinit { giveBlockBack() }

  /// The number of secrets, those that are missing included.
  public var count: Int { places.count }

  /// Notes that secrets of about so many bytes follow, so that they get a large block at once if they
  /// do not fit into a usual one.
  public func expect(_ bytes: Int) {
    if bytes > GuardedBlock.usualCapacity { isLarge = true }
  }

  /// Appends a secret of `count` bytes, which `fill` writes. If `fill` returns false, the secret is
  /// missing.
  ///
  /// - Returns: False if there is no room before the next `clear`; then `fill` was not called.
  func append(
    _ count: Int, by fill: (UnsafeMutablePointer<UInt8>) -> Bool
  ) throws(CryptoError) -> Bool {
    guard let block = try room(for: count) else { return false }
    let fromEnd = used + count
    let start = block.bytes(fromEnd)
    guard fill(start.assumingMemoryBound(to: UInt8.self)) else {
      sodium_memzero(start, count)
      appendMissing()
      return true
    }
    used = fromEnd
    places.append((fromEnd, count))
    return true
  }

  /// Takes the place of a secret that could not be had.
  public func appendMissing() { places.append(nil) }

  /// Makes the secrets read-only and calls `body` with each, in order; with nil for one that is
  /// missing. The bytes are valid only during the call. Nothing can be appended before `clear`.
  public func forEach<Failure: Error>(
    _ body: (Int, UnsafeRawBufferPointer?) throws(Failure) -> Void
  ) throws(Failure) {
    block?.makeReadOnly()
    isReadOnly = true
    for (index, place) in places.enumerated() {
      guard let place, let block else {
        try body(index, nil)
        continue
      }
      try body(
        index, UnsafeRawBufferPointer(start: block.bytes(place.fromEnd), count: place.count))
    }
  }

  /// Wipes all secrets. A next block is a larger one, because they are many.
  public func clear() {
    places.removeAll(keepingCapacity: true)
    isReadOnly = false
    guard isLarge, let block, block.clear(used) else {
      isLarge = true
      return giveBlockBack()
    }
    used = 0
  }

  /// Returns the block if it has room for `count` bytes; nil if it must be cleared first.
  private func room(for count: Int) throws(CryptoError) -> GuardedBlock? {
    if isReadOnly { return nil }
    if let block {
      if count <= block.capacity - used { return block }
      guard places.isEmpty else { return nil }
      giveBlockBack()
    }
    guard let taken = GuardedBlock.take(isLarge ? max(count, Self.largeCapacity) : count) else {
      throw .outOfMemory
    }
    block = taken
    return taken
  }

  private func giveBlockBack() {
    if let block { SecretReleases.giveBack(block, used) }
    (block, used) = (nil, 0)
  }
}
