import WalletSystem

/// Who may own and change what a provider reads. Whoever can change one of these files, or a
/// directory that they are in, controls the server. The start, the check and every command use
/// these rules.
enum FileRules {
  /// The reason why a file must not be used; nil if there is none.
  ///
  /// - Parameter secret: true if nobody but the owner may read it.
  static func problem(_ path: String, _ facts: FileFacts, secret: Bool) -> FileProblem? {
    guard !isCredential(path) else { return nil }
    if facts.isForeign { return foreign(path, facts) }
    if secret, facts.isOpenToOthers {
      return FileProblem(
        "\(path) is secret, but users other than its owner may open it."
          + " If nobody has, run: chmod 600 \(path)")
    }
    return facts.othersMayChange ? changeable(path) : nil
  }

  /// The reasons why a directory must not hold secrets; empty if there are none.
  static func problems(ofDirectory path: String, _ facts: FileFacts) -> [FileProblem] {
    var problems: [FileProblem] = []
    if facts.isForeign { problems.append(foreign(path, facts)) }
    if facts.isOpenToOthers {
      problems.append(FileProblem("others may open \(path). Run: chmod 700 \(path)"))
    }
    return problems
  }

  /// Rules for a directory inside a private one, which others cannot read anyway.
  static func problems(ofInnerDirectory path: String, _ facts: FileFacts) -> [FileProblem] {
    if facts.isForeign { return [foreign(path, facts)] }
    return facts.othersMayChange ? [changeable(path)] : []
  }

  private static func changeable(_ path: String) -> FileProblem {
    FileProblem("others may change \(path). Run: chmod go-w \(path)")
  }

  private static func foreign(_ path: String, _ facts: FileFacts) -> FileProblem {
    let user = CurrentProcess.effectiveUser
    return FileProblem(
      "\(path) belongs to the user with id \(facts.owner), who may change it, and this runs as"
        + " \(user). Run this as that user or, if the content is right, run: chown \(user) \(path)")
  }

  /// Whether `path` is a credential, which the service manager keeps for this process alone
  /// (systemd.exec(5), "Credentials"). The rules do not apply to it: it may have an access control
  /// list, which looks like a group permission.
  private static func isCredential(_ path: String) -> Bool {
    guard let directory = ProcessEnvironment.value("CREDENTIALS_DIRECTORY") else { return false }
    return directory.hasPrefix("/") && PrivateFile.parent(of: path) == directory
  }
}
