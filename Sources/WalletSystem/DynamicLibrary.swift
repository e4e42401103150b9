internal import CPosix

/// A library that was loaded at run time and stays loaded.
public struct DynamicLibrary {
  /// The handle that C functions take.
  public let handle: UnsafeMutableRawPointer

  /// Loads a library and its dependencies; nil on failure. Other libraries do not see its symbols.
  public init?(_ name: String) {
    guard let handle = wallet_library_open(name) else { return nil }
    self.handle = handle
  }

  /// A symbol of the library or of its dependencies.
  public func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    wallet_library_symbol(handle, name)
  }

  /// Makes OpenSSL keep its memory until the process is gone, if the library uses OpenSSL and
  /// nothing in the process has used it before. OpenSSL's exit handler frees this memory while
  /// other threads may still use it, and the process then ends by a signal.
  ///
  /// - Returns: Whether OpenSSL can be used; false once its exit handler has run.
  public func keepOpenSSLUntilTheEnd() -> Bool {
    guard let symbol = symbol("OPENSSL_init_crypto") else { return true }
    typealias Start = @convention(c) (UInt64, OpaquePointer?) -> Int32
    let withoutExitHandler: UInt64 = 0x0008_0000  // OPENSSL_INIT_NO_ATEXIT
    return unsafeBitCast(symbol, to: Start.self)(withoutExitHandler, nil) == 1
  }
}
