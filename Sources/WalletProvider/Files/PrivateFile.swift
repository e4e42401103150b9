import WalletSystem

/// Why a file of the provider could not be used; the description names it and the way out.
public struct FileProblem: Error, CustomStringConvertible {
  /// For the person who runs the provider.
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

/// Small files that only their owner may read, written so that they are there whole or not at all.
public enum PrivateFile {
  /// Creates `path` with mode 0700 unless it is there; parents must exist.
  public static func createDirectory(_ path: String) throws(FileProblem) {
    do throws(SystemError) {
      try FileSystem.createDirectory(path, mode: 0o700)
    } catch {
      if error == .fileExists { return }
      throw FileProblem(path: path, doing: "create the directory", error: error)
    }
    // What is in it is synced; without its own name a power cut could take all of that away.
    do throws(SystemError) {
      try syncDirectory(of: path)
    } catch {
      // A parent that may be entered and not read cannot be synced by us.
      if error == .accessDenied { return }
      throw FileProblem(path: path, doing: "write", error: error)
    }
  }

  /// Creates an empty `path` with mode 0600 unless it is there.
  public static func createEmpty(_ path: String) throws(FileProblem) {
    do throws(SystemError) {
      try FileDescriptor(opening: path, [.writing, .creating, .exclusively], mode: 0o600).close()
    } catch {
      if error == .fileExists { return }
      throw FileProblem(path: path, doing: "create", error: error)
    }
  }

  /// The content of `path`, at most 1 MiB; nil when there is no such file.
  ///
  /// - Parameter secret: refuse a file that group or others may open.
  public static func read(_ path: String, secret: Bool) throws(FileProblem) -> [UInt8]? {
    let file: FileDescriptor
    do throws(SystemError) {
      // A pipe in its place is told so, and not waited for.
      file = try FileDescriptor(opening: path, .withoutWaiting)
    } catch {
      if error == .noSuchFile { return nil }
      throw FileProblem(path: path, doing: "read", error: error)
    }
    defer { file.close() }
    let status = try FileProblem.attempt("read", path) { () throws(SystemError) in
      try FileStatus(of: file)
    }
    guard !status.isDirectory else {
      throw FileProblem("\(path) is a directory and should be a file")
    }
    guard !secret || status.mode & 0o077 == 0 || isCredential(path) else {
      throw openSecret(path)
    }
    let limit = 1 << 20
    guard status.isRegular, status.size <= limit,
      let content = try FileProblem.attempt(
        "read", path, { () throws(SystemError) in try file.readAll(limit: limit) })
    else { throw FileProblem("\(path) is not a small regular file") }
    return content
  }

  /// Refuses a secret file that group or others may open, if it is there.
  package static func checkSecret(_ path: String) throws(FileProblem) {
    guard let facts = FileFacts(path), facts.isOpenToOthers, !isCredential(path) else { return }
    throw openSecret(path)
  }

  private static func openSecret(_ path: String) -> FileProblem {
    FileProblem(
      "\(path) is secret and others than its owner may open it."
        + " If nobody has, run: chmod 600 \(path)")
  }

  /// Whether the service manager keeps `path` for this process alone (systemd.exec(5), "Credentials"). It may
  /// do so by an access control list, which looks like a mode for the group.
  private static func isCredential(_ path: String) -> Bool {
    guard let directory = ProcessEnvironment.value("CREDENTIALS_DIRECTORY") else { return false }
    return directory.hasPrefix("/") && parent(of: path) == directory
  }

  /// Writes `content` to a new file with mode 0600 and gives it the name `path` when it is on disk.
  ///
  /// - Parameter replace: false refuses when `path` is there already.
  public static func write(
    _ content: [UInt8], to path: String, replace: Bool
  ) throws(FileProblem) {
    let temporary = "\(path).\(CurrentProcess.identifier).new"
    try? FileSystem.delete(temporary)
    let file = try FileProblem.attempt("create", path) { () throws(SystemError) in
      try FileDescriptor(
        opening: temporary, [.writing, .creating, .exclusively], mode: 0o600)
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

  /// The directory that `path` is in.
  static func parent(of path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    let slash = path.lastIndex(of: "/")
    return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Puts the names in the directory of `path` on disk.
  private static func syncDirectory(of path: String) throws(SystemError) {
    let directory = try FileDescriptor(opening: parent(of: path), .directory)
    defer { directory.close() }
    do throws(SystemError) {
      try directory.synchronise()
    } catch {
      // Some file systems know no such thing.
      guard error == .invalidArgument else { throw error }
    }
  }
}
