import WalletSignatures

// The sealed values of a wallet. One sealing key, which the row names, seals all of them.

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
    wallet.sealedHalf = try resealed(sealedHalf, .half, boundTo: sealOwner)
    wallet.sealedShare = try resealed(sealedShare, .share, boundTo: sealOwner)
    if let pending {
      let owner = sealOwner(ofChange: pending.change)
      wallet.pending?.sealedHalf = try resealed(pending.sealedHalf, .pendingHalf, boundTo: owner)
      wallet.pending?.sealedKey = try pending.sealedKey.map {
        try resealed($0, .pendingPinKey, boundTo: owner)
      }
    }
    wallet.sealingKey = sealing.id
    return wallet
  }

  /// The owner to which the key of a new PIN is bound. The sealed key opens only for the same
  /// change of the same wallet.
  func sealOwner(ofChange change: String) -> [[UInt8]] { sealOwner + [Array(change.utf8)] }

  /// The owner to which a wallet's values are bound. The hash in it is computed from the hardware
  /// key, which also verifies signatures; the hash that the row contains is not used.
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

  /// - Throws: `StoreFailure` if the value was changed or moved, or if its key is not in the ring.
  func open(_ purpose: SealingPurpose, of wallet: StoredWallet) throws(StoreFailure) -> [UInt8] {
    let sealed =
      switch purpose {
      case .pinKey: wallet.sealedPinKey
      case .half: wallet.sealedHalf
      default: wallet.sealedShare
      }
    return try open(sealed, key: wallet.sealingKey, purpose: purpose, boundTo: wallet.sealOwner)
  }
}
