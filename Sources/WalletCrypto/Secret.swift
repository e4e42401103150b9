internal import CSodium

/// Bytes that must not be read by anyone else: in guarded memory, never swapped or dumped where the
/// system allows, wiped when the last reference goes.
///
/// Never describes its content. Compare secrets with `isEqual(to:)`, in constant time.
public final class Secret: Sendable, CustomStringConvertible {
  /// The number of bytes.
  public let count: Int

  // Written only in the initialisers, before anyone else has the object; read-only from then on, also for
  // the processor, until its one owner wipes it. So sharing it between threads is safe.
  private let block: GuardedBlock
  private var memory: UnsafeMutableRawPointer { block.bytes(count) }

  /// Whether the pages of every secret so far could be locked into memory. libsodium ignores a
  /// refusal (RLIMIT_MEMLOCK); the runtime asks once and logs it.
  public static func pagesCanBeLocked() -> Bool {
    guard Sodium.isReady else { return false }
    let size = 4096
    guard let probe = sodium_malloc(size) else { return false }
    defer { sodium_free(probe) }
    return sodium_mlock(probe, size) == 0
  }

  /// Makes a secret of `count` bytes, filled by `fill`; what `fill` leaves is zero.
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

  deinit { block.giveBack(count) }

  /// Copies `bytes`.
  public convenience init(copying bytes: UnsafeRawBufferPointer) throws {
    try self.init(count: bytes.count) { target in
      if bytes.count > 0 { target.copyMemory(from: bytes) }
    }
  }

  /// Copies `bytes`, for content that is not secret or whose copy is wiped by the caller.
  public convenience init(copying bytes: [UInt8]) throws {
    try self.init(count: bytes.count) { target in target.copyBytes(from: bytes) }
  }

  /// `count` random bytes.
  public static func random(count: Int) throws -> Secret {
    try filled(count: count) { randombytes_buf($0, count) }
  }

  /// Calls `body` with the bytes, which must not leave it.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// Overwrites the bytes with zeros where they lie: for its one owner, where somebody outside knows the
  /// address and may still read there.
  public func wipe() { block.wipe(count) }

  /// The bytes as libsodium wants them; never nil, also for no bytes.
  func withPointer<Result>(_ body: (UnsafePointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)))
  }

  /// Makes a secret whose `count` bytes `fill` writes through a pointer that is never nil.
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

  /// Whether both hold the same bytes; takes the same time wherever they differ.
  public func isEqual(to other: Secret) -> Bool {
    guard count == other.count else { return false }
    return withPointer { mine in
      other.withPointer { theirs in sodium_memcmp(mine, theirs, count) == 0 }
    }
  }

  /// The bytes as an ordinary array, for what turned out not to be secret (a public key, a signature).
  public func disclosed() -> [UInt8] { withBytes { Array($0) } }

  /// Never the content.
  public var description: String { "Secret(\(count) bytes)" }
}
