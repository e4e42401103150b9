import WalletAttempts

/// The state of a wallet.
public enum WalletState: String, CaseIterable, Sendable {
  /// Its registration is not confirmed yet.
  case pending
  case active
  /// Blocked for a time after wrong PINs.
  case blocked
  /// Blocked permanently, by wrong PINs or by the operator.
  case blockedPermanently = "blocked-permanently"
  /// Its row is not as the provider wrote it, or the key for it is not here.
  case unreadable
}

/// A summary of one wallet.
public struct WalletSummary: Sendable, Equatable {
  public let id: String
  public let state: WalletState
  /// The number of wrong PINs since the last right one; nil if it is unreadable.
  public let wrongAttempts: Int?
  /// Milliseconds until the next attempt is allowed; nil in any state other than blocked.
  public let blockedFor: Int64?
  /// The time of its registration in RFC 3339 format; nil if it is unreadable.
  public let registered: String?

  /// A row that the provider did not write must not keep support from seeing the other wallets.
  init(_ found: FoundRow<StoredWallet>, now: Int64) {
    switch found.row {
    case .success(let wallet): self.init(wallet, now: now)
    case .failure: self.init(unreadable: found.shownKey)
    }
  }

  private init(unreadable id: String) {
    self.id = id
    state = .unreadable
    (wrongAttempts, blockedFor, registered) = (nil, nil, nil)
  }

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

/// An evaluator's side of the administration of wallets. An operator of the evaluator reaches it; the
/// messages of a provider do not.
public protocol EvaluatorAdministration: Sendable {
  /// Begins the rounds and the count of 30 days anew.
  ///
  /// - Returns: False if there is no such PIN key.
  func unblock(key: String) async throws -> Bool
  /// Deletes the wallet with this PIN key, if there is one.
  func delete(key: String) async throws
}

/// Manages wallets for the operator. It works while any number of servers run: each action is one
/// transaction, which excludes a concurrent instruction of the same wallet.
public struct WalletAdministration: Sendable {
  /// The number of wallets read in one transaction.
  static let page = 500

  let store: any ProviderStore
  let evaluator: (any EvaluatorAdministration)?
  let statusLists: StatusListSettings

  /// - Parameters:
  ///   - evaluator: counts the attempts as well. Nil leaves its count as it is.
  ///   - statusLists: how the revoked PIDs of a deleted wallet are published.
  public init(
    store: any ProviderStore, evaluator: (any EvaluatorAdministration)? = nil,
    statusLists: StatusListSettings = StatusListSettings()
  ) {
    self.store = store
    self.evaluator = evaluator
    self.statusLists = statusLists
  }

  /// Wallets ordered by their ids, also those that cannot be read.
  ///
  /// - Parameters:
  ///   - id: the id to start after; nil starts with the first wallet.
  ///   - limit: the maximum number of wallets.
  ///   - state: only wallets in this state; nil for all.
  public func wallets(
    after id: String? = nil, limit: Int, state: WalletState? = nil
  ) async throws -> [WalletSummary] {
    var found: [WalletSummary] = []
    var last = id.map { StoredValue.text($0) }
    while found.count < limit {
      let (page, end) = try await store.transaction { [last] rows in
        let now = try rows.now
        let page = try rows.page(StoredWallet.self, after: last, limit: Self.page)
        return (page.map { WalletSummary($0, now: now) }, page.last?.key)
      }
      found += page.filter { state == nil || $0.state == state }
      // A key that somebody wrote with a zero byte is read without what follows it: such a page
      // leads nowhere.
      guard page.count == Self.page, end != last else { break }
      last = end
    }
    return Array(found.prefix(limit))
  }

  /// The wallet with this id and the account for which it is proofed; nil if there is no such
  /// wallet.
  public func wallet(_ id: String) async throws -> (wallet: WalletSummary, account: String?)? {
    try await store.transaction { rows in
      guard let wallet = try rows.wallet(id: id) else { return nil }
      return (
        WalletSummary(wallet, now: try rows.now),
        try rows.accounts(ofWallet: id, locked: false).first?.id
      )
    }
  }

  /// Blocks a wallet permanently, as if its attempts were used up: no PIN is checked any more.
  /// Stored answers are deleted too, so that a repeated request cannot fetch one again, above all
  /// not the answer to a right PIN.
  ///
  /// - Returns: False if there is no such wallet.
  public func block(_ id: String) async throws -> Bool {
    try await change(id) { wallet, rows in
      wallet.attempts.blockForGood()
      wallet.evaluation = nil
      try rows.keepLatestChallenges(0, ofWallet: id)
    }
  }

  /// Resets the wrong attempts and blocks of a wallet, and the count of wrong PINs in 30 days.
  /// Whoever holds the wallet then has all rounds of attempts again. The owner is still told of the
  /// earlier wrong PINs.
  ///
  /// - Returns: False if there is no such wallet.
  /// - Throws: `StoreFailure` also if the evaluator does not know the wallet's PIN key.
  public func unblock(_ id: String) async throws -> Bool {
    if let evaluator, let keys = try await pinKeys(of: id) {
      var isKnown = false
      // Both keys share one count. The evaluator may have put the pending one into force already.
      for key in keys where !isKnown { isKnown = try await evaluator.unblock(key: key) }
      guard isKnown else {
        throw StoreFailure("the evaluator does not know the PIN key of this wallet")
      }
    }
    return try await change(id) { wallet, _ in wallet.attempts.unblock() }
  }

  /// Deletes a wallet with its sessions, and revokes its PIDs, as the wallet itself could request. The owner has to wipe
  /// the wallet on the device and start over.
  ///
  /// - Returns: False if there is no such wallet.
  public func delete(_ id: String) async throws -> Bool {
    // First at the evaluator, where it can be repeated if the store fails.
    if let evaluator, let keys = try await pinKeys(of: id) {
      for key in keys { try await evaluator.delete(key: key) }
    }
    return try await store.transaction { [statusLists] rows in
      guard try rows.wallet(id: id) != nil else { return false }
      try rows.endWallet(id: id, settings: statusLists, now: try rows.now)
      return true
    }
  }

  /// The ids of the PIN keys of a wallet; nil if there is no such wallet.
  public func pinKeys(of id: String) async throws -> [String]? {
    try await store.transaction { rows in
      try rows.wallet(id: id)?.pinKeyIDs
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
