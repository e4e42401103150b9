import WalletSystem

extension DataDirectory {
  /// The reasons why a provider cannot keep its secrets in `path`; empty if it can, or if the
  /// directory does not exist and can be made. Both the start and the check use these rules.
  package static func problems(of path: String) -> [FileProblem] {
    let facts: FileFacts
    do throws(SystemError) {
      facts = FileFacts(try FileStatus(path: path))
    } catch {
      guard error == .noSuchFile else {
        return [FileProblem(path: path, doing: "open", error: error)]
      }
      return problems(ofMaking: path)
    }
    guard facts.isDirectory else { return [FileProblem("\(path) is not a directory")] }
    var problems = FileRules.problems(ofDirectory: path, facts)
    let keys = path + "/keys"
    if let inner = FileFacts(keys), inner.isDirectory {
      problems += FileRules.problems(ofInnerDirectory: keys, inner)
    }
    do throws(SystemError) {
      try FileSystem.checkAccess(to: path, reading: true, writing: true, entering: true)
    } catch { problems.append(unwritable(path, facts, error: error)) }
    return problems
  }

  private static func problems(ofMaking path: String) -> [FileProblem] {
    let parent = PrivateFile.parent(of: path)
    guard let facts = FileFacts(parent) else {
      return [FileProblem("there is no directory \(parent) to make \(path) in")]
    }
    guard facts.isDirectory else { return [FileProblem("\(parent) is not a directory")] }
    do throws(SystemError) {
      try FileSystem.checkAccess(to: parent, writing: true, entering: true)
    } catch { return [unwritable(parent, facts, error: error)] }
    return []
  }

  private static func unwritable(
    _ path: String, _ facts: FileFacts, error: SystemError
  ) -> FileProblem {
    let user = CurrentProcess.effectiveUser
    let whose =
      facts.owner == user
      ? "" : "; it belongs to the user with id \(facts.owner), and this runs as \(user)"
    return FileProblem("cannot write to \(path): \(error.text)\(whose)")
  }
}
