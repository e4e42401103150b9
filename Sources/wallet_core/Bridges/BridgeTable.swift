internal import CWalletCore
internal import WalletModel
internal import WalletPlatform

/// One bridge of the host: its functions and its context, copied from the host's struct.
struct BridgeTable: @unchecked Sendable {
  // The host's C table of one bridge. Sendable: the header demands that its functions can be called
  // on any thread, and the core only passes the context pointer back to them.
  enum Functions {
    case signingKey(wallet_core_signing_key_bridge)
    case encryptionKey(wallet_core_encryption_key_bridge)
    case utilities(wallet_core_utilities_bridge)
    case http(wallet_core_http_bridge)
  }

  /// Distinguishes this table from one that replaced it.
  let id: UInt64
  let functions: Functions
  let context: HostContext

  /// Closes the prompt of a call that has ended; nil if the host has no such function.
  var cancel: (@Sendable (_ call: UInt64) -> Void)? {
    switch functions {
    case .signingKey(let bridge) where bridge.cancel != nil: break
    case .encryptionKey(let bridge) where bridge.cancel != nil: break
    case .utilities(let bridge) where bridge.cancel != nil: break
    case .http(let bridge) where bridge.cancel != nil: break
    default: return nil
    }
    return { [self] call in
      switch functions {
      case .signingKey(let bridge): bridge.cancel?(context.pointer, call)
      case .encryptionKey(let bridge): bridge.cancel?(context.pointer, call)
      case .utilities(let bridge): bridge.cancel?(context.pointer, call)
      case .http(let bridge): bridge.cancel?(context.pointer, call)
      }
    }
  }
}

/// The three bridges, which the host passes together.
struct BridgeSet: Sendable {
  let signingKey: BridgeTable
  let encryptionKey: BridgeTable
  let utilities: BridgeTable

  var all: [BridgeTable] { [signingKey, encryptionKey, utilities] }

  /// The rules that the utilities bridge names; 0 counts as Android.
  var rules: PlatformRules {
    guard case .utilities(let bridge) = utilities.functions else { return .android }
    return bridge.platform == WALLET_CORE_PLATFORM_IOS ? .ios : .android
  }

  /// Returns the bridge that has a function; nil for one of the HTTP bridge.
  func table(of function: BridgeFunction) -> BridgeTable? {
    switch function {
    case .publicKey, .sign, .deleteSigningKey, .attest: signingKey
    case .encrypt, .decrypt, .deleteEncryptionKey: encryptionKey
    case .storagePath, .biometricsAvailable, .deviceSecure, .internetReachable, .cameraState:
      utilities
    case .send: nil
    }
  }
}

extension BridgeTable {
  /// Reads and checks the host's HTTP bridge.
  init(_ http: UnsafePointer<wallet_core_http_bridge>) throws(WalletError) {
    let bridge = try StructInput.copy(
      http, "http_bridge", minimum: BridgeSet.head, empty: .init())
    try BridgeSet.require(bridge.send != nil, "http_bridge.send")
    self.init(
      id: UniqueID.next(), functions: .http(bridge),
      context: HostContext(pointer: bridge.context, destroy: bridge.destroy))
  }
}

extension BridgeSet {
  /// The minimum size of a bridge struct: the size of its first three members.
  fileprivate static let head = 3 * MemoryLayout<UInt>.size

  /// Reads and checks the host's structs.
  init(
    _ signingKey: UnsafePointer<wallet_core_signing_key_bridge>?,
    _ encryptionKey: UnsafePointer<wallet_core_encryption_key_bridge>?,
    _ utilities: UnsafePointer<wallet_core_utilities_bridge>?
  ) throws(WalletError) {
    let signing = try StructInput.copy(
      signingKey, "signing_key_bridge", minimum: Self.head, empty: .init())
    let encryption = try StructInput.copy(
      encryptionKey, "encryption_key_bridge", minimum: Self.head, empty: .init())
    let other = try StructInput.copy(
      utilities, "utilities_bridge", minimum: Self.head, empty: .init())
    try Self.require(signing.public_key != nil, "signing_key_bridge.public_key")
    try Self.require(signing.sign != nil, "signing_key_bridge.sign")
    try Self.require(signing.delete_key != nil, "signing_key_bridge.delete_key")
    try Self.require(encryption.encrypt != nil, "encryption_key_bridge.encrypt")
    try Self.require(encryption.decrypt != nil, "encryption_key_bridge.decrypt")
    try Self.require(encryption.delete_key != nil, "encryption_key_bridge.delete_key")
    let platforms = [
      wallet_core_platform(0), WALLET_CORE_PLATFORM_IOS, WALLET_CORE_PLATFORM_ANDROID,
    ]
    guard platforms.contains(other.platform) else {
      throw .argument("utilities_bridge.platform is not one of WALLET_CORE_PLATFORM_....")
    }
    self.signingKey = BridgeTable(
      id: UniqueID.next(), functions: .signingKey(signing),
      context: HostContext(pointer: signing.context, destroy: signing.destroy))
    self.encryptionKey = BridgeTable(
      id: UniqueID.next(), functions: .encryptionKey(encryption),
      context: HostContext(pointer: encryption.context, destroy: encryption.destroy))
    self.utilities = BridgeTable(
      id: UniqueID.next(), functions: .utilities(other),
      context: HostContext(pointer: other.context, destroy: other.destroy))
  }

  fileprivate static func require(_ isThere: Bool, _ name: String) throws(WalletError) {
    guard !isThere else { return }
    throw WalletError(
      .bridgeIncomplete, "\(name) is NULL; this function is required.",
      data: ["function": .text(name)])
  }
}
