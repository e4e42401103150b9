import WalletSystem

extension DataDirectory {
  /// Why a provider cannot keep its secrets in `path`. None where it can, and where there is nothing yet
  /// and it can be made. A start and a check both judge by this.
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
    guard facts.isDirectory else { return [FileProblem("\(path) is no directory")] }
    var problems: [FileProblem] = []
    if facts.isOpenToOthers {
      problems.append(FileProblem("others may open \(path). Run: chmod 700 \(path)"))
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
    guard facts.isDirectory else { return [FileProblem("\(parent) is no directory")] }
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
