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
}
