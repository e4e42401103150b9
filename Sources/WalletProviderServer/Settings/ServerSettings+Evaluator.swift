public import WalletProvider

/// Where an evaluator runs, and the files of the connection to it.
public struct RemoteEvaluatorSettings: Sendable, Equatable {
  /// A host and a port after `https://`.
  public var url: String
  /// What the provider shows.
  public var identity: TLSFiles
  /// PEM file of the only authority that the evaluator's certificate may come from.
  public var authority: String

  public init(url: String, identity: TLSFiles, authority: String) {
    self.url = url
    self.identity = identity
    self.authority = authority
  }
}

extension ServerSettings {
  /// The evaluator on another machine; nil for one in the data directory.
  public var remoteEvaluator: RemoteEvaluatorSettings? {
    guard let evaluatorURL, let evaluatorCertificate, let evaluatorKey, let evaluatorAuthority
    else { return nil }
    return RemoteEvaluatorSettings(
      url: evaluatorURL, identity: TLSFiles(certificate: evaluatorCertificate, key: evaluatorKey),
      authority: evaluatorAuthority)
  }

  /// Throws if a server of wallets was given what only an evaluator takes, or lacks what PIDs must
  /// state.
  public func checkProvider() throws(SettingsError) {
    guard clientAuthority == nil else {
      throw SettingsError(
        "\(SettingName.clientAuthority.option) is for evaluate: wallets have no certificates")
    }
    try checkIssuer()
  }

  /// The files of an evaluator that runs alone.
  ///
  /// - Throws: `SettingsError` if they are not given.
  public func evaluatorTLS() throws(SettingsError) -> (files: TLSFiles, clientAuthority: String) {
    guard let tls, let clientAuthority else {
      let names: [SettingName] = [.tlsCertificate, .tlsKey, .clientAuthority]
      throw SettingsError(
        "evaluate needs \(names.map(\.option).joined(separator: ", ")): it serves TLS alone, to"
          + " clients with a certificate of that authority")
    }
    return (tls, clientAuthority)
  }
}
