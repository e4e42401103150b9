// What is sealed of a wallet: all of it with the one key that its row names.

extension StoredWallet {
  /// Passes every sealed member through `change`.
  mutating func changeSealed(
    _ change: (SealedPlace, _ owner: [[UInt8]], [UInt8]) throws -> [UInt8]
  ) rethrows {
    sealedPinKey = try change(.pinKey, sealOwner, sealedPinKey)
    sealedShare = try change(.share, sealOwner, sealedShare)
    if var pending {
      pending.sealedKey = try change(
        .pendingPinKey, sealOwner(ofChange: pending.change), pending.sealedKey)
      self.pending = pending
    }
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
    _ value: [UInt8], place: SealedPlace, wallet: String, hardwareKeyHash: [UInt8]
  ) throws -> [UInt8] {
    try seal(
      value, place: place,
      boundTo: StoredWallet.sealOwner(id: wallet, hardwareKeyHash: hardwareKeyHash))
  }

  /// - Throws: `StoreFailure` when the value was changed or moved, or its key is not in the ring.
  func open(_ place: SealedPlace, of wallet: StoredWallet) throws(StoreFailure) -> [UInt8] {
    let sealed = place == .pinKey ? wallet.sealedPinKey : wallet.sealedShare
    return try open(sealed, key: wallet.sealingKey, place: place, boundTo: wallet.sealOwner)
  }

  /// The wallet with all that is sealed of it under the current key.
  func resealed(_ wallet: StoredWallet) throws -> StoredWallet {
    guard isFormer(wallet.sealingKey) else { return wallet }
    var resealed = wallet
    try resealed.changeSealed { place, owner, sealed in
      try reseal(sealed, key: wallet.sealingKey, place: place, boundTo: owner)
    }
    resealed.sealingKey = id
    return resealed
  }
}
