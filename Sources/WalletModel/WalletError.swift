/// An error of the core: what kind of trouble, a message that a developer can act on, and data.
///
/// The one error type of all rooms; the front door maps `kind` to a status. Messages are English,
/// for developers, and never carry a PIN, key, link, claim or identifier.
public struct WalletError: Error, Equatable, Sendable {
  /// What kind of trouble; each case is one status of the C ABI.
  public enum Kind: String, Sendable, CaseIterable {
    case invalidArgument = "INVALID_ARGUMENT"
    case invalidUTF8 = "INVALID_UTF8"
    case notInitialized = "NOT_INITIALIZED"
    case forked = "FORKED"
    case reentrant = "REENTRANT"
    case busy = "BUSY"
    case timeout = "TIMEOUT"
    case interrupted = "INTERRUPTED"
    case cancelled = "CANCELLED"
    case clientDetached = "CLIENT_DETACHED"
    case unsupported = "UNSUPPORTED"
    case unknownCall = "UNKNOWN_CALL"
    case outOfResources = "OUT_OF_RESOURCES"
    case internalDefect = "INTERNAL"
    case platformNotReady = "PLATFORM_NOT_READY"
    case bridgeIncomplete = "BRIDGE_INCOMPLETE"
    case bridgeFailed = "BRIDGE_FAILED"
    case bridgeTimeout = "BRIDGE_TIMEOUT"
    case deviceInsecure = "DEVICE_INSECURE"
    case configurationInvalid = "CONFIGURATION_INVALID"
    case notRegistered = "NOT_REGISTERED"
    case alreadyRegistered = "ALREADY_REGISTERED"
    case pinRefused = "PIN_REFUSED"
    case accountDiverged = "ACCOUNT_DIVERGED"
    case versionBlocked = "VERSION_BLOCKED"
    case staleStep = "STALE_STEP"
    case biometricsNotEnabled = "BIOMETRICS_NOT_ENABLED"
    case biometricsFailed = "BIOMETRICS_FAILED"
    case locked = "LOCKED"
    case storageUnavailable = "STORAGE_UNAVAILABLE"
    case storageFull = "STORAGE_FULL"
    case storageCorrupt = "STORAGE_CORRUPT"
    case storageInUse = "STORAGE_IN_USE"
    case storageKeyLost = "STORAGE_KEY_LOST"
    case noInternet = "NO_INTERNET"
    case serverUnreachable = "SERVER_UNREACHABLE"
    case serverRefused = "SERVER_REFUSED"
    case transportMissing = "TRANSPORT_MISSING"
    case cardUnknown = "CARD_UNKNOWN"
    case cardExpired = "CARD_EXPIRED"
    case cardKeyLost = "CARD_KEY_LOST"

    /// The header's name without its prefix.
    public var statusName: String { rawValue }
  }

  /// A member of the error's data.
  public enum Value: Equatable, Sendable {
    case text(String)
    case number(Int64)
    case truth(Bool)
  }

  public let kind: Kind
  /// The core's own words, fit for the log.
  public let message: String
  public let data: [String: Value]
  /// What the host said of its own failure; empty where it said nothing. It goes back to the host and
  /// never into the log: nobody knows what a key store's text names.
  public let hostText: String

  public init(
    _ kind: Kind, _ message: String, data: [String: Value] = [:], hostText: String = ""
  ) {
    self.kind = kind
    self.message = message
    self.data = data
    self.hostText = hostText
  }

  /// The message for the host, with its own text.
  public var messageForHost: String {
    hostText.isEmpty ? message : "\(message) The host says: \(hostText)"
  }
}
