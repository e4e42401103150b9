import Foundation
import WalletCrypto
import WalletProtocol

/// A document as `wallet-provider client-configuration` prints it, for a provider that does not
/// run.
enum EmbeddedConfiguration {
  static let inactiveTimeout: UInt64 = 123_000

  static func document(version: UInt64 = 1) throws -> [UInt8] {
    let keys = try ["online", "offline"].map {
      try Ed25519.SigningKey(seed: Secret.random(count: 32), keyID: $0)
    }
    let published = keys.map {
      PublishedKey(id: $0.keyID ?? "", key: Base64URL.encode($0.publicKey))
    }
    let claims = ConfigurationClaims(
      configurationVersion: version, providerID: "provider.test", resultKeys: [published[0]],
      certificateKeys: [published[0]], encryptionKeys: [published[0]],
      proofingHosts: ["proofing.example"], inactiveTimeoutMilliseconds: inactiveTimeout)
    let client = ClientConfiguration(
      providerURL: "http://127.0.0.1:1", allowLoopbackHTTP: true,
      configurationSigningKeys: published,
      configuration: try SignedMessage.sign(claims, type: .configuration, signer: keys[0]))
    return try WireJSON.encode(client)
  }
}
