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

  /// Whether any further change would alter the stamp. File times are coarse, so two changes in
  /// quick succession may look like one.
  var isSettled: Bool { SystemWallClock().now / 1000 - changed.seconds > 2 }
}
