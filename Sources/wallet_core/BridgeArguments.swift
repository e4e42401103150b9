internal import WalletCrypto
internal import WalletPlatform

/// The arguments of a bridge call, at addresses that stay valid as long as this object lives.
final class BridgeArguments: Sendable {
  let identifier: StableText
  /// The bytes, in guarded memory because some of them are secret.
  let bytes: Secret?

  /// - Returns: nil where no guarded memory can be had.
  init?(_ request: BridgeRequest) {
    do {
      switch request {
      case .publicKey(let identifier), .deleteSigningKey(let identifier),
        .deleteEncryptionKey(let identifier):
        self.identifier = StableText(identifier)
        bytes = nil
      case .sign(let identifier, let payload):
        self.identifier = StableText(identifier)
        bytes = try Secret(copying: payload)
      case .attest(let identifier, let challenge):
        self.identifier = StableText(identifier)
        bytes = try Secret(copying: challenge)
      case .encrypt(let identifier, _, let plaintext):
        self.identifier = StableText(identifier)
        bytes = plaintext
      case .decrypt(let identifier, _, let ciphertext):
        self.identifier = StableText(identifier)
        bytes = try Secret(copying: ciphertext)
      case .storagePath, .biometricsAvailable, .deviceSecure, .internetReachable,
        .cameraState:
        identifier = StableText("")
        bytes = nil
      }
    } catch {
      return nil
    }
  }

  /// Calls `body` with the bytes. The pointer stays valid afterwards, as long as the object lives:
  /// a secret never moves.
  func withBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
    guard let bytes else { return }
    bytes.withBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      body(start.assumingMemoryBound(to: UInt8.self), buffer.count)
    }
  }
}
