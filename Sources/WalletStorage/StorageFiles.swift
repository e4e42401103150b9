internal import Glibc
public import WalletModel
internal import WalletPlatform

/// Small files in the storage directory, replaced as a whole.
extension StorageDirectory {
  /// Returns the content of a file, or nil if there is none.
  ///
  /// - Parameter limit: The maximum length of the file, in bytes.
  /// - Throws: `storageCorrupt` for a longer file or what is not a regular file,
  ///   `storageUnavailable` if it cannot be read.
  public func readFile(_ name: String, limit: Int) throws(WalletError) -> [UInt8]? {
    try Self.check(name)
    return try withDescriptor { (directory) throws(WalletError) in
      let file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else {
        guard errno != ENOENT else { return nil }
        guard errno != ELOOP else { throw StorageFailure.corrupt("\(name) is not a regular file") }
        throw StorageFailure.system(errno, "open \(name)")
      }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw StorageFailure.system(errno, "read \(name)") }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw StorageFailure.corrupt("\(name) is not a regular file")
      }
      return try Self.readAll(file, name, limit: limit)
    }
  }

  private static func readAll(
    _ file: Int32, _ name: String, limit: Int
  ) throws(WalletError) -> [UInt8] {
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = read(file, &piece, piece.count)
      if count < 0 {
        guard errno == EINTR else { throw StorageFailure.system(errno, "read \(name)") }
        continue
      }
      guard count > 0 else { return content }
      content.append(contentsOf: piece.prefix(count))
      guard content.count <= limit else {
        throw StorageFailure.corrupt("\(name) is longer than \(limit) bytes")
      }
    }
  }

  /// Replaces a file, with mode 0600. After a crash at any moment there is either the old content
  /// or the new one, and once this returns the new content survives a power failure.
  ///
  /// - Throws: `storageFull` or `storageUnavailable`. The old content is then unchanged, unless
  ///   only the last fsync failed.
  public func replaceFile(_ name: String, with content: [UInt8]) throws(WalletError) {
    try Self.check(name)
    let temporary = ".\(name).new"
    try withDescriptor { (directory) throws(WalletError) in
      do throws(WalletError) {
        try Self.write(content, to: temporary, for: name, in: directory)
        world.passCrashPoint("storage.replace-file.\(name).before-commit")
        guard renameat(directory, temporary, directory, name) == 0 else {
          throw StorageFailure.system(errno, "replace \(name)")
        }
      } catch {
        unlinkat(directory, temporary, 0)
        throw error
      }
      try Self.synchronise(directory, "replace \(name)")
      world.passCrashPoint("storage.replace-file.\(name).after-commit")
    }
  }

  /// Creates a file that only its owner can read, whatever the umask, and opens it for writing.
  private static func create(
    _ newName: String, for name: String, in directory: Int32
  ) throws(WalletError) -> Int32 {
    let mode = S_IRUSR | S_IWUSR
    let file = openat(
      directory, newName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard file >= 0 else { throw StorageFailure.system(errno, "create \(name)") }
    guard fchmod(file, mode) == 0 else {
      let code = errno
      close(file)
      throw StorageFailure.system(code, "create \(name)")
    }
    return file
  }

  private static func write(
    _ content: [UInt8], to temporary: String, for name: String, in directory: Int32
  ) throws(WalletError) {
    // Removes what a crash may have left.
    unlinkat(directory, temporary, 0)
    let file = try create(temporary, for: name, in: directory)
    defer { close(file) }
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0 {
        guard errno == EINTR else { throw StorageFailure.system(errno, "write \(name)") }
        continue
      }
      rest = rest.dropFirst(count)
    }
    try synchronise(file, "write \(name)")
  }

  /// Creates an empty file with mode 0600, which must not exist yet.
  func createEmptyFile(_ name: String) throws(WalletError) {
    try withDescriptor { (directory) throws(WalletError) in
      let file = try Self.create(name, for: name, in: directory)
      close(file)
    }
  }

  /// Renames a file that is complete on disk and makes the new name durable.
  func renameFile(_ name: String, to newName: String) throws(WalletError) {
    try withDescriptor { (directory) throws(WalletError) in
      guard renameat(directory, name, directory, newName) == 0 else {
        throw StorageFailure.system(errno, "create \(newName)")
      }
      try Self.synchronise(directory, "create \(newName)")
    }
  }

  /// Deletes a file permanently; an absent file is not an error.
  public func deleteFile(_ name: String) throws(WalletError) {
    try Self.check(name)
    try deleteFiles([name])
  }

  /// Deletes all of `names`, in order, and makes the deletion durable.
  func deleteFiles(_ names: [String]) throws(WalletError) {
    try withDescriptor { (directory) throws(WalletError) in
      for name in names {
        guard unlinkat(directory, name, 0) == 0 else {
          guard errno == ENOENT else { throw StorageFailure.system(errno, "delete \(name)") }
          continue
        }
        world.passCrashPoint("storage.delete-file.\(name)")
      }
      try Self.synchronise(directory, "delete files")
    }
  }

  /// Returns the length of a file in bytes; nil if there is none.
  func length(of name: String) throws(WalletError) -> Int64? {
    try withDescriptor { (directory) throws(WalletError) in
      var status = stat()
      guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else {
        return Int64(status.st_size)
      }
      guard errno == ENOENT else { throw StorageFailure.system(errno, "look for \(name)") }
      return nil
    }
  }

  /// Makes what was written to a file or directory survive a power failure.
  static func synchronise(_ file: Int32, _ purpose: String) throws(WalletError) {
    guard fsync(file) == 0 else { throw StorageFailure.system(errno, purpose) }
  }
}
