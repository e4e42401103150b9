internal import CSodium

/// Guarded memory for one computation with a PIN: the state of a hash, and the values on the way, in one
/// piece. Wiped with its last reference.
final class Workspace {
  /// The state of the hash is first, where the memory is aligned for it.
  private static let stateLength = MemoryLayout<crypto_hash_sha512_state>.stride
  private static let partLength = SHA512Stream.length

  private let memory: GuardedBytes
  /// A hash whose state is here.
  let hash: SHA512Stream

  init() throws(ObliviousPRFError) {
    let memory = try GuardedBytes(count: Self.stateLength + 2 * Self.partLength)
    self.memory = memory
    hash = SHA512Stream(in: memory)
  }

  /// Calls `body` with two places for 64 bytes each, which are zero at first.
  func withPlaces<Result>(
    _ body: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) throws(ObliviousPRFError) ->
      Result
  ) throws(ObliviousPRFError) -> Result {
    try memory.withPointer { start throws(ObliviousPRFError) in
      let first = start + Self.stateLength
      return try body(first, first + Self.partLength)
    }
  }
}
