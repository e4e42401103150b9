#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeps two processes from making the same keys at the same time. Held only while a data directory
/// is opened; afterwards any number of processes can share it.
struct DirectoryLock: ~Copyable {
  private let file: Int32

  /// Waits until no other process is opening the directory.
  init(directory: String) throws(FileProblem) {
    let path = directory + "/lock"
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileProblem(path: path, doing: "create", error: errno) }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let error = errno
        close(file)
        throw FileProblem(path: path, doing: "lock", error: error)
      }
    }
  }

  deinit { close(file) }
}
