internal import WalletCrypto
public import WalletModel
public import WalletProtocol
public import WalletTransport

/// Where trust begins: everything in here comes from the options of init.
public struct ConfigurationAnchor: Sendable {
  /// The address of the provider.
  public let address: ProviderAddress
  /// The PEM of the only certificate authority that is trusted; nil trusts those of the system.
  public let certificateAuthority: [UInt8]?
  /// Whether this device itself may be reached, as the provider by `http` and as another party. For
  /// development only.
  public let allowLoopback: Bool
  /// The embedded configuration, verified.
  public let embedded: ConfigurationClaims
  /// The base64url SHA-256 of the embedded configuration's compact JWS.
  let embeddedHash: String
  /// The embedded update policy as it was signed; nil if the document has none.
  let embeddedPolicy: String?

  let signingKeys: [String: Ed25519.VerifyingKey]

  /// The maximum length of the embedded document, in bytes.
  public static let maximumDocumentLength = 256 * 1024

  /// Reads and verifies the embedded document.
  ///
  /// - Parameter pinnedKeys: The configuration-signing keys in the app's code, by id. If there are
  ///   any, the list in the document is ignored.
  public init(
    document: [UInt8], pinnedKeys: [(id: String, publicKey: [UInt8])]
  ) throws(WalletError) {
    guard document.count <= Self.maximumDocumentLength,
      let client = try? WireJSON.decode(ClientConfiguration.self, from: document),
      client.schema == 1
    else {
      throw Self.invalid(
        "embedded_configuration is not the document that `wallet-provider client-configuration` "
          + "prints.")
    }
    address = try ProviderAddress(
      url: client.providerURL, allowLoopbackHTTP: client.allowLoopbackHTTP)
    allowLoopback = client.allowLoopbackHTTP
    certificateAuthority = client.certificateAuthority.map { Array($0.utf8) }
    signingKeys = try Self.keys(
      pinnedKeys.isEmpty
        ? client.configurationSigningKeys.map { ($0.id, Base64URL.decode($0.key) ?? []) }
        : pinnedKeys)
    do {
      embedded = try Self.verify(client.configuration, keys: signingKeys)
    } catch {
      throw Self.invalid("The embedded configuration does not verify (\(error)).")
    }
    embeddedHash = Self.hash(of: client.configuration)
    embeddedPolicy = client.updatePolicy
    do {
      if let embeddedPolicy { _ = try verifyPolicy(embeddedPolicy) }
    } catch {
      throw Self.invalid("The embedded update policy does not verify (\(error)).")
    }
  }

  private static func keys(
    _ list: [(id: String, publicKey: [UInt8])]
  ) throws(WalletError) -> [String: Ed25519.VerifyingKey] {
    var keys: [String: Ed25519.VerifyingKey] = [:]
    for (id, publicKey) in list {
      guard !id.isEmpty, id.utf8.count <= 64, keys[id] == nil,
        let key = try? Ed25519.VerifyingKey(publicKey: publicKey)
      else {
        throw invalid("A configuration-signing key has a bad or repeated id or is not 32 bytes.")
      }
      keys[id] = key
    }
    guard (2...16).contains(keys.count), Set(keys.values.map(\.publicKey)).count == keys.count
    else {
      throw invalid(
        "There must be 2 to 16 different configuration-signing keys, one of them kept offline.")
    }
    return keys
  }

  /// The base64url SHA-256 of a compact JWS. Update policies name a configuration by this hash. The
  /// ETag of a configuration is this hash in quotes.
  static func hash(of compact: String) -> String {
    Base64URL.encode(Hash.sha256(Array(compact.utf8)))
  }

  static func invalid(_ message: String) -> WalletError {
    WalletError(.configurationInvalid, message)
  }

  /// Returns the configuration in `compact` if it is signed by one of the keys, comes from the same
  /// provider as the embedded one and is usable.
  func verify(_ compact: String) throws(WireError) -> ConfigurationClaims {
    let claims = try Self.verify(compact, keys: signingKeys)
    guard claims.providerID == embedded.providerID else { throw .contentMalformed }
    return claims
  }

  /// Returns the update policy in `compact` if it is signed by one of the keys and comes from the
  /// same provider.
  func verifyPolicy(_ compact: String) throws(WireError) -> UpdatePolicyClaims {
    let times = Self.plausibleTimes
    let claims = try Self.content(
      UpdatePolicyClaims.self, compact, type: .updatePolicy, keys: signingKeys)
    guard claims.version == wireVersion, claims.providerID == embedded.providerID,
      times.contains(claims.issuedAt), claims.validUntil.map(times.contains) ?? true,
      claims.rules.count <= 256
    else { throw .contentMalformed }
    return claims
  }

  private static func content<Content: Decodable>(
    _: Content.Type, _ compact: String, type: SignedMessageType,
    keys: [String: Ed25519.VerifyingKey]
  ) throws(WireError) -> Content {
    let message = try SignedMessage(parsing: compact)
    guard let id = message.keyID, let key = keys[id] else { throw .headerRefused }
    return try message.content(Content.self, type: type, verifier: key)
  }

  private static func verify(
    _ compact: String, keys: [String: Ed25519.VerifyingKey]
  ) throws(WireError) -> ConfigurationClaims {
    let claims = try content(ConfigurationClaims.self, compact, type: .configuration, keys: keys)
    guard isUsable(claims) else { throw .contentMalformed }
    return claims
  }

  /// The times, in seconds since 1970, that are small enough to calculate with.
  static let plausibleTimes: Range<Int64> = 0..<1 << 40

  /// Whether the core can use the configuration: keys are present and well-formed, no two keys with
  /// the same role have the same id, and times are plausible.
  private static func isUsable(_ claims: ConfigurationClaims) -> Bool {
    let day: UInt64 = 24 * 60 * 60 * 1000
    return claims.version == wireVersion && claims.configurationVersion < 1 << 53
      && !claims.providerID.isEmpty && claims.providerID.utf8.count <= 128
      && areUsable(claims.resultKeys) && areUsable(claims.certificateKeys)
      && areUsable(claims.encryptionKeys) && (claims.useKeys.isEmpty || areUsable(claims.useKeys))
      && claims.trustAnchors.count <= PublishedAnchor.maximumCount
      && claims.proofingHosts.count <= 64
      && (1000...day).contains(claims.inactiveTimeoutMilliseconds)
      && (1000...day).contains(claims.inactiveWarningMilliseconds)
      && (1000...day).contains(claims.backgroundTimeoutMilliseconds)
      && claims.validUntil.map(plausibleTimes.contains) ?? true
  }

  private static func areUsable(_ keys: [PublishedKey]) -> Bool {
    (1...16).contains(keys.count) && Set(keys.map(\.id)).count == keys.count
      && keys.allSatisfy { Base64URL.decode($0.key)?.count == 32 }
  }
}
