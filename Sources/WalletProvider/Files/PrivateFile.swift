#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a file of the provider could not be used. The description names the file and the remedy.
public struct FileProblem: Error, CustomStringConvertible {
  /// A message for the operator.
  public let description: String

  public init(_ description: String) { self.description = description }

  init(path: String, doing action: String, error: Int32) {
    description = "cannot \(action) \(path): \(String(cString: strerror(error)))"
  }
}

/// Small files that only their owner may read, and that are written completely or not at all.
public enum PrivateFile {
  /// Creates the directory `path` with mode 0700 if it does not exist. Its parent must exist.
  public static func createDirectory(_ path: String) throws(FileProblem) {
    guard mkdir(path, 0o700) == 0 else {
      if errno == EEXIST { return }
      throw FileProblem(path: path, doing: "create the directory", error: errno)
    }
    // The directory's content is synced, but without its own entry a power failure could lose all
    // of it. A parent that may be entered but not read cannot be synced.
    let failure = syncDirectory(of: path)
    guard failure == 0 || failure == EACCES else {
      throw FileProblem(path: path, doing: "write", error: failure)
    }
  }

  /// Creates an empty file with mode 0600 if `path` does not exist.
  public static func createEmpty(_ path: String) throws(FileProblem) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
    } else if errno != EEXIST {
      throw FileProblem(path: path, doing: "create", error: errno)
    }
  }

  /// Returns the content of `path`, at most 1 MiB; nil if there is no such file.
  ///
  /// - Parameter secret: true to refuse a file that the group or others may access.
  public static func read(_ path: String, secret: Bool) throws(FileProblem) -> [UInt8]? {
    // Non-blocking, so that a pipe at this path is reported instead of waited for.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw FileProblem(path: path, doing: "read", error: errno)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      throw FileProblem(path: path, doing: "read", error: errno)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw FileProblem("\(path) is a directory and should be a file")
    }
    guard !secret || status.st_mode & 0o077 == 0 || isCredential(path) else {
      throw openSecret(path)
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20 else {
      throw FileProblem("\(path) is not a small regular file")
    }
    return try readAll(file, path: path)
  }

  /// Throws if a secret file exists and the group or others may access it.
  package static func checkSecret(_ path: String) throws(FileProblem) {
    guard let facts = FileFacts(path), facts.isOpenToOthers, !isCredential(path) else { return }
    throw openSecret(path)
  }

  private static func openSecret(_ path: String) -> FileProblem {
    FileProblem(
      "\(path) is secret, but users other than its owner may open it."
        + " If nobody has, run: chmod 600 \(path)")
  }

  /// Whether the service manager keeps `path` for this process alone (systemd.exec(5),
  /// "Credentials"). It may do so with an access control list, which looks like a group permission.
  private static func isCredential(_ path: String) -> Bool {
    guard let directory = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }) else {
      return false
    }
    return directory.hasPrefix("/") && parent(of: path) == directory
  }

  private static func readAll(_ file: Int32, path: String) throws(FileProblem) -> [UInt8] {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while content.count <= 1 << 20 {
      #if canImport(Glibc)
        let count = Glibc.read(file, &buffer, buffer.count)
      #else
        let count = Darwin.read(file, &buffer, buffer.count)
      #endif
      if count == 0 { return content }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileProblem(path: path, doing: "read", error: errno)
      }
      content += buffer.prefix(count)
    }
    throw FileProblem("\(path) is not a small regular file")
  }

  /// Writes `content` to a new file with mode 0600 and renames it to `path` once it is on disk.
  ///
  /// - Parameter replace: false to fail if `path` exists.
  public static func write(
    _ content: [UInt8], to path: String, replace: Bool
  ) throws(FileProblem) {
    let temporary = "\(path).\(getpid()).new"
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileProblem(path: path, doing: "create", error: errno) }
    var failure: Int32 = 0
    var rest = content[...]
    while !rest.isEmpty, failure == 0 {
      #if canImport(Glibc)
        let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      #else
        let count = rest.withUnsafeBytes { Darwin.write(file, $0.baseAddress, $0.count) }
      #endif
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure = errno }
    }
    if failure == 0, fsync(file) != 0 { failure = errno }
    close(file)
    // `link` never replaces a file, `rename` always does. Both are atomic.
    if failure == 0 {
      let status = replace ? rename(temporary, path) : link(temporary, path)
      if status != 0 { failure = errno }
    }
    unlink(temporary)
    if failure == 0 { failure = syncDirectory(of: path) }
    guard failure == 0 else { throw FileProblem(path: path, doing: "write", error: failure) }
  }

  /// The directory that contains `path`.
  static func parent(of path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    let slash = path.lastIndex(of: "/")
    return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Syncs the directory that contains `path`, so that its entries are on disk.
  ///
  /// - Returns: 0, or an error number.
  private static func syncDirectory(of path: String) -> Int32 {
    let directory = open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return errno }
    defer { close(directory) }
    // Some file systems do not support syncing directories.
    return fsync(directory) == 0 || errno == EINVAL ? 0 : errno
  }
}
