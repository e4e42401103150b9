public import WalletCrypto
public import WalletModel
public import WalletPlatform

/// What a wallet starts from; plain values of the host's init options.
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

  /// The document of `wallet-provider client-configuration`.
  public var embeddedConfiguration: [UInt8]
  /// Empty: the document's own keys.
  public var configurationKeys: [ConfigurationKey]
  public var appVersion: String
  public var appID: String
  /// Nil: the utilities bridge knows it.
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

/// What a client can ask for that takes time.
public enum WalletRequest: Sendable {
  case register(Pin)
  case unlock(Pin)
  case checkPin(Pin)
  case wipe
}

/// How a request ended: nil for register and wipe, the provider's word for a PIN.
public typealias WalletOutcome = Result<PinCheck?, WalletError>

/// Hears of the wallet's changes. Called with no lock held, from any of the core's threads; must
/// neither wait nor run host code.
public protocol WalletObserver: Sendable {
  func lockStateChanged(_ state: Versioned<LockState>)
  func configurationChanged(_ configuration: Versioned<HostConfiguration>)
}

/// One wallet at work.
public final class Wallet: Sendable {
  public init(
    settings: WalletSettings, platform: any PlatformBridges, world: OutsideWorld, log: Log,
    observer: any WalletObserver
  ) throws(WalletError) {
    throw WalletError(.internalDefect, "not built")
  }

  /// The lock state and its version.
  public var lockState: Versioned<LockState> { Versioned(.locked, version: 1) }

  /// The configuration that hosts see, and its version.
  public var configuration: Versioned<HostConfiguration> {
    Versioned(
      HostConfiguration(
        version: 0, inactiveTimeoutMilliseconds: 0, inactiveWarningMilliseconds: 0,
        backgroundTimeoutMilliseconds: 0, proofingHosts: []), version: 1)
  }

  /// Whether a wallet with a PIN is stored. Waits up to 10 s for the storage path.
  public func hasRegistration() throws(WalletError) -> Bool { false }

  /// Locks; never waits.
  public func lock() {}

  /// Whether a PIN fits the local policy.
  public static func validate(_ pin: UnsafeRawBufferPointer) -> PinVerdict { .accepted }

  /// Starts a request; never waits. `completion` is called exactly once, on a thread of the core,
  /// unless this throws.
  ///
  /// - Throws: `pinRefused`, `outOfResources`.
  public func start(
    _ request: WalletRequest, cancellation: Cancellation,
    completion: @escaping @Sendable (WalletOutcome) -> Void
  ) throws(WalletError) {}

  /// Tells that bridges were handed over.
  public func platformIsReady() {}

  /// Ends the wallet's threads and releases the storage path; for tests.
  public func shutDown() -> Bool { true }
}
