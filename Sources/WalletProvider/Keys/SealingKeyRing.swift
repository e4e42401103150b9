/// The keys that seal what the database must not hold in the clear. The current key seals; the key
/// that a row names opens.
public typealias SealingKeyRing = KeyRing<any SealingKey>

extension KeyRing where Key == any SealingKey {
  /// The id of the current key.
  public var id: String { current.id }

  func key(id: String) -> (any SealingKey)? { all.first { $0.id == id } }

  /// - Parameter owner: the owner that the value is bound to; it opens only for the same owner.
  func seal(_ value: [UInt8], purpose: SealingPurpose, boundTo owner: [[UInt8]]) throws -> [UInt8] {
    try current.seal(value, authenticating: purpose.associatedData(owner: owner, keyID: current.id))
  }

  /// - Parameter sealingKey: the id of the key that sealed the value.
  /// - Throws: `StoreFailure` if the value was changed or moved, or if its key is not in the ring.
  func open(
    _ sealed: [UInt8], key sealingKey: String, purpose: SealingPurpose, boundTo owner: [[UInt8]]
  ) throws(StoreFailure) -> [UInt8] {
    guard let key = key(id: sealingKey) else {
      throw StoreFailure("a row is sealed with the key \(sealingKey.prefix(16)), which is not here")
    }
    let data = purpose.associatedData(owner: owner, keyID: sealingKey)
    guard let value = try? key.open(sealed, authenticating: data) else {
      throw StoreFailure("a sealed value does not open under its sealing key")
    }
    return value
  }

  /// Opens a value and seals it with the current key.
  func reseal(
    _ sealed: [UInt8], key sealingKey: String, purpose: SealingPurpose, boundTo owner: [[UInt8]]
  ) throws -> [UInt8] {
    let value = try open(sealed, key: sealingKey, purpose: purpose, boundTo: owner)
    return try seal(value, purpose: purpose, boundTo: owner)
  }

  /// Whether a row that names this key must be sealed again. A row whose key is not in this ring
  /// stays unchanged: a server that has the key can open it.
  func isFormer(_ sealingKey: String) -> Bool { others.contains { $0.id == sealingKey } }
}
