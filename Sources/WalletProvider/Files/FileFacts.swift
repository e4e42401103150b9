#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the file system says of a path.
package struct FileFacts {
  package let isDirectory: Bool
  /// The nine bits.
  package let mode: UInt32
  package let owner: UInt32
  /// Seconds since 1970.
  package let modified: Int64

  /// Nil when there is nothing, or nothing that may be asked; `errno` says which.
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

  /// Whether anybody but the owner may do anything with it.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }

  /// Whether anybody but the owner may change it.
  package var othersMayChange: Bool { mode & 0o022 != 0 }
}
