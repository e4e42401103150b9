import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// The operator's management of wallets.
class WalletAdministrationTests: StoreTestCase {
  private func administration(_ harness: ProviderHarness) -> WalletAdministration {
    WalletAdministration(store: harness.store)
  }

  func testOnlyAnUnblockEndsABlockByTheOperator() async throws {
    let harness = try ProviderHarness()
    let administration = administration(harness)
    let wallet = try await TestWallet.confirmed(harness)
    let challenge = try await wallet.challenge(for: .checkPin)
    let answered = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
    guard case .valid = try await wallet.send(answered) else { return XCTFail("not valid") }

    let isBlocked = try await administration.block(wallet.id)
    XCTAssertTrue(isBlocked)
    let blocked = try await wallet.check("123654")
    XCTAssertEqual(blocked, .blockedPermanently(counted: false))
    let repeated = await problem { try await wallet.send(answered) }
    XCTAssertEqual(repeated, .challengeRefused, "the stored share is no longer returned")
    harness.clock.advance(366 * 24 * 3_600_000)
    let later = try await wallet.check("123654")
    XCTAssertEqual(later, .blockedPermanently(counted: false))

    let isUnblocked = try await administration.unblock(wallet.id)
    XCTAssertTrue(isUnblocked)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
    let wrong = try await wallet.check("123655")
    XCTAssertEqual(wrong, .wrong(attemptsLeft: 3, finalRound: false))
  }

  func testUnblockAlsoResetsUsedAttempts() async throws {
    var settings = ProviderSettings()
    settings.attemptPolicy = try AttemptPolicy(
      rounds: 2, attemptsPerRound: 2, blockDurations: [60_000])
    let harness = try ProviderHarness(settings: settings)
    let administration = administration(harness)
    let wallet = try await TestWallet.confirmed(harness)
    func state() async throws -> WalletSummary? {
      try await administration.wallet(wallet.id)?.wallet
    }

    for _ in 1...2 { _ = try await wallet.check("123655") }
    harness.clock.advance(1_000)
    let blocked = try await state()
    XCTAssertEqual(blocked?.state, .blocked)
    XCTAssertEqual(blocked?.blockedFor, 59_000)
    XCTAssertEqual(blocked?.wrongAttempts, 2)
    _ = try await administration.unblock(wallet.id)
    for _ in 1...2 { _ = try await wallet.check("123655") }
    harness.clock.advance(60_000)
    let over = try await state()
    XCTAssertEqual(over?.state, .active)
    XCTAssertNil(over?.blockedFor)
    for _ in 1...2 { _ = try await wallet.check("123655") }
    let spent = try await state()
    XCTAssertEqual(spent?.state, .blockedPermanently)
    _ = try await administration.unblock(wallet.id)
    let right = try await wallet.checkRight()
    XCTAssertEqual(right, wallet.share)
  }

  func testDeletedWalletIsUnknownAndItsAccountAcceptsAnother() async throws {
    let harness = try ProviderHarness()
    let administration = administration(harness)
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let account = try await harness.session(session.id)?.account
    let found = try await administration.wallet(wallet.id)
    XCTAssertEqual(found?.account, account)
    let isDeleted = try await administration.delete(wallet.id)
    XCTAssertTrue(isDeleted)
    let answer = try await wallet.send(
      wallet.preparePlain(
        .challenge, ChallengePayload(instruction: .checkPin), challenge: nil))
    XCTAssertEqual(answer, .unknownWallet)
    let gone = try await administration.wallet(wallet.id)
    XCTAssertNil(gone)
    let summary = try await harness.accounts.account(try XCTUnwrap(account))
    XCTAssertEqual(summary?.hasWallet, false)
    for act in [administration.block, administration.unblock, administration.delete] {
      let isDone = try await act(wallet.id)
      XCTAssertFalse(isDone)
    }
  }

  func testListsInPagesAndByState() async throws {
    let harness = try ProviderHarness()
    let administration = administration(harness)
    let real = try await TestWallet.confirmed(harness)
    let like = try await harness.stored(real)
    let stored = try XCTUnwrap(like)
    let count = 1203
    try await harness.store.transaction { rows in
      for number in 0..<count {
        var wallet = stored
        wallet.id = String(format: "~%04d", number)
        wallet.hardwareKeyHash = Array(wallet.id.utf8)
        wallet.confirmed = number % 2 == 0
        wallet.attempts.blockedPermanently = number % 600 == 0
        try rows.insert(wallet)
      }
    }
    var ids: [String] = []
    while true {
      let page = try await administration.wallets(after: ids.last, limit: 100)
      ids += page.map(\.id)
      if page.count < 100 { break }
    }
    XCTAssertEqual(ids.count, count + 1)
    XCTAssertEqual(ids, ids.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    let all = try await administration.wallets(limit: 10_000)
    XCTAssertEqual(all.map(\.id), ids)
    let blocked = try await administration.wallets(limit: 10, state: .blockedPermanently)
    XCTAssertEqual(blocked.map(\.id), ["~0000", "~0600", "~1200"])
    let second = try await administration.wallets(
      after: "~0000", limit: 1, state: .blockedPermanently)
    XCTAssertEqual(second.map(\.id), ["~0600"])
    let pending = try await administration.wallets(limit: 10_000, state: .pending)
    XCTAssertEqual(pending.count, 601)
  }

  func testReopenedAccountCountsAsNeverProofed() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let old = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(old)
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    let waiting = try await harness.accounts.issueCode(account: old.account)
    let isNotClosed = try await harness.accounts.reopen(account: old.account)
    XCTAssertFalse(isNotClosed)
    _ = try await harness.accounts.close(account: old.account)
    let isReopened = try await harness.accounts.reopen(account: old.account)
    XCTAssertTrue(isReopened)
    let summary = try await harness.accounts.account(old.account)
    XCTAssertEqual(summary?.isClosed, false)
    XCTAssertEqual(summary?.isProofed, false)
    let refused = try await wallet.claim(try XCTUnwrap(waiting))
    if case .claimed = refused { XCTFail("a code from before was taken") }
    let code = try await harness.accounts.issueCode(account: old.account)
    let again = try await wallet.claimed(try XCTUnwrap(code))
    let status = try await wallet.submit(try TestPerson.claims(), again.id)
    XCTAssertEqual(status.state, .proofed)
  }
}
