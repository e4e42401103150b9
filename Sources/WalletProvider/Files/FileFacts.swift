import WalletSystem

/// What the file system says of a path.
package struct FileFacts {
  package let isDirectory: Bool
  /// The nine bits.
  package let mode: UInt32
  package let owner: UInt32
  /// Seconds since 1970.
  package let modified: Int64

  /// Nil when there is nothing, or nothing that may be asked.
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

  /// Whether anybody but the owner may do anything with it.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }

  /// Whether anybody but the owner may change it.
  package var othersMayChange: Bool { mode & 0o022 != 0 }
}
