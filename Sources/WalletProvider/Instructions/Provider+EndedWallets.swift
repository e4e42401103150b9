import WalletProtocol

extension Provider {
  /// The number of ended wallets that are read in one transaction.
  private static let endedWallets = 100
  /// The number of ended wallets that are deleted with a request.
  static let fewEndedWallets = 10

  /// Whether the wallet still exists: an unconfirmed registration expires.
  func isAlive(_ wallet: StoredWallet, now: Int64) -> Bool {
    wallet.confirmed || wallet.registeredAt > now - settings.unconfirmedLife
  }

  /// Deletes registrations that were not confirmed in time and wallets that were replaced, first at
  /// the evaluator. Until that has succeeded, the wallet's row keeps the ids of the PIN keys, so that
  /// neither a crash nor an evaluator out of reach leaves a row at the evaluator for ever.
  ///
  /// - Throws: `StoreFailure`, also if the evaluator cannot be reached. What is left is deleted by
  ///   the next call.
  func deleteEndedWallets() async throws {
    var last: [StoredValue] = []
    while true {
      let found = try await deleteEndedWallets(atMost: Self.endedWallets)
      // Rows that are left would be read for ever.
      guard !found.isEmpty, found != last else { return }
      last = found
    }
  }

  /// The same for at most `limit` wallets.
  ///
  /// - Returns: Which.
  func deleteEndedWallets(atMost limit: Int) async throws -> [StoredValue] {
    let found = try await store.transaction { [settings] rows in
      try rows.unconfirmedWallets(
        registeredBy: try rows.now - settings.unconfirmedLife, limit: limit)
    }
    for wallet in found { try await delete(wallet) }
    return found.map(\.key)
  }

  private func delete(_ found: FoundRow<StoredWallet>) async throws {
    guard let wallet = try? found.row.get() else {
      // A row that the provider did not write names no key that the evaluator may delete.
      guard found.unauthentic != nil else { return }
      return try await store.transaction { try $0.deleteWallet(id: found.key.text) }
    }
    for key in wallet.pinKeyIDs { _ = try await ask(.delete(key: key)) }
    try await store.transaction { rows in
      // Meanwhile its hardware key may have registered again.
      guard let present = try rows.wallet(id: wallet.id), present.pinKeyIDs == wallet.pinKeyIDs,
        !isAlive(present, now: try rows.now)
      else { return }
      try rows.deleteWallet(id: wallet.id)
    }
  }
}
