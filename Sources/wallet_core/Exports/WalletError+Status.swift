internal import CWalletCore
internal import WalletModel

// The mapping from the core's errors to the status codes of the header. There is no `default`, so a
// new kind does not compile until it has a code and a category.

extension WalletError.Kind {
  /// The code in the header.
  var status: wallet_core_status {
    switch self {
    case .invalidArgument: WALLET_CORE_ERROR_INVALID_ARGUMENT
    case .invalidUTF8: WALLET_CORE_ERROR_INVALID_UTF8
    case .notInitialized: WALLET_CORE_ERROR_NOT_INITIALIZED
    case .forked: WALLET_CORE_ERROR_FORKED
    case .reentrant: WALLET_CORE_ERROR_REENTRANT
    case .busy: WALLET_CORE_ERROR_BUSY
    case .timeout: WALLET_CORE_ERROR_TIMEOUT
    case .interrupted: WALLET_CORE_ERROR_INTERRUPTED
    case .cancelled: WALLET_CORE_ERROR_CANCELLED
    case .clientDetached: WALLET_CORE_ERROR_CLIENT_DETACHED
    case .unsupported: WALLET_CORE_ERROR_UNSUPPORTED
    case .unknownCall: WALLET_CORE_ERROR_UNKNOWN_CALL
    case .outOfResources: WALLET_CORE_ERROR_OUT_OF_RESOURCES
    case .internalDefect: WALLET_CORE_ERROR_INTERNAL
    case .platformNotReady: WALLET_CORE_ERROR_PLATFORM_NOT_READY
    case .bridgeIncomplete: WALLET_CORE_ERROR_BRIDGE_INCOMPLETE
    case .bridgeFailed: WALLET_CORE_ERROR_BRIDGE_FAILED
    case .bridgeTimeout: WALLET_CORE_ERROR_BRIDGE_TIMEOUT
    case .deviceInsecure: WALLET_CORE_ERROR_DEVICE_INSECURE
    case .configurationInvalid: WALLET_CORE_ERROR_CONFIGURATION_INVALID
    case .notRegistered: WALLET_CORE_ERROR_NOT_REGISTERED
    case .alreadyRegistered: WALLET_CORE_ERROR_ALREADY_REGISTERED
    case .pinRefused: WALLET_CORE_ERROR_PIN_REFUSED
    case .accountDiverged: WALLET_CORE_ERROR_ACCOUNT_DIVERGED
    case .versionBlocked: WALLET_CORE_ERROR_VERSION_BLOCKED
    case .staleStep: WALLET_CORE_ERROR_STALE_STEP
    case .biometricsNotEnabled: WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED
    case .biometricsFailed: WALLET_CORE_ERROR_BIOMETRICS_FAILED
    case .locked: WALLET_CORE_ERROR_LOCKED
    case .storageUnavailable: WALLET_CORE_ERROR_STORAGE_UNAVAILABLE
    case .storageFull: WALLET_CORE_ERROR_STORAGE_FULL
    case .storageCorrupt: WALLET_CORE_ERROR_STORAGE_CORRUPT
    case .storageInUse: WALLET_CORE_ERROR_STORAGE_IN_USE
    case .storageKeyLost: WALLET_CORE_ERROR_STORAGE_KEY_LOST
    case .noInternet: WALLET_CORE_ERROR_NO_INTERNET
    case .serverUnreachable: WALLET_CORE_ERROR_SERVER_UNREACHABLE
    case .serverRefused: WALLET_CORE_ERROR_SERVER_REFUSED
    case .transportMissing: WALLET_CORE_ERROR_TRANSPORT_MISSING
    case .cardUnknown: WALLET_CORE_ERROR_CARD_UNKNOWN
    case .cardExpired: WALLET_CORE_ERROR_CARD_EXPIRED
    case .cardKeyLost: WALLET_CORE_ERROR_CARD_KEY_LOST
    case .cardKeyUnsupported: WALLET_CORE_ERROR_CARD_KEY_UNSUPPORTED
    case .cardRefused: WALLET_CORE_ERROR_CARD_REFUSED
    case .requestRefused: WALLET_CORE_ERROR_REQUEST_REFUSED
    case .requestExpired: WALLET_CORE_ERROR_REQUEST_EXPIRED
    }
  }

  /// The category, which tells a host what to do even if it does not know the code.
  var category: wallet_core_category {
    switch self {
    case .invalidArgument, .invalidUTF8, .notInitialized, .forked, .reentrant, .clientDetached,
      .unknownCall, .bridgeIncomplete, .configurationInvalid:
      WALLET_CORE_CATEGORY_USAGE
    case .notRegistered, .alreadyRegistered, .pinRefused, .accountDiverged, .versionBlocked,
      .staleStep, .biometricsNotEnabled, .locked, .cardUnknown, .cardExpired,
      .cardKeyLost, .cardRefused:
      WALLET_CORE_CATEGORY_WALLET_STATE
    case .noInternet: WALLET_CORE_CATEGORY_NETWORK
    case .serverUnreachable, .serverRefused, .requestRefused, .requestExpired:
      WALLET_CORE_CATEGORY_SERVER
    case .unsupported, .outOfResources, .platformNotReady, .bridgeFailed, .bridgeTimeout,
      .deviceInsecure, .transportMissing, .biometricsFailed, .cardKeyUnsupported:
      WALLET_CORE_CATEGORY_PLATFORM
    case .storageUnavailable, .storageFull, .storageCorrupt, .storageInUse, .storageKeyLost:
      WALLET_CORE_CATEGORY_STORAGE
    case .busy, .timeout, .interrupted, .cancelled: WALLET_CORE_CATEGORY_TRANSIENT
    case .internalDefect: WALLET_CORE_CATEGORY_INTERNAL
    }
  }

  /// The names of all kinds, for C; in the order of `allCases`.
  static let names = StableTexts(allCases.map(\.statusName))
}
