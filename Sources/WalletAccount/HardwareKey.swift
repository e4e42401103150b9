internal import WalletCrypto
public import WalletModel
public import WalletPlatform
public import WalletProtocol

/// A hardware key of the wallet or of a card, reached through the signing-key bridge.
public struct HardwareKey: Signer {
  let identifier: String
  public let subjectKey: SubjectPublicKey
  let platform: any PlatformBridges
  let cancellation: Cancellation

  public var algorithm: SignatureAlgorithm { subjectKey.algorithm }
  public var keyID: String? { nil }

  /// Asks the bridge for the public key; the bridge makes the key if there is none.
  public static func fetch(
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

  public func sign(_ message: [UInt8]) throws -> [UInt8] {
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
