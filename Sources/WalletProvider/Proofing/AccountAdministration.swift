import WalletSignatures
public import WalletProtocol

/// A newly issued code. Its secret exists nowhere else.
public struct IssuedCode: Sendable, Equatable, RedactedDescription {
  public let account: String
  /// 32 random bytes.
  public let secret: [UInt8]
  /// Milliseconds since 1970.
  public let expiresAt: Int64
}

/// A summary of an account that contains nothing of its owner but the label.
public struct AccountSummary: Sendable, Equatable {
  public let id: String
  /// Nil if the sealed data of the owner does not open.
  public let label: String?
  public let isClosed: Bool
  public let isProofed: Bool
  /// Whether the wallet that was proofed still exists.
  public let hasWallet: Bool
  /// The state of the latest code; nil if there is none.
  public let code: StoredEnrolmentCode.State?
  /// Whether that code has expired without being claimed.
  public let codeIsExpired: Bool
  /// Another wallet that waits to take the place of the proofed one; nil if there is none.
  public let replacement: ReplacementSummary?
  /// The time at which another wallet was last refused, in RFC 3339 format; nil if never.
  public let replacementRefused: String?
  /// What could not be read of it, so that what is said about that above means nothing.
  public var unreadable: Set<UnreadablePart> = []
}

/// A part of an account that is not as the provider wrote it, or whose key is not here.
public enum UnreadablePart: String, Sendable, CaseIterable {
  /// The account itself: nothing is known of it but the id.
  case account
  /// The sealed data of the owner.
  case label
  /// The latest code, or its session.
  case code
  /// A session of another wallet, or its code.
  case replacement
}

/// A wallet that waits to take the place of another.
public struct ReplacementSummary: Sendable, Equatable {
  /// When it takes effect, in RFC 3339 format; nil if the proofed wallet has agreed.
  public let takesEffect: String?
  /// The reference that the waiting wallet shows.
  public let reference: String?

  init(_ session: StoredProofingSession) {
    takesEffect = session.replacesAt.flatMap {
      $0 == StoredProofingSession.agreed ? nil : RFC3339.text($0 / 1000)
    }
    reference = session.reference
  }
}

/// Manages the accounts for which people are proofed, for the operator.
public struct AccountAdministration: Sendable {
  /// The number of accounts read in one transaction.
  static let page = 500

  let sealing: SealingKeyRing
  let store: any ProviderStore
  let settings: ProofingSettings

  public init(
    identity: ProviderIdentity, store: any ProviderStore, settings: ProofingSettings
  ) {
    sealing = identity.keys.sealing
    self.store = store
    self.settings = settings
  }

  /// Whether people are proofed without an authoritative source.
  public var isDemonstration: Bool { settings.demonstration }

  /// Makes an account and its first code.
  public func create(_ person: AccountPerson) async throws -> IssuedCode {
    let id = SecureRandom.identifier()
    let sealed = try sealing.seal(person: person, account: id)
    return try await store.transaction { rows in
      try rows.insert(
        StoredAccount(
          id: id, sealingKey: sealing.id, sealedPerson: sealed, createdAt: try rows.now))
      return try issue(for: id, attempts: settings.attempts, rows)
    }
  }

  /// Makes a new code. Earlier codes of the account without a verdict become invalid and their
  /// sessions end: whoever claimed an earlier code may not be the owner.
  ///
  /// - Returns: Nil if there is no such account or it is closed.
  public func issueCode(account id: String) async throws -> IssuedCode? {
    try await store.transaction { rows in
      guard let account = try rows.account(id: id), !account.closed else { return nil }
      return try issue(for: account, rows)
    }
  }

  /// Closes an account: its codes are refused, a session in progress is declined and its evidence
  /// deleted, no PID is issued any more, its PIDs are revoked, and its documents may be used for
  /// another account.
  ///
  /// - Returns: False if there is no such account.
  public func close(account id: String) async throws -> Bool {
    try await store.transaction { rows in
      guard var account = try rows.account(id: id) else { return false }
      account.closed = true
      try rows.update(account)
      try rows.deleteDocuments(ofAccount: id)
      // All sessions, not only that of the latest code: the order of codes is not authenticated.
      for found in try rows.proofingSessions(ofAccount: id) {
        guard var session = try rows.proofingSession(id: found.id),
          var code = try rows.enrolmentCode(hash: session.code)
        else { continue }
        if !session.state.isTerminal {
          try rows.close(
            &session, &code, as: .declined, now: try rows.now, settings: settings)
        }
      }
      try revokePIDs(ofAccount: id, rows)
      return true
    }
  }

  /// Declines every wallet that waits to take the place of the proofed one, as its owner could. The
  /// refusal is noted even if none is seen, because a waiting one may be hidden at the moment.
  ///
  /// - Returns: False if there is no such account or none waits.
  public func refuseReplacement(account id: String) async throws -> Bool {
    try await store.transaction { rows in
      guard let account = try rows.account(id: id) else { return false }
      return try rows.refuseReplacements(in: account, now: try rows.now, settings: settings)
    }
  }

  /// Erases an account with everything that is stored about its owner, and revokes its PIDs.
  ///
  /// - Returns: False if there is no such account.
  public func forget(account id: String) async throws -> Bool {
    try await store.transaction { rows in
      guard try rows.account(id: id) != nil else { return false }
      try rows.deleteAccount(id: id)
      try revokePIDs(ofAccount: id, rows)
      return true
    }
  }

  /// Revokes all PIDs of an account, also one that was not fetched yet, and leaves the account open.
  /// Verifiers see it in the status lists
  /// within three times their `timeToLive`: the lists show it, are made anew and are fetched anew.
  ///
  /// - Returns: how many copies of PIDs were revoked now; nil if there is no such account.
  public func revoke(account id: String) async throws -> Int? {
    try await store.transaction { rows in
      guard try rows.account(id: id) != nil else { return nil }
      return try revokePIDs(ofAccount: id, rows)
    }
  }

  /// Revokes what was issued, and ends the sessions in which a PID could be fetched.
  @discardableResult
  private func revokePIDs(
    ofAccount id: String, _ rows: any ProviderTransaction
  ) throws -> Int {
    for found in try rows.proofingSessions(ofAccount: id) {
      guard let session = try rows.proofingSession(id: found.id), session.state == .proofed
      else { continue }
      try rows.deleteProofingSession(id: session.id)
    }
    return try rows.revokeStatusEntries(
      of: .account(id), settings: settings.statusLists, now: try rows.now)
  }

  /// Reopens a closed account. Its documents were released when it was closed, so it counts as
  /// never proofed. Codes from before stay invalid.
  ///
  /// - Returns: False if there is no such account or it is not closed.
  public func reopen(account id: String) async throws -> Bool {
    try await store.transaction { rows in
      guard var account = try rows.account(id: id), account.closed else { return false }
      account.closed = false
      account.proofedAt = nil
      try rows.update(account)
      try rows.deleteUndecidedCodes(ofAccount: id, except: nil)
      try rows.deleteProofingSessions(ofAccount: id, except: "")
      return true
    }
  }

  /// Accounts ordered by their ids, also those that cannot be read.
  ///
  /// - Parameters:
  ///   - id: the id to start after; nil starts with the first account.
  ///   - limit: the maximum number of accounts.
  public func accounts(
    after id: String? = nil, limit: Int = 500
  ) async throws -> [AccountSummary] {
    var found: [AccountSummary] = []
    var last = id.map { StoredValue.text($0) }
    while found.count < limit {
      let size = min(Self.page, limit - found.count)
      let (page, end) = try await store.transaction { [last] rows in
        let page = try rows.page(StoredAccount.self, after: last, limit: size)
        return (try page.map { try summary($0, rows) }, page.last?.key)
      }
      found += page
      // As in the list of wallets.
      guard page.count == size, end != last else { break }
      last = end
    }
    return found
  }

  /// The account with this id, or nil.
  public func account(_ id: String) async throws -> AccountSummary? {
    try await store.transaction { rows in
      try rows.account(id: id).map { try summary($0, rows) }
    }
  }

  func issue(
    for account: StoredAccount, _ rows: any ProviderTransaction
  ) throws -> IssuedCode {
    let attempts = account.attemptsLeft(now: try rows.now, settings: settings)
    return try issue(for: account.id, attempts: attempts, rows)
  }

  func issue(
    for account: String, attempts: Int, _ rows: any ProviderTransaction
  ) throws -> IssuedCode {
    let secret = SecureRandom.bytes(32)
    let expiresAt = try rows.now + settings.codeLife
    try rows.deleteUndecidedCodes(ofAccount: account, except: nil)
    try rows.insert(
      StoredEnrolmentCode(
        hash: Digest.sha256(secret), account: account, expiresAt: expiresAt,
        attemptsLeft: attempts))
    return IssuedCode(account: account, secret: secret, expiresAt: expiresAt)
  }

  /// A row that the provider did not write must not keep support from seeing the other accounts.
  private func summary(
    _ found: FoundRow<StoredAccount>, _ rows: any ProviderTransaction
  ) throws -> AccountSummary {
    guard case .success(let account) = found.row else {
      return AccountSummary(
        id: found.shownKey, label: nil, isClosed: false, isProofed: false, hasWallet: false,
        code: nil, codeIsExpired: false, replacement: nil, replacementRefused: nil,
        unreadable: [.account])
    }
    return try summary(account, rows)
  }

  func summary(
    _ account: StoredAccount, _ rows: any ProviderTransaction
  ) throws -> AccountSummary {
    let now = try rows.now
    var unreadable: Set<UnreadablePart> = []
    /// Nil for rows that cannot be read. A failure of the database itself is another error.
    func reading<Value>(_ part: UnreadablePart, _ read: () throws -> Value?) throws -> Value? {
      do { return try read() } catch is StoreFailure {
        unreadable.insert(part)
        return nil
      }
    }
    let label = try? sealing.person(of: account).label
    if label == nil { unreadable.insert(.label) }
    let code = try reading(.code) {
      try rows.latestEnrolmentCode(ofAccount: account.id).map { try rows.current($0, now: now) }
    }
    let replacement = try reading(.replacement) {
      guard account.wallet != nil else { return nil as StoredProofingSession? }
      return try rows.waitingSession(in: account, now: now)
        ?? rows.replacements(in: account, now: now)
        .first { $0.replacesAt == StoredProofingSession.agreed }
    }
    return AccountSummary(
      id: account.id, label: label, isClosed: account.closed,
      isProofed: account.proofedAt != nil, hasWallet: account.wallet != nil, code: code?.state,
      codeIsExpired: code.map { $0.state == .issued && $0.expiresAt <= now } ?? false,
      replacement: replacement.map { ReplacementSummary($0) },
      replacementRefused: account.replacementRefusedAt.map { RFC3339.text($0 / 1000) },
      unreadable: unreadable)
  }
}
