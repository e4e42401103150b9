#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file system's attributes of a path.
package struct FileFacts {
  package let isDirectory: Bool
  /// The nine permission bits.
  package let mode: UInt32
  package let owner: UInt32
  /// Seconds since 1970.
  package let modified: Int64

  /// Nil if the path does not exist or cannot be examined; `errno` says which.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    mode = UInt32(status.st_mode) & 0o777
    owner = UInt32(status.st_uid)
    #if canImport(Glibc)
      modified = Int64(status.st_mtim.tv_sec)
    #else
      modified = Int64(status.st_mtimespec.tv_sec)
    #endif
  }

  /// Whether anyone but the owner has any access.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }

  /// Whether anyone but the owner may write.
  package var othersMayChange: Bool { mode & 0o022 != 0 }
}
