import WalletProtocol
import WalletProvider

/// Checks the data directory, its keys and its published configuration.
struct DirectoryCheck {
  /// The provider's id; nil if there is no provider yet or its keys cannot be used.
  private(set) var provider: String?
  /// The ids of the provider's sealing keys; empty if `provider` is nil.
  private(set) var sealingKeys: Set<String> = []
  private(set) var findings: [Finding] = []
  private let shared: String?

  /// - Parameter shared: the configuration in the PostgreSQL database that replicas share; nil if
  ///   there is none.
  init(_ settings: ServerSettings, shared: String?) {
    self.shared = shared
    let path = settings.data
    findings = DataDirectory.problems(of: path).map {
      Finding(.wrong, "data directory", $0.description)
    }
    if FileFacts(path)?.isDirectory == true {
      look(path, settings)
    } else if findings.isEmpty {
      findings = [
        Finding(.note, "data directory", "there is no \(path) yet; a start makes it with new keys")
      ]
    }
  }

  private mutating func look(_ path: String, _ settings: ServerSettings) {
    if findings.isEmpty { findings.append(Finding(.ok, "data directory", path)) }
    guard FileFacts(path + "/provider-id") != nil else {
      findings.append(
        Finding(.note, "keys", "there is no provider in \(path) yet; a start makes one"))
      return
    }
    do {
      let identity = try DataDirectory.existingIdentity(path)
      provider = identity.id
      sealingKeys = Set(
        try KeyRotation(directory: path).keys().filter { $0.role == .sealing }.map(\.id))
      findings.append(Finding(.ok, "keys", "all are there, of the provider \(identity.id)"))
      findings += CertificateCheck.findings(identity, settings)
      if settings.database != nil, shared == nil {
        findings.append(
          Finding(.note, "configuration", "the database has none yet; a start publishes it"))
        return
      }
      let directory = try DataDirectory(existing: path, shared: shared)
      findings += published(directory, settings)
      if settings.database == nil {
        findings += FileCheck.secret(directory.databasePath, "database")
      }
    } catch { findings.append(Finding(.wrong, "keys", error.description)) }
  }

  private func published(_ directory: DataDirectory, _ settings: ServerSettings) -> [Finding] {
    let claims = directory.configuration.claims
    let wanted = directory.configuration(for: settings.provider)
    let roles = [
      ("result", claims.resultKeys, wanted.resultKeys),
      ("certificate", claims.certificateKeys, wanted.certificateKeys),
      ("encryption", claims.encryptionKeys, wanted.encryptionKeys),
      ("use", claims.useKeys, wanted.useKeys),
    ]
    let lost = roles.flatMap { role, published, held in
      published.filter { !held.contains($0) }.map {
        Finding(.wrong, "configuration", "the published \(role) key \($0.id) is not here any more")
      }
    }
    if !lost.isEmpty { return lost }
    let version = claims.configurationVersion
    guard claims.isSame(as: wanted) else {
      return [
        Finding(
          .note, "configuration",
          "version \(version) is published; a start with these settings publishes the next")
      ]
    }
    return [Finding(.ok, "configuration", "version \(version), as the settings say")]
  }
}
