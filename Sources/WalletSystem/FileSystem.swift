internal import CPosix

/// Names of files and directories. A relative path begins at the process's directory where no other
/// is given.
public enum FileSystem {
  /// Gives a file another name, in place of a file of that name; atomic.
  public static func rename(
    _ path: String, to newPath: String, in directory: FileDescriptor? = nil
  ) throws(SystemError) {
    try SystemError.check(wallet_file_rename(directory.number, path, newPath))
  }

  /// Gives a file a second name that must not be there; atomic.
  public static func link(_ path: String, to secondPath: String) throws(SystemError) {
    try SystemError.check(wallet_file_link(path, secondPath))
  }

  /// Deletes a name; the file goes with its last one.
  public static func delete(
    _ path: String, in directory: FileDescriptor? = nil
  ) throws(SystemError) {
    try SystemError.check(wallet_file_delete(directory.number, path))
  }

  /// Makes a directory with permissions `mode`, less those of the umask.
  public static func createDirectory(_ path: String, mode: UInt32) throws(SystemError) {
    try SystemError.check(wallet_directory_create(path, mode))
  }

  /// Throws unless the process may do all of this with `path`; `entering` a file is executing it.
  public static func checkAccess(
    to path: String, reading: Bool = false, writing: Bool = false, entering: Bool = false
  ) throws(SystemError) {
    try SystemError.check(wallet_file_check_access(path, reading, writing, entering))
  }

  /// The absolute path of what is there, without symbolic links.
  public static func resolve(_ path: String) throws(SystemError) -> String {
    var resolved: UnsafeMutablePointer<CChar>?
    try SystemError.check(wallet_file_resolve(path, &resolved))
    guard let resolved else { throw .invalidArgument }
    defer { wallet_file_free_path(resolved) }
    return String(cString: resolved)
  }
}
