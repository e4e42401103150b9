internal import CSodium

/// Bytes that must stay secret: in guarded memory, never swapped or dumped where the system allows,
/// wiped when the last reference goes or, if the thread holds a lock then, right after it releases
/// the lock.
///
/// Its description never shows the content. Compare secrets with `isEqual(to:)`, in constant time.
public final class Secret: Sendable, CustomStringConvertible {
  /// The number of bytes.
  public let count: Int

  // Sendable: written only in the initialisers, before the object is shared. After that the memory
  // is read-only, also for the processor, until its one owner wipes it.
  private let block: GuardedBlock
  private var memory: UnsafeMutableRawPointer { block.bytes(count) }

  /// Returns whether a page can be locked into memory. libsodium ignores a refusal
  /// (RLIMIT_MEMLOCK), so the runtime checks this once and logs it.
  public static func pagesCanBeLocked() -> Bool {
    guard Sodium.isReady else { return false }
    let size = 4096
    guard let probe = sodium_malloc(size) else { return false }
    defer { sodium_free(probe) }
    return sodium_mlock(probe, size) == 0
  }

  /// Creates a secret of `count` bytes, filled by `fill`; bytes that `fill` leaves out are zero.
  public init(
    count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    guard let block = GuardedBlock.take(count) else { throw CryptoError.outOfMemory }
    self.block = block
    self.count = count
    sodium_memzero(memory, count)
    try fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
    block.makeReadOnly()
  }

  deinit { SecretReleases.giveBack(block, count) }

  /// Copies `bytes`.
  public convenience init(copying bytes: UnsafeRawBufferPointer) throws {
    try self.init(count: bytes.count) { target in
      if bytes.count > 0 { target.copyMemory(from: bytes) }
    }
  }

  /// Copies `bytes`, for content that is not secret or whose original the caller wipes.
  public convenience init(copying bytes: [UInt8]) throws {
    try self.init(count: bytes.count) { target in target.copyBytes(from: bytes) }
  }

  /// Returns `count` random bytes.
  public static func random(count: Int) throws -> Secret {
    try filled(count: count) { randombytes_buf($0, count) }
  }

  /// Calls `body` with the bytes, which are valid only during the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// Overwrites the bytes with zeros in place. Only for the one owner of a secret whose address
  /// code outside the core knows and may still read.
  public func wipe() { block.wipe(count) }

  /// Calls `body` with a pointer to the bytes, which is never nil, even for an empty secret.
  func withPointer<Result>(_ body: (UnsafePointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)))
  }

  /// Creates a secret whose `count` bytes `fill` writes through a pointer that is never nil.
  static func filled(
    count: Int, by fill: (UnsafeMutablePointer<UInt8>) throws -> Void
  ) throws -> Secret {
    try Secret(count: count) { target in
      var spare: UInt8 = 0
      if let start = target.baseAddress {
        try fill(start.assumingMemoryBound(to: UInt8.self))
      } else {
        try fill(&spare)
      }
    }
  }

  /// Returns whether both hold the same bytes, in time that does not depend on where they differ.
  public func isEqual(to other: Secret) -> Bool {
    guard count == other.count else { return false }
    return withPointer { mine in
      other.withPointer { theirs in sodium_memcmp(mine, theirs, count) == 0 }
    }
  }

  /// Returns the bytes as an ordinary array, for content that turned out not to be secret (a public
  /// key, a signature).
  public func disclosed() -> [UInt8] { withBytes { Array($0) } }

  /// The length, never the content.
  public var description: String { "Secret(\(count) bytes)" }
}
