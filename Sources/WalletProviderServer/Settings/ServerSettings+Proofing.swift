public import WalletProvider

extension ServerSettings {
  /// The vetting that these settings configure.
  ///
  /// - Parameter verdicts: the source of simulated verdicts; nil to use the simulated verdict of
  ///   the settings, if they have one.
  /// - Throws: `FileProblem` for an unusable authoritative source.
  public func vetting(verdicts: (any SimulatedVerdictSource)? = nil) throws(FileProblem)
    -> any IdentityVetting
  {
    var source: any AuthoritativeSource = NoSource()
    if let authoritativeSource { source = try AuthoritativeSourceFile(path: authoritativeSource) }
    return vetting(source: source, verdicts: verdicts)
  }

  /// The vetting with an existing source.
  public func vetting(
    source: any AuthoritativeSource, verdicts: (any SimulatedVerdictSource)? = nil
  ) -> any IdentityVetting {
    let vetting = AccountVetting(settings: provider.proofing, source: source)
    guard let verdict: any SimulatedVerdictSource = verdicts ?? simulatedVerdict else {
      return vetting
    }
    return SimulatedVetting(verdict, else: vetting)
  }

  /// Notes on settings that no provider for real people should have, for the log and the check.
  public var proofingNotes: [Finding] {
    var notes: [Finding] = []
    if provider.proofing.demonstration {
      notes.append(
        Finding(
          .note, "demonstration",
          "people are proofed by what their wallets claim, where no authoritative source answers"))
    }
    let wait = provider.proofing.replacementWait
    if wait < ProofingSettings.leastReplacementWait {
      notes.append(
        Finding(
          .note, "replacement",
          "a new wallet takes the place of a proofed one "
            + (wait == 0 ? "without asking its owner" : "after only \(wait / 1000) seconds")))
    }
    if let simulatedVerdict {
      notes.append(
        Finding(
          .note, "vetting",
          "the verdict is simulated: \(simulatedVerdict.rawValue) for every wallet"))
    }
    // A page that only this machine can reach is taken for a demonstration, so it is not noted.
    if enrolPage, !isLoopback || behindProxy {
      notes.append(
        Finding(.note, "enrolment page", "anybody who reaches /enrol can make an account"))
    }
    return notes
  }

  /// Notes on what is missing for identity proofing, for the log and the check.
  public var sourceNotes: [Finding] {
    guard authoritativeSource == nil, !provider.proofing.demonstration else { return [] }
    return [
      Finding(
        .note, "authoritative source",
        "none, so nobody can be proofed: set \(SettingName.authoritativeSource.rawValue), or"
          + " \(SettingName.demonstration.rawValue) if this is one")
    ]
  }

  /// Notes on what is missing for enrolment links, for the log and the check.
  public var linkNotes: [Finding] {
    guard provider.proofingHosts.isEmpty else { return [] }
    return [
      Finding(
        .note, "enrolment links",
        "no account can be made: \(SettingName.proofingHosts.rawValue) names no host by which apps"
          + " know this server")
    ]
  }

  /// Throws if the pages at `/enrol` are enabled but their links would have no host.
  func checkEnrolPage() throws(SettingsError) {
    guard !enrolPage || !provider.proofingHosts.isEmpty else { throw Self.linksWithoutHost }
  }

  private static let linksWithoutHost = SettingsError(
    "\(SettingName.enrolPage.option) needs \(SettingName.proofingHosts.option): links must name a"
      + " host")

  /// The pages at `/enrol`, if these settings enable them.
  ///
  /// - Throws: `SettingsError` if links would have no host.
  public func enrolmentSite(
    _ directory: DataDirectory, store: any ProviderStore
  ) throws(SettingsError) -> EnrolmentSite? {
    guard enrolPage else { return nil }
    guard let host = directory.proofingHost else { throw Self.linksWithoutHost }
    return EnrolmentSite(
      accounts: AccountAdministration(
        identity: directory.identity, store: store, settings: provider.proofing),
      host: host, hosts: pageHosts)
  }

  /// The hosts that requests for the pages may name: the configured ones and, on a loopback
  /// address, the machine's own names. DNS does not decide where these lead, so nobody else can
  /// redirect them.
  private var pageHosts: [String] {
    provider.proofingHosts + [host] + (isLoopback ? ["localhost", "127.0.0.1", "::1"] : [])
  }
}
