import WalletSystem

/// What tells a file from the same file after a change, without reading it.
struct FileStamp: Equatable {
  private let inode: UInt64
  private let size: Int64
  private let modified: FileStatus.Time
  private let changed: FileStatus.Time

  /// Nil when there is nothing at `path` that could be asked.
  init?(path: String) {
    guard let status = try? FileStatus(path: path) else { return nil }
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }

  /// Whether a further change must show. The times of a file are coarser than the work of those who
  /// write it, so two changes at once may look like one.
  var isSettled: Bool { SystemWallClock().now / 1000 - changed.seconds > 2 }
}
