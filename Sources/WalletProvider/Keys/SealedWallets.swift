// What is sealed of a wallet: all of it with the one key that its row names.

extension StoredWallet: SealedRow {
  func resealed(by sealing: SealingKeyRing) throws -> StoredWallet {
    guard sealing.isFormer(sealingKey) else { return self }
    func resealed(
      _ sealed: [UInt8], _ purpose: SealingPurpose, boundTo owner: [[UInt8]]
    ) throws -> [UInt8] {
      try sealing.reseal(sealed, key: sealingKey, purpose: purpose, boundTo: owner)
    }
    var wallet = self
    wallet.sealedPinKey = try resealed(sealedPinKey, .pinKey, boundTo: sealOwner)
    wallet.sealedShare = try resealed(sealedShare, .share, boundTo: sealOwner)
    if let pending {
      wallet.pending?.sealedKey = try resealed(
        pending.sealedKey, .pendingPinKey, boundTo: sealOwner(ofChange: pending.change))
    }
    wallet.sealingKey = sealing.id
    return wallet
  }

  /// What the key of a new PIN is bound to: it is worth nothing as that of another change or wallet.
  func sealOwner(ofChange change: String) -> [[UInt8]] { sealOwner + [Array(change.utf8)] }

  /// By the key itself, which the signatures are checked with, not by the hash beside it.
  fileprivate var sealOwner: [[UInt8]] {
    Self.sealOwner(id: id, hardwareKeyHash: Digest.sha256(hardwareKey))
  }

  fileprivate static func sealOwner(id: String, hardwareKeyHash: [UInt8]) -> [[UInt8]] {
    [Array(id.utf8), hardwareKeyHash]
  }
}

extension KeyRing where Key == any SealingKey {
  func seal(
    _ value: [UInt8], purpose: SealingPurpose, wallet: String, hardwareKeyHash: [UInt8]
  ) throws -> [UInt8] {
    try seal(
      value, purpose: purpose,
      boundTo: StoredWallet.sealOwner(id: wallet, hardwareKeyHash: hardwareKeyHash))
  }

  /// - Throws: `StoreFailure` when the value was changed or moved, or its key is not in the ring.
  func open(_ purpose: SealingPurpose, of wallet: StoredWallet) throws(StoreFailure) -> [UInt8] {
    let sealed = purpose == .pinKey ? wallet.sealedPinKey : wallet.sealedShare
    return try open(sealed, key: wallet.sealingKey, purpose: purpose, boundTo: wallet.sealOwner)
  }
}
