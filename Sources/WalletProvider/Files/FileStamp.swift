#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Attributes that reveal a change of a file without reading it.
struct FileStamp: Equatable {
  private let inode: UInt64
  private let size: Int64
  private let changed: Time
  private let statusChanged: Time

  private struct Time: Equatable {
    let seconds: Int64
    let nanoseconds: Int64

    init(_ time: timespec) {
      seconds = Int64(time.tv_sec)
      nanoseconds = Int64(time.tv_nsec)
    }
  }

  /// Nil if nothing at `path` can be examined.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Glibc)
      changed = Time(status.st_mtim)
      statusChanged = Time(status.st_ctim)
    #else
      changed = Time(status.st_mtimespec)
      statusChanged = Time(status.st_ctimespec)
    #endif
  }

  /// Whether any further change would alter the stamp. File times are coarse, so two changes in
  /// quick succession may look like one.
  var isSettled: Bool { SystemWallClock().now / 1000 - statusChanged.seconds > 2 }
}
