import WalletProvider
import WalletSystem

/// Looks at who may do what with files.
enum FileCheck {
  /// A secret file.
  static func secret(_ path: String, _ subject: String) -> [Finding] {
    do throws(FileProblem) {
      try PrivateFile.checkSecret(path)
      return owner(path, subject)
    } catch { return [Finding(.wrong, subject, error.description)] }
  }

  /// Who runs a server as somebody else finds files later that the server may not open.
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
