internal import CSodium

/// Wiping of ordinary memory.
public enum Memory {
  /// Overwrites `bytes` with zeros; never optimised away.
  public static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    sodium_memzero(start, bytes.count)
  }
}
