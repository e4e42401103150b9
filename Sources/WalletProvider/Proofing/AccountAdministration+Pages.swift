import WalletSignatures
public import WalletProtocol

/// The content of an enrolment page.
public struct EnrolmentPage: Sendable, Equatable, RedactedDescription {
  /// The state of the code and its account.
  public enum State: String, Sendable, CaseIterable {
    case issued, claimed, proofed, expired
    /// There was a verdict other than "proofed".
    case failed
  }

  public let state: State
  public let maskedLabel: String
  /// Present only while `state` is `issued`.
  public let code: IssuedCode?
}

/// The result of requesting a new code on a page.
public enum PageRenewal: Sendable, Equatable {
  case renewed
  /// The account is proofed already. Someone who finds the page's address in a history or a log
  /// must not get a code with which to have the account proofed again for their own wallet.
  case proofed
  /// There is no such page, or the account is closed.
  case unknown
}

extension AccountAdministration {
  /// How long a page is available, in milliseconds, regardless of its use.
  private static let pageLife: Int64 = 24 * 3_600_000

  /// Makes an account, its first code and a page for it.
  ///
  /// - Returns: The id of the page, a secret of 32 random bytes as base64url.
  public func createPage(_ person: AccountPerson) async throws -> String {
    let account = SecureRandom.identifier()
    let sealed = try sealing.seal(person: person, account: account)
    let id = SecureRandom.bytes(32)
    try await store.transaction { rows in
      let now = try rows.now
      try rows.insert(
        StoredAccount(
          id: account, sealingKey: sealing.id, sealedPerson: sealed, createdAt: now))
      let code = try issue(for: account, attempts: settings.attempts, rows)
      try rows.insert(page(hash: Digest.sha256(id), code, expiresAt: now + Self.pageLife))
    }
    return Base64URL.encode(id)
  }

  /// Puts a new code on a page. This does not extend the life of the page.
  public func renewPage(_ id: String) async throws -> PageRenewal {
    guard let hash = Self.hash(id) else { return .unknown }
    return try await store.transaction { rows in
      guard let found = try rows.enrolmentPage(hash: hash), found.expiresAt > (try rows.now),
        let account = try rows.account(id: found.account), !account.closed
      else { return .unknown }
      guard account.proofedAt == nil else { return .proofed }
      let code = try issue(for: account, rows)
      try rows.update(page(hash: hash, code, expiresAt: found.expiresAt))
      return .renewed
    }
  }

  /// The page, or nil.
  public func page(_ id: String) async throws -> EnrolmentPage? {
    guard let hash = Self.hash(id) else { return nil }
    return try await store.transaction { rows in
      // So that a code whose session has expired does not count as claimed.
      let now = try rows.now
      try rows.deleteEndedRows(by: now, settings: settings)
      guard let page = try rows.enrolmentPage(hash: hash), page.expiresAt > now,
        let account = try rows.account(id: page.account)
      else { return nil }
      let code = try rows.currentCode(hash: page.code, now: now)
      let state = state(of: code, account, now: now)
      return EnrolmentPage(
        state: state, maskedLabel: try sealing.person(of: account).maskedLabel,
        code: state != .issued
          ? nil
          : IssuedCode(
            account: account.id, secret: try sealing.secret(of: page),
            expiresAt: code?.expiresAt ?? 0))
    }
  }

  private func page(
    hash: [UInt8], _ code: IssuedCode, expiresAt: Int64
  ) throws -> StoredEnrolmentPage {
    StoredEnrolmentPage(
      hash: hash, account: code.account, code: Digest.sha256(code.secret), sealingKey: sealing.id,
      sealedSecret: try sealing.seal(secret: code.secret, pageHash: hash),
      expiresAt: expiresAt)
  }

  private func state(
    of code: StoredEnrolmentCode?, _ account: StoredAccount, now: Int64
  ) -> EnrolmentPage.State {
    guard account.proofedAt == nil else { return .proofed }
    return switch code?.state {
    case .issued: (code?.expiresAt ?? 0) > now && !account.closed ? .issued : .expired
    case .claimed: .claimed
    case .consumed: code?.verdict == .proofed ? .proofed : .failed
    case nil: .expired
    }
  }

  private static func hash(_ id: String) -> [UInt8]? {
    guard let bytes = Base64URL.decode(id), bytes.count == 32 else { return nil }
    return Digest.sha256(bytes)
  }
}
