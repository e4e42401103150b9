public import WalletModel
internal import WalletPlatform
internal import WalletSystem

/// Small files in the storage directory, replaced as a whole.
extension StorageDirectory {
  /// Returns the content of a file, or nil if there is none.
  ///
  /// - Parameter limit: The maximum length of the file, in bytes.
  /// - Throws: `storageCorrupt` if the file is longer or is not a regular file,
  ///   `storageUnavailable` if it cannot be read.
  public func readFile(_ name: String, limit: Int) throws(WalletError) -> [UInt8]? {
    try Self.check(name)
    return try withDescriptor { (directory) throws(WalletError) in
      let file: FileDescriptor
      do throws(SystemError) {
        file = try FileDescriptor(
          opening: name, in: directory, [.withoutFollowing, .withoutWaiting])
      } catch {
        guard error != .noSuchFile else { return nil }
        guard error != .tooManyLinks else {
          throw StorageFailure.corrupt("\(name) is not a regular file")
        }
        throw StorageFailure.system(error, "open \(name)")
      }
      defer { file.close() }
      return try Self.readAll(file, name, limit: limit)
    }
  }

  private static func readAll(
    _ file: FileDescriptor, _ name: String, limit: Int
  ) throws(WalletError) -> [UInt8] {
    let content = try StorageFailure.attempt("read \(name)") {
      () throws(SystemError) -> [UInt8]?? in
      guard try FileStatus(of: file).isRegular else { return nil }
      return .some(try file.readAll(limit: limit))
    }
    guard let content else { throw StorageFailure.corrupt("\(name) is not a regular file") }
    guard let content else {
      throw StorageFailure.corrupt("\(name) is longer than \(limit) bytes")
    }
    return content
  }

  /// Replaces a file, with mode 0600. After a crash at any moment there is either the old content
  /// or the new one, and once this returns the new content survives a power failure.
  ///
  /// - Throws: `storageFull` or `storageUnavailable`. The file then has its old content. Only if
  ///   the last fsync failed, it already has the new one, which a power failure may undo.
  public func replaceFile(_ name: String, with content: [UInt8]) throws(WalletError) {
    try Self.check(name)
    let temporary = ".\(name).new"
    try withDescriptor { (directory) throws(WalletError) in
      do throws(WalletError) {
        try Self.write(content, to: temporary, for: name, in: directory)
        environment.passCrashPoint("storage.replace-file.\(name).before-commit")
        try StorageFailure.attempt("replace \(name)") { () throws(SystemError) in
          try FileSystem.rename(temporary, to: name, in: directory)
        }
      } catch {
        try? FileSystem.delete(temporary, in: directory)
        throw error
      }
      try StorageFailure.attempt("replace \(name)") { () throws(SystemError) in
        try directory.synchronise()
      }
      environment.passCrashPoint("storage.replace-file.\(name).after-commit")
    }
  }

  /// Creates a file that only its owner can read, whatever the umask, and opens it for writing.
  private static func create(
    _ newName: String, for name: String, in directory: FileDescriptor
  ) throws(WalletError) -> FileDescriptor {
    let mode: UInt32 = 0o600
    return try StorageFailure.attempt("create \(name)") { () throws(SystemError) in
      let file = try FileDescriptor(
        opening: newName, in: directory, [.writing, .creating, .exclusively, .withoutFollowing],
        mode: mode)
      do throws(SystemError) {
        try file.setMode(mode)
      } catch {
        file.close()
        throw error
      }
      return file
    }
  }

  private static func write(
    _ content: [UInt8], to temporary: String, for name: String, in directory: FileDescriptor
  ) throws(WalletError) {
    // Removes what a crash may have left.
    try? FileSystem.delete(temporary, in: directory)
    let file = try create(temporary, for: name, in: directory)
    defer { file.close() }
    try StorageFailure.attempt("write \(name)") { () throws(SystemError) in
      try file.write(content)
      try file.synchronise()
    }
  }

  /// Creates an empty file with mode 0600, which must not exist yet.
  func createEmptyFile(_ name: String) throws(WalletError) {
    try withDescriptor { (directory) throws(WalletError) in
      let file = try Self.create(name, for: name, in: directory)
      file.close()
    }
  }

  /// Renames a file that is complete on disk and makes the new name durable.
  func renameFile(_ name: String, to newName: String) throws(WalletError) {
    try withDescriptor { (directory) throws(WalletError) in
      try StorageFailure.attempt("create \(newName)") { () throws(SystemError) in
        try FileSystem.rename(name, to: newName, in: directory)
        try directory.synchronise()
      }
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
        do throws(SystemError) {
          try FileSystem.delete(name, in: directory)
        } catch {
          guard error == .noSuchFile else { throw StorageFailure.system(error, "delete \(name)") }
          continue
        }
        environment.passCrashPoint("storage.delete-file.\(name)")
      }
      try StorageFailure.attempt("delete files") { () throws(SystemError) in
        try directory.synchronise()
      }
    }
  }

  /// Returns the length of a file in bytes; nil if there is none.
  func length(of name: String) throws(WalletError) -> Int64? {
    try withDescriptor { (directory) throws(WalletError) in
      do throws(SystemError) {
        return try FileStatus(name: name, in: directory).size
      } catch {
        guard error == .noSuchFile else {
          throw StorageFailure.system(error, "look for \(name)")
        }
        return nil
      }
    }
  }
}
