import WalletProtocol
import WalletProvider

/// Looks at the data directory, its keys and its published configuration.
struct DirectoryCheck {
  /// The provider's id; nil where there is none, or its keys cannot be used.
  private(set) var provider: String?
  /// The ids of its sealing keys; none where `provider` is nil.
  private(set) var sealingKeys: Set<String> = []
  private(set) var findings: [Finding] = []
  private let shared: String?

  /// - Parameter shared: the configuration that the database of replicas holds.
  init(_ settings: ServerSettings, shared: String?) {
    self.shared = shared
    let path = settings.data
    if let place = Self.place(path) {
      findings = place
    } else {
      look(path, settings)
    }
  }

  /// Why there is nothing to look at in `path`; nil when there is.
  private static func place(_ path: String) -> [Finding]? {
    guard let facts = FileFacts(path) else {
      return [
        Finding(.note, "data directory", "there is no \(path) yet; a start makes it with new keys")
      ]
    }
    return facts.isDirectory ? nil : [Finding(.wrong, "data directory", "\(path) is no directory")]
  }

  private mutating func look(_ path: String, _ settings: ServerSettings) {
    findings = FileCheck.secret(path, "data directory", mode: "700")
    if !FileFacts.isWritable(path) {
      findings.append(Finding(.wrong, "data directory", "\(path) cannot be written to"))
    }
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
        try KeyOffice(directory: path).keys().filter { $0.role == .sealing }.map(\.id))
      findings.append(Finding(.ok, "keys", "all are there, of the provider \(identity.id)"))
      if settings.database != nil, shared == nil {
        findings.append(
          Finding(.note, "configuration", "the database has none yet; a start publishes it"))
        return
      }
      let directory = try DataDirectory(existing: path, shared: shared)
      findings += published(directory, settings)
      if settings.database == nil {
        findings += FileCheck.secret(directory.databasePath, "database", mode: "600")
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
      ("issuer", claims.issuerKeys, wanted.issuerKeys),
    ]
    let lost = roles.flatMap { role, published, held in
      published.filter { !held.contains($0) }.map {
        Finding(.wrong, "configuration", "the published \(role) key \($0.id) is not here any more")
      }
    }
    if !lost.isEmpty { return lost }
    let version = claims.configurationVersion
    guard claims == wanted else {
      return [
        Finding(
          .note, "configuration",
          "version \(version) is published; a start with these settings publishes the next")
      ]
    }
    return [Finding(.ok, "configuration", "version \(version), as the settings say")]
  }
}
