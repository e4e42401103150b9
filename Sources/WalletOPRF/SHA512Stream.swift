internal import CSodium

/// SHA-512 over parts, with its state at the start of guarded memory.
final class SHA512Stream {
  static let length = Int(crypto_hash_sha512_BYTES)

  private let memory: GuardedBytes

  init(in memory: GuardedBytes) {
    self.memory = memory
    begin()
  }

  /// Begins anew.
  func begin() { withState { _ = crypto_hash_sha512_init($0) } }

  func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    withState { _ = crypto_hash_sha512_update($0, start, UInt64(bytes.count)) }
  }

  func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Adds a length of at most 65,535 in two bytes (RFC 8017 section 4.1, I2OSP).
  func update(length: Int) {
    update([UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)])
  }

  /// Writes the 64 bytes of the hash. The stream is not used afterwards, unless it begins anew.
  func finish(into output: UnsafeMutablePointer<UInt8>) {
    withState { _ = crypto_hash_sha512_final($0, output) }
  }

  private func withState(_ body: (UnsafeMutablePointer<crypto_hash_sha512_state>) -> Void) {
    memory.withPointer { start in
      start.withMemoryRebound(to: crypto_hash_sha512_state.self, capacity: 1) { body($0) }
    }
  }
}
