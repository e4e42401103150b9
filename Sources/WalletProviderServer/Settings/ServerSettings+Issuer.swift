import WalletProvider

extension ServerSettings {
  /// Settles the provider's name as an issuer and the type of its PIDs.
  ///
  /// - Throws: `SettingsError` for a type that PIDs of this provider do not have.
  mutating func nameIssuer() throws(SettingsError) {
    provider.publicURL = try publicURL.map { text throws(SettingsError) in try PublicURL(text) }
    if publicURL == nil {
      provider.publicURL = ownURL
      provider.lacksPort = isOwn && (tls == nil ? port != 80 : port == 0)
    }
    provider.pidType = pidType ?? PIDType.standard(at: provider.publicURL)
    try PIDType.check(provider.pidType)
  }

  /// Throws if the documents that the server issues would not say what they must.
  func checkIssuer() throws(SettingsError) {
    guard authoritativeSource != nil || simulatedVerdict != nil else { return }
    try provider.proofing.checkCountry()
  }

  /// The URL by which clients probably reach the server: its own, unless a proxy is in front of it
  /// or it listens on every address, and then that of the first host of links. Nil if neither is
  /// known.
  private var ownURL: PublicURL? {
    if isOwn, let url = url(host) { return url }
    guard let name = provider.proofingHosts.first else { return nil }
    return behindProxy ? try? PublicURL("https://\(name)") : url(name)
  }

  /// Whether clients reach the server at the address that it listens on.
  private var isOwn: Bool { !behindProxy && !["0.0.0.0", "::"].contains(host) }

  /// Without TLS it is only a name in certificates, which must not change with the port. A free port
  /// is another one after each start.
  private func url(_ host: String) -> PublicURL? {
    let bracketed = host.contains(":") ? "[\(host)]" : host
    guard tls != nil else { return try? PublicURL("http://\(bracketed)") }
    let isUsual = port == 443 || port == 0
    return try? PublicURL("https://" + (isUsual ? bracketed : "\(bracketed):\(port)"))
  }
}
