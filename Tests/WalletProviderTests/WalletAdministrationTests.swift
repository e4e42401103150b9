import Foundation
import WalletAttempts
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import WalletProviderStores
import XCTest

/// The operator's management of wallets.
class WalletAdministrationTests: StoreTestCase {
  private func administration(_ harness: ProviderHarness) -> WalletAdministration {
    WalletAdministration(store: harness.store, evaluator: harness.evaluator)
  }

  func testOnlyAnUnblockEndsABlockByTheOperator() async throws {
    let harness = try ProviderHarness()
    let administration = administration(harness)
    let wallet = try await TestWallet.confirmed(harness)
    let challenge = try await wallet.challenge(for: .checkPin)
    let answered = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
    guard case .valid = try await wallet.send(answered) else { return XCTFail("not valid") }
    let asked = try wallet.prepareChallenge(.checkPin)
    guard case .challenge = try await wallet.send(asked) else { return XCTFail("no challenge") }

    let isBlocked = try await administration.block(wallet.id)
    XCTAssertTrue(isBlocked)
    let blocked = try await wallet.check("123654")
    XCTAssertEqual(blocked, .blockedPermanently(counted: false))
    let repeated = await problem { try await wallet.send(answered) }
    XCTAssertEqual(repeated, .challengeRefused, "the stored share is no longer returned")
    guard case .sequenceRefused = try await wallet.send(asked) else {
      return XCTFail("nor is the evaluation")
    }
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

  /// The count of an evaluator that another operates.
  func testWithoutTheEvaluatorAnUnblockLeavesItsBlock() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    for _ in 1...4 { _ = try await wallet.check("123655") }
    let isDone = try await WalletAdministration(store: harness.store).unblock(wallet.id)
    XCTAssertTrue(isDone)
    let blocked = try await wallet.check("123654")
    XCTAssertEqual(blocked, .blocked(milliseconds: 60_000, counted: false))
    harness.clock.advance(60_000)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
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
      wallet.prepareChallenge(.checkPin))
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

  /// A row that somebody else wrote must not hide the others: support looks here for them.
  func testListsWalletsWhoseRowsTheProviderDidNotWriteAsUnreadable() async throws {
    for change in ["wrong_attempts = 1000000", "authentication_key = 'x'"] {
      let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
      var ids: [String] = []
      for _ in 1...3 { ids.append(try await TestWallet.confirmed(harness).id) }
      let bad = ids[1]
      try harness.storeLocation.execute("UPDATE wallet SET \(change) WHERE id = '\(bad)'")
      let all = try await administration(harness).wallets(limit: 10)
      XCTAssertEqual(all.map(\.id), ids.sorted())
      XCTAssertEqual(all.filter { $0.state == .unreadable }.map(\.id), [bad])
      let some = try await administration(harness).wallets(limit: 10, state: .unreadable)
      XCTAssertEqual(some.map(\.id), [bad])
      let (list, json) = (
        try list(harness.path, harness), try list(harness.path, harness, "--json")
      )
      XCTAssertTrue(list.contains("\(bad) unreadable\n"), list)
      for id in ids where id != bad { XCTAssertTrue(list.contains("\(id) active 0 "), list) }
      XCTAssertTrue(json.contains(#"{"id":"\#(bad)","state":"unreadable"}"#), json)
    }
  }

  func testListsAWalletWhoseKeyWasRetiredAsUnreadable() async throws {
    let bed = try KeyTestBed()
    let good = try await TestWallet.confirmed(bed.harness).id
    let former = try bed.list(.sealing)[0][0]
    try bed.id("rotate", "sealing")
    try bed.id("promote", "sealing", "--now")
    try bed.id("reseal")
    try bed.id("retire", "sealing", "--now", "--", former)
    // A server that was not restarted seals and authenticates with the former key.
    let bad = TestWallet(bed.harness)
    try await bad.register()
    let list = try list(bed.harness.path, bed.harness)
    XCTAssertTrue(list.contains("\(bad.id) unreadable\n"), list)
    XCTAssertTrue(list.contains("\(good) active 0 "), list)
  }

  /// What `wallet list` prints.
  private func list(
    _ path: String, _ harness: ProviderHarness, _ options: String...
  ) throws -> String {
    var environment: [String: String] = [:]
    if case .database(let url) = harness.storeLocation {
      environment["WALLET_PROVIDER_DATABASE"] = url.text
    }
    let result = try Program.run(
      Program.provider, ["wallet", "list", "--data", path] + options, environment: environment)
    XCTAssertEqual(result.status, 0, result.errors)
    return result.output
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
