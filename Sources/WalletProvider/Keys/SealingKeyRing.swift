/// The keys that seal what the database must not hold in the clear. It seals with the current one
/// and opens with the one that a row names.
public typealias SealingKeyRing = KeyRing<any SealingKey>

extension KeyRing where Key == any SealingKey {
  /// The id of the key that seals.
  public var id: String { current.id }

  func key(id: String) -> (any SealingKey)? { all.first { $0.id == id } }

  /// - Parameter owner: what the value belongs to; it opens for the same only.
  func seal(_ value: [UInt8], purpose: SealingPurpose, boundTo owner: [[UInt8]]) throws -> [UInt8] {
    try current.seal(value, authenticating: purpose.associatedData(owner: owner, keyID: current.id))
  }

  /// - Parameter sealingKey: the id of the key that sealed it.
  /// - Throws: `StoreFailure` when the value was changed or moved, or its key is not in the ring.
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

  /// The same value under the current key.
  func reseal(
    _ sealed: [UInt8], key sealingKey: String, purpose: SealingPurpose, boundTo owner: [[UInt8]]
  ) throws -> [UInt8] {
    let value = try open(sealed, key: sealingKey, purpose: purpose, boundTo: owner)
    return try seal(value, purpose: purpose, boundTo: owner)
  }

  /// Whether a row that names this key is to be sealed anew. One whose key is not here stays as it
  /// is: it opens where that key is.
  func isFormer(_ sealingKey: String) -> Bool { others.contains { $0.id == sealingKey } }
}
