public import WalletProvider

/// Checks everything that a server needs, without starting, creating or changing anything.
public struct ServerCheck {
  /// The results of the checks, in the order in which a starting server would meet the problems.
  public private(set) var findings: [Finding] = []

  private let settings: ServerSettings
  private let provider: String?
  private let sealingKeys: Set<String>
  private let store: Result<StoreInspection?, any Error>
  private let trustAnchors: Finding

  /// - Parameters:
  ///   - file: the configuration file that was read; nil if there is none.
  ///   - store: the inspection of the store; nil if there is no store yet.
  public init(
    _ given: ServerSettings, file: String?, store: Result<StoreInspection?, any Error>
  ) {
    var settings = given
    do {
      // A start publishes them.
      settings.provider.trustAnchors = try given.readTrustAnchors()
      trustAnchors = Self.trustAnchors(settings)
    } catch { trustAnchors = Finding(.wrong, "trust anchors", error.description) }
    self.settings = settings
    self.store = store
    let directory = DirectoryCheck(settings, shared: (try? store.get())?.configuration)
    provider = directory.provider
    sealingKeys = directory.sealingKeys
    findings.append(Finding(.ok, "settings", file.map { "read from \($0)" } ?? "no file was read"))
    findings += directory.findings
  }

  /// Whether nothing is wrong.
  public var isPassed: Bool { findings.allSatisfy { $0.grade != .wrong } }

  /// Performs the remaining checks.
  public mutating func run() async {
    var inspection: StoreInspection?
    do {
      inspection = try store.get()
      findings += database(inspection)
    } catch { findings.append(Finding(.wrong, "database", Self.message(error))) }
    findings.append(updatePolicy())
    findings.append(trustAnchors)
    findings += source()
    findings += settings.proofingNotes + settings.proxyNotes + settings.linkNotes
    findings += TLSCheck.findings(settings.tls, now: SystemWallClock().now)
    findings += await PortCheck.findings(settings)
    findings.append(ClockCheck.finding(settings, store: inspection?.time))
  }

  private func database(_ inspection: StoreInspection?) -> [Finding] {
    guard let inspection else {
      return [Finding(.note, "database", "there is none yet; a start makes it")]
    }
    var findings: [Finding] = []
    let (version, known) = (inspection.schemaVersion, inspection.knownSchemaVersion)
    if inspection.isTooOld {
      findings.append(
        Finding(
          .wrong, "database",
          "its tables are of version \(version), which this program does not take over: start anew"
            + " with a new database"))
    } else if version > known {
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
    if let provider, let owner = inspection.provider, owner != provider {
      findings.append(
        Finding(.wrong, "database", "it belongs to the provider \(owner), not to this provider-id")
      )
    }
    // If the provider's keys are missing, the directory check has already reported it.
    if provider != nil {
      findings += inspection.sealingKeys.filter { !sealingKeys.contains($0) }.sorted().map {
        Finding(.wrong, "database", "rows need the sealing key \($0), which is not here")
      }
    }
    if let rows = inspection.rows { findings += RowCheck.findings(rows) }
    return findings
  }

  private func updatePolicy() -> Finding {
    let path = settings.data + "/update-policy.json"
    do {
      guard let policy = try UpdatePolicy(file: path) else {
        return Finding(.ok, "update policy", "none: every version of the app may be used")
      }
      return Finding(.ok, "update policy", "\(policy.rules.count) rules")
    } catch { return Finding(.wrong, "update policy", Self.message(error)) }
  }

  private static func trustAnchors(_ settings: ServerSettings) -> Finding {
    let subject = "trust anchors"
    guard let path = settings.trustAnchors else {
      return Finding(.ok, subject, "none: apps trust no other issuer or relying party")
    }
    let anchors = settings.provider.trustAnchors
    let inForce = TrustAnchorFile.countInForce(anchors, now: SystemWallClock().now / 1000)
    return Finding(
      inForce == anchors.count ? .ok : .note, subject,
      "\(path): \(anchors.count), of which \(inForce) count today")
  }

  private func source() -> [Finding] {
    let subject = "authoritative source"
    guard let path = settings.authoritativeSource else {
      let notes = settings.sourceNotes
      return notes.isEmpty ? [Finding(.ok, subject, "none")] : notes
    }
    do {
      _ = try AuthoritativeSourceFile(path: path)
      return [Finding(.ok, subject, path)]
    } catch { return [Finding(.wrong, subject, Self.message(error))] }
  }

  /// The message of an error. The provider's own errors describe the problem. Any other error is
  /// shown by the name of its type, because its text could be of any length.
  static func message(_ error: any Error) -> String {
    switch error {
    case let error as FileProblem: error.description
    case let error as StoreFailure: error.description
    case let error as SettingsError: error.description
    default: String(describing: type(of: error))
    }
  }
}
