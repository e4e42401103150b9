import WalletSystem

/// Why a file of the provider could not be used. The description names the file and the remedy.
public struct FileProblem: Error, CustomStringConvertible {
  /// A message for the operator.
  public let description: String

  public init(_ description: String) { self.description = description }

  init(path: String, doing action: String, error: SystemError) {
    description = "cannot \(action) \(path): \(error.text)"
  }

  /// Runs system calls that attempt to do `action` with `path`.
  static func attempt<Result>(
    _ action: String, _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(FileProblem) -> Result {
    do { return try body() } catch { throw FileProblem(path: path, doing: action, error: error) }
  }
}

/// Small files that only their owner may read, and that are written completely or not at all.
public enum PrivateFile {
  /// Creates the directory `path` with mode 0700 if it does not exist. Its parent must exist.
  public static func createDirectory(_ path: String) throws(FileProblem) {
    do throws(SystemError) {
      try FileSystem.createDirectory(path, mode: 0o700)
    } catch {
      if error == .fileExists { return }
      throw FileProblem(path: path, doing: "create the directory", error: error)
    }
    // Puts the directory's name on disk. Its files are synced when they are written, but if the
    // name were missing after a power failure, all of them would be lost.
    do throws(SystemError) {
      try syncDirectory(of: path)
    } catch {
      // A parent that may be entered but not read cannot be synced.
      if error == .accessDenied { return }
      throw FileProblem(path: path, doing: "write", error: error)
    }
  }

  /// Creates an empty file with mode 0600 if `path` does not exist.
  public static func createEmpty(_ path: String) throws(FileProblem) {
    do throws(SystemError) {
      try FileDescriptor(opening: path, [.writing, .creating, .exclusively], mode: 0o600).close()
    } catch {
      if error == .fileExists { return }
      throw FileProblem(path: path, doing: "create", error: error)
    }
  }

  /// Returns the content of `path`, at most 1 MiB; nil if there is no such file. A file that others
  /// own or may change is refused.
  ///
  /// - Parameter secret: true to refuse a file that the group or others may access.
  public static func read(_ path: String, secret: Bool) throws(FileProblem) -> [UInt8]? {
    guard let (file, status) = try opened(path, .withoutWaiting, secret: secret) else { return nil }
    defer { file.close() }
    let limit = 1 << 20
    guard status.size <= limit,
      let content = try FileProblem.attempt(
        "read", path, { () throws(SystemError) in try file.readAll(limit: limit) })
    else { throw FileProblem("\(path) is not a small regular file") }
    return content
  }

  /// Opens `path` and returns its status too; nil if there is no such file. Refuses what `read` refuses.
  ///
  /// - Parameter options: with `withoutWaiting`, so that a pipe at this path is reported instead of
  ///   waited for.
  static func opened(
    _ path: String, _ options: FileDescriptor.Options, secret: Bool
  ) throws(FileProblem) -> (file: FileDescriptor, status: FileStatus)? {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor(opening: path, options)
    } catch {
      if error == .noSuchFile { return nil }
      throw FileProblem(path: path, doing: "read", error: error)
    }
    do throws(FileProblem) {
      let status = try FileProblem.attempt("read", path) { () throws(SystemError) in
        try FileStatus(of: file)
      }
      guard !status.isDirectory else {
        throw FileProblem("\(path) is a directory and should be a file")
      }
      guard status.isRegular else { throw FileProblem("\(path) is not a small regular file") }
      if let problem = FileRules.problem(path, FileFacts(status), secret: secret) { throw problem }
      return (file, status)
    } catch {
      file.close()
      throw error
    }
  }

  /// Throws if a secret file exists and is not safe: others may access it, or its owner is neither
  /// this process's user nor root.
  package static func checkSecret(_ path: String) throws(FileProblem) {
    guard let facts = FileFacts(path) else { return }
    if let problem = FileRules.problem(path, facts, secret: true) { throw problem }
  }

  /// Writes `content` to a new file and gives it the name `path` when it is on disk.
  ///
  /// - Parameters:
  ///   - replace: false to fail if `path` exists.
  ///   - mode: the permissions, less those of the umask.
  public static func write(
    _ content: [UInt8], to path: String, replace: Bool, mode: UInt32 = 0o600
  ) throws(FileProblem) {
    let temporary = "\(path).\(CurrentProcess.identifier).new"
    try? FileSystem.delete(temporary)
    let file = try FileProblem.attempt("create", path) { () throws(SystemError) in
      try FileDescriptor(
        opening: temporary, [.writing, .creating, .exclusively], mode: mode)
    }
    try FileProblem.attempt("write", path) { () throws(SystemError) in
      defer { try? FileSystem.delete(temporary) }
      do {
        defer { file.close() }
        try file.write(content)
        try file.synchronise()
      }
      // `link` never replaces a file, `rename` always does; both are atomic.
      if replace {
        try FileSystem.rename(temporary, to: path)
      } else {
        try FileSystem.link(temporary, to: path)
      }
    }
    try FileProblem.attempt("write", path) { () throws(SystemError) in try syncDirectory(of: path) }
  }

  /// The directory that contains `path`.
  static func parent(of path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    let slash = path.lastIndex(of: "/")
    return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Puts the names in the directory that contains `path` on disk.
  private static func syncDirectory(of path: String) throws(SystemError) {
    let directory = try FileDescriptor(opening: parent(of: path), .directory)
    defer { directory.close() }
    do throws(SystemError) {
      try directory.synchronise()
    } catch {
      // Some file systems cannot sync directories.
      guard error == .invalidArgument else { throw error }
    }
  }
}
