extension KeyRing where Key == any SealingKey {
  func seal(secret: [UInt8], name: String) throws -> StoredProviderSecret {
    StoredProviderSecret(
      name: name, sealingKey: id,
      sealed: try seal(secret, place: .providerSecret, boundTo: [Array(name.utf8)]))
  }

  func open(_ secret: StoredProviderSecret) throws(StoreFailure) -> [UInt8] {
    try open(
      secret.sealed, key: secret.sealingKey, place: .providerSecret,
      boundTo: [Array(secret.name.utf8)])
  }

  /// The secret under the current key.
  func resealed(_ secret: StoredProviderSecret) throws -> StoredProviderSecret {
    guard isFormer(secret.sealingKey) else { return secret }
    return try seal(secret: try open(secret), name: secret.name)
  }
}
