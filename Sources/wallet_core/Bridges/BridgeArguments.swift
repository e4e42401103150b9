internal import WalletCrypto
internal import WalletPlatform

/// The function of the host that a call is for.
enum BridgeFunction: Sendable {
  case publicKey
  case sign
  case deleteSigningKey
  case attest
  case encrypt(KeyProtection)
  case decrypt(KeyProtection)
  case deleteEncryptionKey
  case storagePath
  case biometricsAvailable
  case deviceSecure
  case internetReachable
  case cameraState
  case send
}

/// The arguments of a call to the host, at addresses that stay valid as long as this object lives.
final class BridgeArguments: Sendable {
  let function: BridgeFunction
  let identifier: StableText
  /// A copy of the bytes, in guarded memory because some of them are secret.
  let bytes: Secret?
  /// The request of `send`.
  let http: HTTPArguments?

  init(_ call: HTTPCall) {
    function = .send
    identifier = StableText("")
    bytes = nil
    http = HTTPArguments(call)
  }

  /// - Throws: If there is not enough guarded memory.
  init(_ request: BridgeRequest) throws {
    let (name, bytes): (String, Secret?)
    switch request {
    case .publicKey(let identifier): (function, name, bytes) = (.publicKey, identifier, nil)
    case .sign(let identifier, let payload):
      (function, name, bytes) = (.sign, identifier, try Secret(copying: payload))
    case .deleteSigningKey(let identifier):
      (function, name, bytes) = (.deleteSigningKey, identifier, nil)
    case .attest(let identifier, let challenge):
      (function, name, bytes) = (.attest, identifier, try Secret(copying: challenge))
    case .encrypt(let identifier, let protection, let plaintext):
      let copy = try plaintext.withBytes { try Secret(copying: $0) }
      (function, name, bytes) = (.encrypt(protection), identifier, copy)
    case .decrypt(let identifier, let protection, let ciphertext):
      (function, name, bytes) = (
        .decrypt(protection), identifier, try Secret(copying: ciphertext)
      )
    case .deleteEncryptionKey(let identifier):
      (function, name, bytes) = (.deleteEncryptionKey, identifier, nil)
    case .storagePath: (function, name, bytes) = (.storagePath, "", nil)
    case .biometricsAvailable: (function, name, bytes) = (.biometricsAvailable, "", nil)
    case .deviceSecure: (function, name, bytes) = (.deviceSecure, "", nil)
    case .internetReachable: (function, name, bytes) = (.internetReachable, "", nil)
    case .cameraState: (function, name, bytes) = (.cameraState, "", nil)
    }
    identifier = StableText(name)
    self.bytes = bytes
    http = nil
  }

  /// Calls `body` with the bytes. The pointer stays valid afterwards, as long as the object lives,
  /// because a secret never moves.
  func withBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
    guard let bytes else { return }
    bytes.withBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      body(start.assumingMemoryBound(to: UInt8.self), buffer.count)
    }
  }

  /// Wipes the secret arguments of a call that has ended, because the host may still have their
  /// address.
  func wipeSecret() {
    if case .encrypt = function { bytes?.wipe() }
    http?.wipeBody()
  }
}
