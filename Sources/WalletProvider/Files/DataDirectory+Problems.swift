#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DataDirectory {
  /// The reasons why a provider cannot keep its secrets in `path`; empty if it can, or if the
  /// directory does not exist and can be made. Both the start and the check use these rules.
  package static func problems(of path: String) -> [FileProblem] {
    guard let facts = FileFacts(path) else {
      guard errno == ENOENT else { return [FileProblem(path: path, doing: "open", error: errno)] }
      return problems(ofMaking: path)
    }
    guard facts.isDirectory else { return [FileProblem("\(path) is not a directory")] }
    var problems: [FileProblem] = []
    if facts.isOpenToOthers {
      problems.append(FileProblem("others may open \(path). Run: chmod 700 \(path)"))
    }
    if access(path, R_OK | W_OK | X_OK) != 0 {
      problems.append(unwritable(path, facts, error: errno))
    }
    return problems
  }

  private static func problems(ofMaking path: String) -> [FileProblem] {
    let parent = PrivateFile.parent(of: path)
    guard let facts = FileFacts(parent) else {
      return [FileProblem("there is no directory \(parent) to make \(path) in")]
    }
    guard facts.isDirectory else { return [FileProblem("\(parent) is not a directory")] }
    guard access(parent, W_OK | X_OK) == 0 else { return [unwritable(parent, facts, error: errno)] }
    return []
  }

  private static func unwritable(
    _ path: String, _ facts: FileFacts, error: Int32
  ) -> FileProblem {
    let whose =
      facts.owner == geteuid()
      ? "" : "; it belongs to the user with id \(facts.owner), and this runs as \(geteuid())"
    return FileProblem("cannot write to \(path): \(String(cString: strerror(error)))\(whose)")
  }
}
