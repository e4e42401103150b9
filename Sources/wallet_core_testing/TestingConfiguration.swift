internal import CWalletCoreTesting
internal import WalletCrypto
internal import WalletPlatform
internal import WalletProtocol
internal import WalletSystem

/// A document as `wallet-provider client-configuration` prints it, of a provider that does not run.
package enum TestingConfiguration {
  /// The document once it was made; its memory is never freed.
  private static let document = Monitor<Int?>(nil)

  /// - Parameter inactiveTimeout: After how many milliseconds without activity the wallet locks.
  package static func make(
    version: UInt64 = 1, proofingHosts: [String] = [], inactiveTimeout: UInt64 = 300_000
  ) throws -> [UInt8] {
    let keys = try ["online", "offline"].map {
      try Ed25519.SigningKey(seed: Secret.random(count: 32), keyID: $0)
    }
    let published = keys.map {
      PublishedKey(id: $0.keyID ?? "", key: Base64URL.encode($0.publicKey))
    }
    let claims = ConfigurationClaims(
      configurationVersion: version, providerID: "provider.test", resultKeys: [published[0]],
      certificateKeys: [published[0]], encryptionKeys: [published[0]],
      proofingHosts: proofingHosts, inactiveTimeoutMilliseconds: inactiveTimeout)
    return try WireJSON.encode(
      ClientConfiguration(
        providerURL: "http://127.0.0.1:1", allowLoopbackHTTP: true,
        configurationSigningKeys: published,
        configuration: try SignedMessage.sign(claims, type: .configuration, signer: keys[0])))
  }

  /// Returns the document as a text that ends with a NUL; the same one each time.
  static func text() -> UnsafePointer<CChar>? {
    let address = document.withLock { document -> Int? in
      if let document { return document }
      guard let bytes = try? make() else { return nil }
      let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
      memory.initialize(from: bytes + [0], count: bytes.count + 1)
      document = Int(bitPattern: memory)
      return document
    }
    return address.flatMap { UnsafePointer(bitPattern: $0) }
  }
}
