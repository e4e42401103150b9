internal import CSodium

/// Random bytes that need not be kept secret: salts, nonces, identifiers.
public enum Random {
  /// Returns `count` bytes of the system's cryptographic source.
  public static func bytes(_ count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    _ = Sodium.isReady
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
      if let start = buffer.baseAddress { randombytes_buf(start, count) }
      initialised = count
    }
  }
}
