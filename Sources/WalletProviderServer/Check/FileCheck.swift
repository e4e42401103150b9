import WalletProvider
import WalletSystem

/// Checks the permissions and owners of files.
enum FileCheck {
  /// Checks a secret file.
  static func secret(_ path: String, _ subject: String) -> [Finding] {
    do throws(FileProblem) {
      try PrivateFile.checkSecret(path)
      return owner(path, subject)
    } catch { return [Finding(.wrong, subject, error.description)] }
  }

  /// Checks the owner: a server that runs as another user may later not be able to open the file.
  static func owner(_ path: String, _ subject: String) -> [Finding] {
    let user = CurrentProcess.effectiveUser
    guard let facts = FileFacts(path), facts.owner != user else { return [] }
    return [
      Finding(
        .note, subject,
        "\(path) belongs to the user with id \(facts.owner), and this runs as \(user)")
    ]
  }
}
