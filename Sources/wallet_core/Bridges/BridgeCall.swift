internal import CWalletCore
internal import WalletCrypto
internal import WalletPlatform

/// What a host answers.
enum BridgeAnswer: Sendable {
  case bytes(Secret)
  case http(HTTPReply)
}

/// One call of a bridge function, from the request to its single end.
final class BridgeCall: Sendable {
  /// The progress of the call.
  struct Progress {
    /// Whether the host's function was entered and whether it has returned.
    var wasStarted = false
    var hasReturned = false
    /// When the call must have ended; nil until it is entered, and for calls that may prompt.
    var deadline: Milliseconds?
    /// The result. Once it is set, nothing waits for the call, and the function need not be
    /// entered.
    var answer: Result<BridgeAnswer, BridgeFailure>?
  }

  let id: UInt64
  /// How long the host may take from the moment when its function is entered; nil without limit,
  /// because the platform may show the user a prompt.
  let timeout: Milliseconds?
  let table: BridgeTable
  let arguments: BridgeArguments
  let progress = Monitor(Progress())

  init(_ table: BridgeTable, _ arguments: BridgeArguments, timeout: Milliseconds?) {
    id = UniqueID.next()
    self.timeout = timeout
    self.table = table
    self.arguments = arguments
  }

  /// Ends the wait for the answer.
  func end(with answer: Result<BridgeAnswer, BridgeFailure>) {
    progress.update { progress in
      if progress.answer == nil { progress.answer = answer }
    }
    arguments.wipeSecret()
  }

  /// Whether it is a call of the HTTP bridge, which has replies of its own.
  var isHTTP: Bool { arguments.http != nil }

  /// Whether the host implements the function.
  var isImplemented: Bool {
    switch (table.functions, arguments.function) {
    case (.signingKey(let bridge), .attest): bridge.attest != nil
    case (.utilities(let bridge), .storagePath): bridge.storage_path != nil
    case (.utilities(let bridge), .biometricsAvailable): bridge.biometrics_available != nil
    case (.utilities(let bridge), .deviceSecure): bridge.device_secure != nil
    case (.utilities(let bridge), .internetReachable): bridge.internet_reachable != nil
    case (.utilities(let bridge), .cameraState): bridge.camera_state != nil
    default: true
    }
  }

  /// Calls the host's function. Runs only on a bridge queue. The arguments stay valid until the
  /// function returns, whatever happens to the call meanwhile.
  ///
  /// - Parameter deadline: When the call must have ended; nil for one that may prompt.
  func enter(until deadline: Milliseconds?) {
    // This wakes the thread that waits for the answer, so that it sees the deadline.
    let isWanted = progress.update { progress in
      progress.wasStarted = progress.answer == nil
      progress.deadline = deadline
      return progress.wasStarted
    }
    guard isWanted else { return }
    withExtendedLifetime(arguments) {
      switch table.functions {
      case .signingKey(let bridge): enter(bridge)
      case .encryptionKey(let bridge): enter(bridge)
      case .utilities(let bridge): enter(bridge)
      case .http(let bridge):
        if let http = arguments.http { bridge.send?(bridge.context, id, http.request) }
      }
    }
    progress.update { $0.hasReturned = true }
  }

  private func enter(_ bridge: wallet_core_signing_key_bridge) {
    let identifier = arguments.identifier.start
    switch arguments.function {
    case .publicKey: bridge.public_key?(bridge.context, id, identifier)
    case .sign:
      arguments.withBytes { bridge.sign?(bridge.context, id, identifier, $0, $1) }
    case .deleteSigningKey: bridge.delete_key?(bridge.context, id, identifier)
    case .attest:
      arguments.withBytes { bridge.attest?(bridge.context, id, identifier, $0, $1) }
    default: break
    }
  }

  private func enter(_ bridge: wallet_core_encryption_key_bridge) {
    let identifier = arguments.identifier.start
    switch arguments.function {
    case .encrypt(let protection):
      arguments.withBytes {
        bridge.encrypt?(
          bridge.context, id, identifier, wallet_core_protection(protection.rawValue), $0, $1)
      }
    case .decrypt(let protection):
      arguments.withBytes {
        bridge.decrypt?(
          bridge.context, id, identifier, wallet_core_protection(protection.rawValue), $0, $1)
      }
    case .deleteEncryptionKey: bridge.delete_key?(bridge.context, id, identifier)
    default: break
    }
  }

  private func enter(_ bridge: wallet_core_utilities_bridge) {
    switch arguments.function {
    case .storagePath: bridge.storage_path?(bridge.context, id)
    case .biometricsAvailable: bridge.biometrics_available?(bridge.context, id)
    case .deviceSecure: bridge.device_secure?(bridge.context, id)
    case .internetReachable: bridge.internet_reachable?(bridge.context, id)
    case .cameraState: bridge.camera_state?(bridge.context, id)
    default: break
    }
  }
}
