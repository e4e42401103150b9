/// A secret that the servers of a provider share through the store, in sealed form.
public struct StoredProviderSecret: Sendable, Equatable {
  /// The purpose of the secret; unique.
  public var name: String
  /// The id of the key that the secret is sealed with.
  public var sealingKey: String
  public var sealed: [UInt8]

  public init(name: String, sealingKey: String, sealed: [UInt8]) {
    self.name = name
    self.sealingKey = sealingKey
    self.sealed = sealed
  }
}

extension StoredProviderSecret: StoredRow {
  public static let table = StoredTable.secret

  public init(columns: some ColumnReader) throws {
    self.init(
      name: try columns.text("name"), sealingKey: try columns.text("sealing_key"),
      sealed: try columns.bytes("sealed"))
  }

  public func values() -> [StoredValue] { [.text(sealingKey), .bytes(sealed)] }

  public var key: StoredValue { .text(name) }
}

extension KeyRing where Key == any SealingKey {
  func seal(secret: [UInt8], name: String) throws -> StoredProviderSecret {
    StoredProviderSecret(
      name: name, sealingKey: id,
      sealed: try seal(secret, purpose: .providerSecret, boundTo: [Array(name.utf8)]))
  }

  func open(_ secret: StoredProviderSecret) throws(StoreFailure) -> [UInt8] {
    try open(
      secret.sealed, key: secret.sealingKey, purpose: .providerSecret,
      boundTo: [Array(secret.name.utf8)])
  }
}

extension StoredProviderSecret: SealedRow {
  func resealed(by sealing: SealingKeyRing) throws -> StoredProviderSecret {
    guard sealing.isFormer(sealingKey) else { return self }
    return try sealing.seal(secret: try sealing.open(self), name: name)
  }
}
