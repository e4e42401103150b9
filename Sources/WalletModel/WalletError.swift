/// An error of the core: what kind of trouble, a message that a developer can act on, and data.
///
/// The one error type of all rooms; the front door maps `kind` to a status. Messages are English,
/// for developers, and never carry a PIN, key, link, claim or identifier.
public struct WalletError: Error, Equatable, Sendable {
  /// What kind of trouble; each case is one status of the C ABI.
  public enum Kind: String, Sendable, CaseIterable {
    case invalidArgument, invalidUTF8, notInitialized, forked, reentrant, busy, timeout, interrupted
    case cancelled, clientDetached, unsupported, unknownCall, outOfResources, internalDefect
    case platformNotReady, bridgeIncomplete, bridgeFailed, bridgeTimeout, deviceInsecure
    case configurationInvalid
    case notRegistered, alreadyRegistered, pinRefused, accountDiverged, versionBlocked, staleStep
    case biometricsNotEnabled, biometricsFailed, locked
    case storageUnavailable, storageFull, storageCorrupt, storageInUse, storageKeyLost
    case noInternet, serverUnreachable, serverRefused, transportMissing
  }

  /// A member of the error's data.
  public enum Value: Equatable, Sendable {
    case text(String)
    case number(Int64)
    case truth(Bool)
  }

  public let kind: Kind
  public let message: String
  public let data: [String: Value]

  public init(_ kind: Kind, _ message: String, data: [String: Value] = [:]) {
    self.kind = kind
    self.message = message
    self.data = data
  }
}
