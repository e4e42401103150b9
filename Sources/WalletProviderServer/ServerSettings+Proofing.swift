public import WalletProvider

extension ServerSettings {
  /// Who decides on identities by these settings.
  ///
  /// - Parameter drills: what may be answered instead; the drill of the settings when nil.
  /// - Throws: `FileProblem` for an authoritative source that cannot be used.
  public func vetting(drills: (any VettingDrillSource)? = nil) throws(FileProblem)
    -> any IdentityVetting
  {
    var source: any AuthoritativeSource = NoSource()
    if let authoritativeSource { source = try AuthoritativeSourceFile(path: authoritativeSource) }
    return vetting(source: source, drills: drills)
  }

  /// The same with a source that is there already.
  public func vetting(
    source: any AuthoritativeSource, drills: (any VettingDrillSource)? = nil
  ) -> any IdentityVetting {
    let vetting = AccountVetting(settings: provider.proofing, source: source)
    guard let drill: any VettingDrillSource = drills ?? vettingDrill else { return vetting }
    return DrilledVetting(drill, else: vetting)
  }

  /// The pages at `/enrol`, where these settings want them.
  ///
  /// - Throws: `SettingsError` when links would have no host.
  public func enrolmentSite(
    _ directory: DataDirectory, store: any ProviderStore
  ) throws(SettingsError) -> EnrolmentSite? {
    guard enrolPage else { return nil }
    guard let host = directory.proofingHost else {
      throw SettingsError(
        "\(SettingName.enrolPage.option) needs \(SettingName.proofingHosts.option): links must name a"
          + " host")
    }
    return EnrolmentSite(
      accounts: AccountOffice(
        identity: directory.identity, store: store, settings: provider.proofing),
      host: host)
  }
}
