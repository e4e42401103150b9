internal import CPosix

/// Operations on the names of files and directories. A relative path starts at the working
/// directory unless another one is given.
public enum FileSystem {
  /// Renames a file and replaces a file that has the new name; atomic.
  public static func rename(
    _ path: String, to newPath: String, in directory: FileDescriptor? = nil
  ) throws(SystemError) {
    try SystemError.check(wallet_file_rename(directory.number, path, newPath))
  }

  /// Adds a second name to a file; atomic. Fails if the name exists.
  public static func link(_ path: String, to secondPath: String) throws(SystemError) {
    try SystemError.check(wallet_file_link(path, secondPath))
  }

  /// Deletes a name of a file. The file is deleted with its last name.
  public static func delete(
    _ path: String, in directory: FileDescriptor? = nil
  ) throws(SystemError) {
    try SystemError.check(wallet_file_delete(directory.number, path))
  }

  /// Makes a directory with permissions `mode`, less those of the umask.
  public static func createDirectory(_ path: String, mode: UInt32) throws(SystemError) {
    try SystemError.check(wallet_directory_create(path, mode))
  }

  /// Throws unless the process may do all of this with `path`. For a file, entering means
  /// executing.
  public static func checkAccess(
    to path: String, reading: Bool = false, writing: Bool = false, entering: Bool = false
  ) throws(SystemError) {
    try SystemError.check(wallet_file_check_access(path, reading, writing, entering))
  }

  /// The absolute path of an existing file, without symbolic links.
  public static func resolve(_ path: String) throws(SystemError) -> String {
    var resolved: UnsafeMutablePointer<CChar>?
    try SystemError.check(wallet_file_resolve(path, &resolved))
    guard let resolved else { throw .invalidArgument }
    defer { wallet_file_free_path(resolved) }
    return String(cString: resolved)
  }
}
