import WalletSystem

/// Attributes that reveal a change of a file without reading it.
struct FileStamp: Equatable {
  private let inode: UInt64
  private let size: Int64
  private let modified: FileStatus.Time
  private let changed: FileStatus.Time

  /// Nil if nothing at `path` can be examined.
  init?(path: String) {
    guard let status = try? FileStatus(path: path) else { return nil }
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }

  /// Whether every later change of the file will alter the stamp. That is certain only some seconds
  /// after the last change: file times are coarse, so two quick changes may have the same time.
  var isSettled: Bool { SystemWallClock().now / 1000 - changed.seconds > 2 }
}
