import WalletSystem

/// The file system's attributes of a path.
package struct FileFacts {
  package let isDirectory: Bool
  /// The nine permission bits.
  package let mode: UInt32
  package let owner: UInt32
  /// Seconds since 1970.
  package let modified: Int64

  /// Nil if the path does not exist or cannot be examined.
  package init?(_ path: String) {
    guard let status = try? FileStatus(path: path) else { return nil }
    self.init(status)
  }

  init(_ status: FileStatus) {
    isDirectory = status.isDirectory
    mode = status.mode
    owner = status.owner
    modified = status.modified.seconds
  }

  /// Whether the owner is neither the user of this process nor root, who may do everything anyway.
  package var isForeign: Bool { owner != CurrentProcess.effectiveUser && owner != 0 }

  /// Whether anyone but the owner has any access.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }

  /// Whether anyone but the owner may write.
  package var othersMayChange: Bool { mode & 0o022 != 0 }
}
