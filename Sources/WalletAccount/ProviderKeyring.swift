internal import WalletCrypto
internal import WalletModel
internal import WalletProtocol

/// The provider's published keys, by role and id.
struct ProviderKeyring {
  let configuration: ConfigurationClaims

  /// Seals `payload` to the provider.
  ///
  /// - Returns: the id of the key that it is sealed to, and the sealed bytes.
  func seal(_ payload: Secret) throws(WalletError) -> (keyID: String, sealed: [UInt8]) {
    // libsodium refuses keys of low order, which would not protect the content.
    guard let published = configuration.encryptionKeys.first,
      let key = Base64URL.decode(published.key),
      let sealed = try? SealedBox.seal(payload, to: key)
    else {
      throw WalletError(.configurationInvalid, "The configuration has no usable encryption key.")
    }
    return (published.id, sealed)
  }

  /// Returns the content of `compact`, verified with the key of `keys` that its header names.
  func verified<Content: Decodable>(
    _: Content.Type, _ compact: String, type: SignedMessageType, keys: [PublishedKey]
  ) throws(WalletError) -> Content {
    do {
      let message = try SignedMessage(parsing: compact)
      guard let published = keys.first(where: { $0.id == message.keyID }),
        let raw = Base64URL.decode(published.key),
        let key = try? Ed25519.VerifyingKey(publicKey: raw)
      else { throw WireError.headerRefused }
      return try message.content(Content.self, type: type, verifier: key)
    } catch {
      throw WalletError(
        .serverRefused,
        "The provider's answer is not signed as the configuration demands (\(error)); it was "
          + "ignored and nothing was changed.")
    }
  }
}
