import WalletProvider

/// Checks the permissions and owners of files.
enum FileCheck {
  /// Checks a secret file.
  static func secret(_ path: String, _ subject: String) -> [Finding] {
    do throws(FileProblem) {
      try PrivateFile.checkSecret(path)
      return []
    } catch { return [Finding(.wrong, subject, error.description)] }
  }
}
