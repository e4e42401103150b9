internal import CPosix

/// A library that was loaded at run time and stays loaded.
public struct DynamicLibrary {
  /// What C functions take for it.
  public let handle: UnsafeMutableRawPointer

  /// Loads a library with all it needs; nil where that fails. Others do not see its symbols.
  public init?(_ name: String) {
    guard let handle = wallet_library_open(name) else { return nil }
    self.handle = handle
  }

  /// A symbol of the library or of those that it needs.
  public func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    wallet_library_symbol(handle, name)
  }
}
