import WalletSystem

/// Keeps two processes from making the same keys at the same time. Held only while a data directory
/// is opened; afterwards any number of processes can share the directory.
package struct DirectoryLock: ~Copyable {
  private let file: FileDescriptor

  /// Waits until no other process is opening the directory.
  package init(directory: String) throws(FileProblem) {
    let path = directory + "/lock"
    let file = try FileProblem.attempt("create", path) { () throws(SystemError) in
      try FileDescriptor(opening: path, [.readingAndWriting, .creating], mode: 0o600)
    }
    do throws(SystemError) {
      try file.lock(waits: true)
    } catch {
      file.close()
      throw FileProblem(path: path, doing: "lock", error: error)
    }
    self.file = file
  }

  deinit { file.close() }
}
