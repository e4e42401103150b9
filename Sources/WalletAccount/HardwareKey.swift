internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol

/// The wallet's hardware key, reached through the signing-key bridge.
struct HardwareKey: Signer {
  let identifier: String
  let subjectKey: SubjectPublicKey
  let platform: any PlatformBridges
  let cancellation: Cancellation

  var algorithm: SignatureAlgorithm { subjectKey.algorithm }
  var keyID: String? { nil }

  /// Asks the bridge for the public key; the bridge makes the key if there is none.
  static func fetch(
    identifier: String, platform: any PlatformBridges, cancellation: Cancellation
  ) throws(WalletError) -> HardwareKey {
    let answer = try platform.ask(
      .publicKey(identifier: identifier), to: "get the public signing key",
      cancellation: cancellation)
    guard let subjectKey = try? SubjectPublicKey(der: answer.disclosed()) else {
      throw WalletError(
        .bridgeFailed,
        "signing_key_bridge.public_key must reply the SubjectPublicKeyInfo (DER) of a P-256 key, "
          + "uncompressed, or of an Ed25519 key.")
    }
    return HardwareKey(
      identifier: identifier, subjectKey: subjectKey, platform: platform,
      cancellation: cancellation)
  }

  func sign(_ message: [UInt8]) throws -> [UInt8] {
    let answer: Secret
    do {
      answer = try platform.perform(
        .sign(identifier: identifier, payload: message), cancellation: cancellation)
    } catch .refused(.keyMissing, _), .refused(.keyInvalidated, _) {
      throw WalletError(
        .storageKeyLost, "The hardware key of this wallet is gone; wipe to start over.")
    } catch { throw error.walletError("sign") }
    let signature = answer.disclosed()
    switch subjectKey.algorithm {
    case .edDSA where signature.count == 64: return signature
    case .es256:
      if let raw = try? ECDSASignature.raw(fromDER: signature) { return raw }
      fallthrough
    default:
      throw WalletError(
        .bridgeFailed,
        "signing_key_bridge.sign must reply 64 bytes for an Ed25519 key, and an ECDSA signature in "
          + "DER for a P-256 key.")
    }
  }
}
