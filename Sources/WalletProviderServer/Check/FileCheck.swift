#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the file system says of a path.
struct FileFacts {
  let isDirectory: Bool
  /// The nine bits.
  let mode: UInt32
  let owner: UInt32
  /// Seconds since 1970.
  let modified: Int64

  /// Nil when there is nothing, or nothing that may be asked.
  init?(_ path: String) {
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

  static func isWritable(_ path: String) -> Bool { access(path, W_OK | X_OK) == 0 }
}

/// Looks at who may do what with files.
enum FileCheck {
  /// Whoever can write the file decides what the server does.
  static func configurationFile(_ path: String?) -> [Finding] {
    guard let path, let facts = FileFacts(path), facts.mode & 0o022 != 0 else { return [] }
    return [
      Finding(.wrong, "settings", "others may change \(path). Run: chmod go-w \(path)")
    ]
  }

  /// A secret directory or file.
  static func secret(_ path: String, _ subject: String, mode: String) -> [Finding] {
    guard let facts = FileFacts(path) else { return [] }
    var findings: [Finding] = []
    if facts.mode & 0o077 != 0 {
      findings.append(
        Finding(.wrong, subject, "others may open \(path). Run: chmod \(mode) \(path)"))
    }
    if facts.owner != geteuid() {
      findings.append(
        Finding(
          .note, subject,
          "\(path) belongs to the user with id \(facts.owner), and this runs as \(geteuid())"))
    }
    return findings
  }
}
