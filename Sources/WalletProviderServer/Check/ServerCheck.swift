public import WalletProvider

/// Looks at all that a server needs. It starts nothing, makes nothing and changes nothing.
public struct ServerCheck {
  /// In the order in which a server would meet them.
  public private(set) var findings: [Finding] = []

  private let settings: ServerSettings
  private let directory: DataDirectory?

  /// - Parameter file: the configuration file that was read; nil for none.
  public init(_ settings: ServerSettings, file: String?) {
    self.settings = settings
    let place = DirectoryCheck(settings)
    directory = place.directory
    findings.append(Finding(.ok, "settings", file.map { "read from \($0)" } ?? "no file was read"))
    findings += FileCheck.configurationFile(file) + place.findings
  }

  /// Whether nothing is wrong.
  public var isPassed: Bool { findings.allSatisfy { $0.grade != .wrong } }

  /// All that is left to look at.
  ///
  /// - Parameter inspect: looks at the store; nil when there is none yet.
  public mutating func run(
    inspect: (DataDirectory) async throws -> StoreInspection?
  ) async {
    var inspection: StoreInspection?
    if let directory {
      do {
        inspection = try await inspect(directory)
        findings += database(inspection, of: directory)
      } catch { findings.append(Finding(.wrong, "database", Self.words(error))) }
    } else {
      findings.append(Finding(.note, "database", "not looked at without the keys"))
    }
    findings.append(updatePolicy())
    findings.append(source())
    findings += TLSCheck.findings(settings.tls, now: SystemClock().now)
    findings.append(await PortCheck.finding(settings))
    findings.append(ClockCheck.finding(settings, store: inspection?.time))
  }

  private func database(
    _ inspection: StoreInspection?, of directory: DataDirectory
  ) -> [Finding] {
    guard let inspection else {
      return [Finding(.note, "database", "there is none yet; a start makes it")]
    }
    var findings: [Finding] = []
    let (version, known) = (inspection.schemaVersion, inspection.knownSchemaVersion)
    if version > known {
      findings.append(
        Finding(
          .wrong, "database",
          "its tables are of version \(version), this program knows \(known): it is too old"))
    } else {
      let rest = version < known ? "; a start brings its tables to \(known)" : ""
      findings.append(
        Finding(
          version < known ? .note : .ok, "database",
          "\(inspection.engine), tables of version \(version)\(rest)"))
    }
    if let provider = inspection.provider, provider != directory.identity.id {
      findings.append(
        Finding(
          .wrong, "database", "it belongs to the provider \(provider), not to this provider-id"))
    }
    return findings
  }

  private func updatePolicy() -> Finding {
    let path = settings.data + "/update-policy.json"
    do {
      guard let policy = try UpdatePolicy(file: path) else {
        return Finding(.ok, "update policy", "none: every version of the app may be used")
      }
      return Finding(.ok, "update policy", "\(policy.rules.count) rules")
    } catch { return Finding(.wrong, "update policy", Self.words(error)) }
  }

  private func source() -> Finding {
    let subject = "authoritative source"
    guard let path = settings.authoritativeSource else { return Finding(.ok, subject, "none") }
    do {
      _ = try AuthoritativeSourceFile(path: path)
      return Finding(.ok, subject, path)
    } catch { return Finding(.wrong, subject, Self.words(error)) }
  }

  /// Our own errors say what is wrong; of others only the type is known to be short.
  static func words(_ error: any Error) -> String {
    switch error {
    case let error as FileProblem: error.description
    case let error as StoreFailure: error.description
    case let error as SettingsError: error.description
    default: String(describing: type(of: error))
    }
  }
}
