/// What may be done with a wallet.
public enum WalletState: String, CaseIterable, Sendable {
  /// Its registration waits for the wallet's confirmation.
  case pending
  case active
  /// For a time, after wrong PINs.
  case blocked
  /// For good: by wrong PINs, or by whoever runs the provider.
  case blockedPermanently = "blocked-permanently"
}

/// How a wallet stands.
public struct WalletSummary: Sendable, Equatable {
  public let id: String
  public let state: WalletState
  /// Since the last right PIN.
  public let wrongAttempts: Int
  /// Milliseconds until the next attempt is allowed; nil in any state but blocked.
  public let blockedFor: Int64?
  /// When it was registered, in RFC 3339.
  public let registered: String

  init(_ wallet: StoredWallet, now: Int64) {
    var attempts = wallet.attempts
    id = wallet.id
    wrongAttempts = attempts.wrongAttempts
    let remaining = attempts.block?.remaining(now: now)
    if attempts.blockedPermanently {
      state = .blockedPermanently
    } else if remaining != nil {
      state = .blocked
    } else {
      state = wallet.confirmed ? .active : .pending
    }
    blockedFor = state == .blocked ? remaining : nil
    registered = RFC3339.text(wallet.registeredAt / 1000)
  }
}

/// The wallets, as whoever runs the provider manages them. It works beside any number of servers: each
/// act is one transaction that excludes a judgement of the same wallet.
public struct WalletAdministration: Sendable {
  /// How many wallets are looked at in one transaction.
  static let page = 500

  let store: any ProviderStore

  public init(store: any ProviderStore) { self.store = store }

  /// Wallets in the order of their ids.
  ///
  /// - Parameters:
  ///   - id: those after this one; nil begins with the first.
  ///   - limit: at most so many.
  ///   - state: only those in this state; all when nil.
  public func wallets(
    after id: String? = nil, limit: Int, state: WalletState? = nil
  ) async throws -> [WalletSummary] {
    var found: [WalletSummary] = []
    var last = id
    while found.count < limit {
      let page = try await store.transaction { [last] rows in
        let now = try rows.now
        return try rows.wallets(after: last, limit: Self.page)
          .map { WalletSummary($0, now: now) }
      }
      found += page.filter { state == nil || $0.state == state }
      guard page.count == Self.page, let end = page.last else { break }
      last = end.id
    }
    return Array(found.prefix(limit))
  }

  /// The wallet with this id and the account that it is proofed for; nil where there is no such wallet.
  public func wallet(_ id: String) async throws -> (wallet: WalletSummary, account: String?)? {
    try await store.transaction { rows in
      guard let wallet = try rows.wallet(id: id) else { return nil }
      return (WalletSummary(wallet, now: try rows.now), try rows.account(ofWallet: id))
    }
  }

  /// Blocks a wallet for good, as if its attempts were spent: no PIN is looked at any more. Answers that
  /// were stored for a repetition are gone too, a right PIN's among them.
  ///
  /// - Returns: False where there is no such wallet.
  public func block(_ id: String) async throws -> Bool {
    try await change(id) { wallet, rows in
      wallet.attempts.blockedPermanently = true
      wallet.attempts.block = nil
      try rows.keepLatestChallenges(0, ofWallet: id)
    }
  }

  /// Forgets the wrong attempts and blocks of a wallet, which gives whoever holds it all rounds anew.
  ///
  /// - Returns: False where there is no such wallet.
  public func unblock(_ id: String) async throws -> Bool {
    try await change(id) { wallet, _ in wallet.attempts.reset() }
  }

  /// Deletes a wallet with its sessions, as the wallet itself could: its device has to start over.
  ///
  /// - Returns: False where there is no such wallet.
  public func delete(_ id: String) async throws -> Bool {
    try await store.transaction { rows in
      guard try rows.wallet(id: id) != nil else { return false }
      try rows.deleteWallet(id: id)
      return true
    }
  }

  private func change(
    _ id: String,
    _ act: @escaping @Sendable (inout StoredWallet, any ProviderTransaction) throws -> Void
  ) async throws -> Bool {
    try await store.transaction { rows in
      guard var wallet = try rows.wallet(id: id) else { return false }
      try act(&wallet, rows)
      try rows.update(wallet)
      return true
    }
  }
}
