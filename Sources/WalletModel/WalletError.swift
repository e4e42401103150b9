/// An error of the core: its kind, a message that a developer can act on, and data.
///
/// The only error type of all modules; the C layer maps `kind` to a status. Messages are in
/// English, for developers, and never contain a PIN, key, link, claim or identifier.
public struct WalletError: Error, Equatable, Sendable {
  /// The kind of an error; each case is one status of the C ABI.
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
    case cardKeyUnsupported = "CARD_KEY_UNSUPPORTED"
    case cardRefused = "CARD_REFUSED"
    case requestRefused = "REQUEST_REFUSED"
    case requestExpired = "REQUEST_EXPIRED"

    /// The name in the header without its prefix.
    public var statusName: String { rawValue }
  }

  /// A member of the error's data.
  public enum Value: Equatable, Sendable {
    case text(String)
    case number(Int64)
    case truth(Bool)
  }

  public let kind: Kind
  /// The core's own message, which may be logged.
  public let message: String
  public let data: [String: Value]
  /// The host's message about its own failure, or empty. It is returned to the host and never
  /// logged, because the text of a key store may contain anything.
  public let hostText: String

  public init(
    _ kind: Kind, _ message: String, data: [String: Value] = [:], hostText: String = ""
  ) {
    self.kind = kind
    self.message = message
    self.data = data
    self.hostText = hostText
  }

  /// The message for the host, including the host's own text.
  public var messageForHost: String {
    hostText.isEmpty ? message : "\(message) The host says: \(hostText)"
  }
}
