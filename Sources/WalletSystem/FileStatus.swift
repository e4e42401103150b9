internal import CPosix

/// The status of a file.
public struct FileStatus: Sendable {
  /// A time with the precision of the file system.
  public struct Time: Equatable, Sendable {
    /// Seconds since 1970.
    public let seconds: Int64
    public let nanoseconds: Int64
  }

  public let isRegular: Bool
  public let isDirectory: Bool
  /// The nine bits of the permissions.
  public let mode: UInt32
  /// The owner's user id.
  public let owner: UInt32
  /// In bytes.
  public let size: Int64
  /// The file's number in its file system.
  public let inode: UInt64
  /// The last change of the content.
  public let modified: Time
  /// The last change of the content or of this status.
  public let changed: Time

  /// The status of the file at `path`, following symbolic links.
  public init(path: String) throws(SystemError) {
    var status = wallet_file_status()
    try SystemError.check(wallet_file_status_at(path, &status))
    self.init(status)
  }

  /// The status of an open file.
  public init(of file: FileDescriptor) throws(SystemError) {
    var status = wallet_file_status()
    try SystemError.check(wallet_file_status_of(file.number, &status))
    self.init(status)
  }

  /// The status of a name in a directory; nil is the working directory. A symbolic link is not
  /// followed.
  public init(name: String, in directory: FileDescriptor? = nil) throws(SystemError) {
    var status = wallet_file_status()
    try SystemError.check(wallet_file_status_in(directory.number, name, &status))
    self.init(status)
  }

  private init(_ status: wallet_file_status) {
    isRegular = status.is_regular
    isDirectory = status.is_directory
    mode = status.mode
    owner = status.owner
    size = status.size
    inode = status.inode
    modified = Time(
      seconds: status.modified_seconds, nanoseconds: status.modified_nanoseconds)
    changed = Time(seconds: status.changed_seconds, nanoseconds: status.changed_nanoseconds)
  }
}
