/// The settings of a wallet: plain values from the host's init options.
public struct WalletSettings: Sendable {
  /// A configuration-signing key that the app pins in its code.
  public struct ConfigurationKey: Sendable {
    public var id: String
    public var publicKey: [UInt8]

    public init(id: String, publicKey: [UInt8]) {
      self.id = id
      self.publicKey = publicKey
    }
  }

  /// The document that `wallet-provider client-configuration` makes.
  public var embeddedConfiguration: [UInt8]
  /// If empty, the keys in `embeddedConfiguration` are used.
  public var configurationKeys: [ConfigurationKey]
  public var appVersion: String
  public var appID: String
  /// If nil, the utilities bridge is asked for it.
  public var storagePath: String?

  public init(
    embeddedConfiguration: [UInt8], configurationKeys: [ConfigurationKey], appVersion: String,
    appID: String, storagePath: String?
  ) {
    self.embeddedConfiguration = embeddedConfiguration
    self.configurationKeys = configurationKeys
    self.appVersion = appVersion
    self.appID = appID
    self.storagePath = storagePath
  }
}
