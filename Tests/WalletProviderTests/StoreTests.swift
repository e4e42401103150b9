import Foundation
import Synchronization
import WalletAttempts
import WalletProvider
import XCTest

/// Properties of every store that the rules rely on.
class StoreTests: StoreTestCase {
  private let clock = TestClock()

  private func bytes(_ count: Int = 32) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255) }
  }

  private func harness() throws -> ProviderHarness { try ProviderHarness(clock: clock) }

  private func makeWallet(_ id: String, hash: [UInt8]? = nil) -> StoredWallet {
    StoredWallet(
      id: id, registration: "r-" + id, hardwareKey: bytes(44), hardwareKeyHash: hash ?? bytes(),
      sealingKey: "k", sealedPinKey: bytes(60), pinKeyID: "p-" + id, sealedHalf: bytes(60),
      sealedShare: [], sequence: UInt64(Int64.max),
      confirmed: false, registeredAt: 5,
      attempts: AttemptState(
        wrongAttempts: 3, block: AttemptBlock(since: 1, duration: 2, restarted: -3), failures: 9,
        failedAt: 7, recent: RecentFailures("19000:4 19030:5") ?? RecentFailures(), openSince: 8),
      evaluation: StoredEvaluation(
        id: "e", pinKeyID: "p-" + id, blinded: "b", challenge: "c", request: "h", answer: "a.b.c"),
      pending: .init(
        change: "next", pinKeyID: "n-" + id, sealedHalf: bytes(60), sealedKey: bytes(60)),
      committedChange: "last", pinProvenAt: 9)
  }

  private func makeChallenge(
    _ wallet: String?, expiresAt: Int64, use: StoredChallenge.Use? = nil
  ) -> StoredChallenge {
    StoredChallenge(
      challenge: bytes(), purpose: "check_pin", wallet: wallet, expiresAt: expiresAt, use: use)
  }

  private func fails<Result: Sendable>(
    _ store: any ProviderStore, file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async {
    do {
      _ = try await store.transaction(body)
      XCTFail("did not fail", file: file, line: line)
    } catch { XCTAssertTrue(error is StoreFailure, "\(error)", file: file, line: line) }
  }

  func testReadsAWalletAsItWasWritten() async throws {
    let store = try harness().store
    let wallet = makeWallet("w")
    var changed = wallet
    changed.attempts = AttemptState(wrongAttempts: 1, blockedPermanently: true)
    changed.confirmed = true
    changed.sequence = 0
    (changed.pending, changed.committedChange) = (nil, nil)
    changed.evaluation = nil
    let (first, second, byHash, none) = try await store.transaction { [changed] rows in
      try rows.insert(wallet)
      let first = try rows.wallet(id: "w")
      try rows.update(changed)
      return (
        first, try rows.wallet(id: "w"), try rows.wallet(hardwareKeyHash: wallet.hardwareKeyHash),
        try rows.wallet(id: "W")
      )
    }
    XCTAssertEqual(first, wallet)
    XCTAssertEqual(second, changed)
    XCTAssertEqual(byHash, changed)
    XCTAssertNil(none)
    let counts = try await store.walletCounts()
    XCTAssertEqual(counts.confirmed, 1)
    XCTAssertEqual(counts.pending, 0)
  }

  func testReadsAChangeThatIsNotPreparedYet() async throws {
    let store = try harness().store
    var wallet = makeWallet("w")
    wallet.pending?.sealedKey = nil
    let found = try await store.transaction { [wallet] rows in
      try rows.insert(wallet)
      return try rows.wallet(id: "w")
    }
    XCTAssertEqual(found, wallet)
    XCTAssertNotNil(found?.pending)
  }

  func testListsWalletsAndAccountsInByteOrder() async throws {
    let store = try harness().store
    let ids = ["a", "B", "_", "b", "-"]
    let wallets = ids.map { makeWallet($0) }
    let (all, page, accounts, owner) = try await store.transaction { rows in
      for wallet in wallets {
        try rows.insert(wallet)
        try rows.insert(
          StoredAccount(
            id: wallet.id, sealingKey: "k", sealedPerson: [], createdAt: 1, wallet: wallet.id))
      }
      return (
        try rows.found(StoredWallet.self, limit: 10),
        try rows.found(StoredWallet.self, after: "B", limit: 2),
        try rows.found(StoredAccount.self, after: "_", limit: 1),
        try rows.accounts(ofWallet: "a", locked: true).first?.id
      )
    }
    XCTAssertEqual(all.map(\.id), ["-", "B", "_", "a", "b"])
    XCTAssertEqual(page.map(\.id), ["_", "a"])
    XCTAssertEqual(accounts.map(\.id), ["a"])
    XCTAssertEqual(owner, "a")
  }

  func testRollsBackATransactionThatThrows() async throws {
    struct Change: Error {}
    let store = try harness().store
    let wallet = makeWallet("w")
    do {
      try await store.transaction { rows in
        try rows.insert(wallet)
        _ = try rows.wallet(id: "w")
        throw Change()
      }
      XCTFail("did not throw")
    } catch { XCTAssertTrue(error is Change) }
    let found = try await store.transaction { try $0.wallet(id: "w") }
    XCTAssertNil(found)
  }

  func testUpdateOfAMissingRowRollsBackTheTransaction() async throws {
    let store = try harness().store
    let (kept, gone) = (makeWallet("kept"), makeWallet("gone"))
    await fails(store) { rows in
      try rows.insert(kept)
      try rows.update(gone)
    }
    let challenge = makeChallenge("kept", expiresAt: 1)
    await fails(store) { try $0.update(challenge) }
    let found = try await store.transaction { try $0.wallet(id: "kept") }
    XCTAssertNil(found)
  }

  func testHardwareKeyHasOneWallet() async throws {
    let store = try harness().store
    let wallet = makeWallet("w")
    let second = makeWallet("other", hash: wallet.hardwareKeyHash)
    try await store.transaction { try $0.insert(wallet) }
    await fails(store) { try $0.insert(second) }
    await fails(store) { try $0.insert(wallet) }
    let found = try await store.transaction { try $0.wallet(id: "other") }
    XCTAssertNil(found)
  }

  func testFindsUnconfirmedWalletsByTime() async throws {
    let store = try harness().store
    var wallets = ["old", "young", "confirmed"].map { makeWallet($0) }
    wallets[1].registeredAt = 6
    wallets[2].confirmed = true
    let found = try await store.transaction { [wallets] rows in
      for wallet in wallets { try rows.insert(wallet) }
      return try rows.unconfirmedWallets(registeredBy: 5, limit: 2).map { try $0.row.get() }
    }
    XCTAssertEqual(found, [wallets[0]])
    let (first, none) = try await store.transaction { rows in
      (
        try rows.unconfirmedWallets(registeredBy: 6, limit: 1).map(\.key),
        try rows.unconfirmedWallets(registeredBy: 4, limit: 2).count
      )
    }
    XCTAssertEqual(first, [.text("old")])
    XCTAssertEqual(none, 0)
  }

  func testReadsAChallengeAsItWasWrittenAndDeletesItByTime() async throws {
    let store = try harness().store
    let fresh = makeChallenge("w", expiresAt: 10)
    var used = fresh
    used.use = StoredChallenge.Use(requestHash: bytes(), answer: "a.b.c")
    let old = makeChallenge(nil, expiresAt: 9)
    let (first, second) = try await store.transaction { [used] rows in
      try rows.insert(fresh)
      try rows.insert(old)
      let first = try rows.challenge(fresh.challenge)
      try rows.update(used)
      try rows.deleteChallenges(expiredBy: 9)
      return (first, try rows.challenge(fresh.challenge))
    }
    XCTAssertEqual(first, fresh)
    XCTAssertEqual(second, used)
    let (left, hasMore, hasMoreLater) = try await store.transaction { rows in
      (
        try rows.challenge(old.challenge), try rows.hasEndedRows(by: 9),
        try rows.hasEndedRows(by: 10)
      )
    }
    XCTAssertNil(left)
    XCTAssertFalse(hasMore)
    XCTAssertTrue(hasMoreLater)
  }

  func testKeepsTheLatestChallengesOfAWallet() async throws {
    let store = try harness().store
    let challenges = (1...5).map { _ in makeChallenge("w", expiresAt: 10) }
    let other = makeChallenge("v", expiresAt: 10)
    let kept = try await store.transaction { rows in
      try rows.insert(other)
      for challenge in challenges { try rows.insert(challenge) }
      try rows.keepLatestChallenges(2, ofWallet: "w")
      return try (challenges + [other]).filter { try rows.challenge($0.challenge) != nil }
    }
    XCTAssertEqual(kept, Array(challenges.suffix(2)) + [other])
  }

  func testDeletingAWalletDeletesItsRows() async throws {
    let store = try harness().store
    let wallet = makeWallet("w")
    let challenge = makeChallenge("w", expiresAt: 100)
    let codes = [bytes(), bytes()].map {
      StoredEnrolmentCode(hash: $0, account: "a", expiresAt: 9, wallet: "w", attemptsLeft: 2)
    }
    let session = StoredProofingSession(
      id: "s", code: codes[0].hash, account: "a", wallet: "w", expiresAt: 10)
    try await store.transaction { rows in
      try rows.insert(wallet)
      try rows.insert(challenge)
      try rows.insert(
        StoredAccount(id: "a", sealingKey: "k", sealedPerson: [1], createdAt: 1, wallet: "w"))
      for code in codes { try rows.insert(code) }
      try rows.insert(session)
      try rows.noteRefusedClaim(ofWallet: "w", at: 3)
      try rows.deleteWallet(id: "w")
    }
    let found = try await store.transaction { rows in
      (
        try rows.wallet(id: "w"), try rows.challenge(challenge.challenge),
        try rows.account(id: "a")?.wallet,
        try rows.currentCode(hash: codes[0].hash, now: 0)?.wallet,
        try rows.proofingSession(id: "s"), try rows.refusedClaims(ofWallet: "w", after: 0)
      )
    }
    XCTAssertNil(found.0)
    XCTAssertNil(found.1)
    XCTAssertNil(found.2)
    XCTAssertNil(found.3)
    XCTAssertNil(found.4)
    XCTAssertEqual(found.5, [])
  }

  func testReadsAccountsCodesSessionsAndPagesAsTheyWereWritten() async throws {
    let store = try harness().store
    let wallet = makeWallet("w")
    let account = StoredAccount(
      id: "a", sealingKey: "k", sealedPerson: bytes(100), createdAt: 7, closed: true,
      lockedUntil: 8, failedAttempts: 2, failedAt: 9, proofedAt: 10, wallet: "w")
    let code = StoredEnrolmentCode(
      hash: bytes(), account: "a", expiresAt: 9, wallet: "w", verdict: .exhausted, attemptsLeft: 0)
    let session = StoredProofingSession(
      id: "s", code: code.hash, account: "a", wallet: "w", expiresAt: 10, state: .resubmit,
      reason: "document", reference: "ABC",
      submission: .init(idempotencyKey: bytes(16), digest: bytes()),
      record: .init(key: "k", content: bytes(10)), decidedAt: 4, sourceMatched: true,
      pidKeys: bytes(), replacesAt: 12, waitsSince: 5)
    let page = StoredEnrolmentPage(
      hash: bytes(), account: "a", code: code.hash, sealingKey: "k", sealedSecret: bytes(),
      expiresAt: 11)
    let found = try await store.transaction { rows in
      try rows.insert(wallet)
      try rows.insert(account)
      try rows.insert(code)
      try rows.insert(session)
      try rows.insert(page)
      return (
        try rows.account(id: "a"), try rows.found(StoredAccount.self, limit: 9),
        try rows.enrolmentCode(hash: code.hash),
        try rows.latestEnrolmentCode(ofAccount: "a"), try rows.proofingSession(id: "s"),
        try rows.proofingSession(ofCode: code.hash, wallet: "w"),
        try rows.enrolmentPage(hash: page.hash)
      )
    }
    XCTAssertEqual(found.0, account)
    XCTAssertEqual(found.1, [account])
    XCTAssertEqual(found.2, code)
    XCTAssertEqual(found.3, code)
    XCTAssertEqual(found.4, session)
    XCTAssertEqual(found.5, session)
    XCTAssertEqual(found.6, page)
    let counts = try await store.proofingCounts()
    XCTAssertEqual(
      counts, ProofingCounts(accounts: 1, claimed: 0, consumed: 1, sessions: 1, proofed: 1))
    let left = try await store.transaction { rows in
      try rows.deleteAccount(id: "a")
      return try rows.found(StoredAccount.self, limit: 9)
    }
    XCTAssertEqual(left, [])
  }

  func testExpiredSessionsReleaseTheirCodes() async throws {
    let store = try harness().store
    let wallet = makeWallet("w")
    let codes = [nil, StoredProofingSession.State.declined].map {
      StoredEnrolmentCode(
        hash: bytes(), account: "a", expiresAt: 9, wallet: "w", verdict: $0, attemptsLeft: 2)
    }
    try await store.transaction { rows in
      try rows.insert(wallet)
      try rows.insert(StoredAccount(id: "a", sealingKey: "k", sealedPerson: [], createdAt: 1))
      for (number, code) in codes.enumerated() {
        try rows.insert(code)
        try rows.insert(
          StoredProofingSession(
            id: "s\(number)", code: code.hash, account: "a", wallet: "w", expiresAt: 10))
      }
      try rows.deleteProofingSessions(expiredBy: 10)
    }
    let wallets = try await store.transaction { rows in
      try codes.map { try rows.currentCode(hash: $0.hash, now: 10)?.wallet }
    }
    XCTAssertEqual(wallets, [nil, "w"])
    let counts = try await store.proofingCounts()
    XCTAssertEqual(counts.sessions, 0)
  }

  func testDocumentBelongsToOneAccount() async throws {
    let store = try harness().store
    let document = bytes()
    try await store.transaction { rows in
      for id in ["a", "b"] {
        try rows.insert(StoredAccount(id: id, sealingKey: "k", sealedPerson: [], createdAt: 1))
      }
      try rows.noteDocument(document, account: "a")
      try rows.noteDocument(document, account: "a")
    }
    await fails(store) { try $0.noteDocument(document, account: "b") }
    let (owner, next) = try await store.transaction { rows in
      let owner = try rows.account(ofDocument: document)
      XCTAssertEqual(
        try rows.document(document), StoredDocument(digest: document, account: "a"))
      try rows.deleteDocument(document)
      XCTAssertNil(try rows.account(ofDocument: document))
      try rows.noteDocument(document, account: "a")
      try rows.deleteDocuments(ofAccount: "a")
      try rows.noteDocument(document, account: "b")
      return (owner, try rows.account(ofDocument: document))
    }
    XCTAssertEqual(owner, "a")
    XCTAssertEqual(next, "b")
  }

  func testAppliesAllConcurrentChangesOfOneRow() async throws {
    let harness = try harness()
    let stores = [harness.store, try harness.secondStore()]
    var wallet = makeWallet("w")
    wallet.sequence = 0
    try await stores[0].transaction { [wallet] in try $0.insert(wallet) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          try await stores[number % 2].transaction { rows in
            guard var wallet = try rows.wallet(id: "w") else { throw StoreFailure("gone") }
            wallet.sequence += 1
            try rows.update(wallet)
          }
        }
      }
      try await group.waitForAll()
    }
    let sequence = try await stores[1].transaction { try $0.wallet(id: "w")?.sequence }
    XCTAssertEqual(sequence, 64)
  }

  func testUsesTheTimeOfTheClock() async throws {
    let store = try harness().store
    let first = try await store.transaction { try $0.now }
    XCTAssertEqual(first, clock.now)
    clock.advance(-5_000)
    let second = try await store.transaction { try $0.now }
    XCTAssertEqual(second, first - 5_000)
  }
}

extension RowPages {
  /// A page of rows, all of which are readable.
  func found<Row: StoredRow>(
    _: Row.Type, after id: String? = nil, limit: Int
  ) throws -> [Row] {
    try page(Row.self, after: id.map { .text($0) }, limit: limit).map { try $0.row.get() }
  }
}
