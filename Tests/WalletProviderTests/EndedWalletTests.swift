import Foundation
import Synchronization
import WalletEvaluator
import WalletProtocol
import WalletProvider
import WalletSignatures
import XCTest

/// A wallet that has ended leaves no row at the evaluator, also if the evaluator was out of reach or
/// the provider died in between; and nobody who writes to the database has the evaluator delete one.
class EndedWalletTests: StoreTestCase {
  private func isKnown(_ key: String?, _ harness: ProviderHarness) async throws -> Bool {
    try await harness.evaluator.unblock(key: XCTUnwrap(key))
  }

  private func assertIsGone(
    _ wallet: TestWallet, _ key: String?, _ harness: ProviderHarness, line: UInt = #line
  ) async throws {
    let stored = try await harness.stored(wallet)
    XCTAssertNil(stored, line: line)
    let isKnown = try await isKnown(key, harness)
    XCTAssertFalse(isKnown, line: line)
  }

  /// A provider whose evaluator fails at each deletion.
  private func provider(
    _ harness: ProviderHarness, deletions: FailingDeletions.Fault
  ) throws -> Provider {
    Provider(
      identity: harness.directory.identity, store: try harness.secondStore(),
      evaluator: FailingDeletions(evaluator: try harness.secondEvaluator(), fault: deletions),
      settings: harness.settings, observer: harness.observer)
  }

  /// A proofed wallet, and another one that takes its place at `provider`.
  private func replaced(
    _ harness: ProviderHarness, at provider: Provider? = nil
  ) async throws -> (owner: TestWallet, key: String?) {
    let owner = try await TestWallet.confirmed(harness)
    let key = owner.pinKeyID
    let code = try await harness.accounts.create(try TestPerson.person())
    _ = try await owner.submit(try TestPerson.claims(), try await owner.claimed(code).id)
    let other = try await TestWallet.confirmed(harness)
    let issued = try await harness.accounts.issueCode(account: code.account)
    let session = try await other.claimed(try XCTUnwrap(issued)).id
    let outcome = try await other.send(
      other.prepareSubmission(try TestPerson.claims(), session), to: provider)
    guard case .proofing(let status) = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    XCTAssertEqual(status.state, .proofed)
    let isKnown = try await isKnown(other.pinKeyID, harness)
    XCTAssertTrue(isKnown)
    return (owner, key)
  }

  // MARK: Replaced wallets

  func testAReplacedWalletIsDeletedAtTheEvaluatorAtOnce() async throws {
    let harness = try ProviderHarness()
    let (owner, key) = try await replaced(harness)
    try await assertIsGone(owner, key, harness)
  }

  func testAReplacedWalletIsDeletedAtTheEvaluatorLaterIfThatFailed() async throws {
    for fault in FailingDeletions.Fault.allCases {
      let harness = try ProviderHarness()
      let failing = try provider(harness, deletions: fault)
      let (owner, key) = try await replaced(harness, at: failing)
      let isKnown = try await isKnown(key, harness)
      XCTAssertEqual(isKnown, fault == .before)
      let outcome = try await owner.send(owner.prepareChallenge(.checkPin))
      XCTAssertEqual(outcome, .unknownWallet, "it has ended")
      let account = try await harness.store.transaction { [id = owner.id] in
        try $0.accounts(ofWallet: id, locked: false)
      }
      XCTAssertEqual(account.count, 0)
      do {
        try await failing.deleteEndedRows()
        XCTFail("nobody is told")
      } catch is StoreFailure {}
      try await harness.provider.deleteEndedRows()
      try await assertIsGone(owner, key, harness)
    }
  }

  func testAReplacedWalletThatTheProviderDidNotWriteIsDeletedWithoutTheEvaluator() async throws {
    let harness = try ProviderHarness()
    let victim = try await TestWallet.confirmed(harness)
    let owner = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    _ = try await owner.submit(try TestPerson.claims(), try await owner.claimed(code).id)
    let other = try await TestWallet.confirmed(harness)
    let issued = try await harness.accounts.issueCode(account: code.account)
    let session = try await other.claimed(try XCTUnwrap(issued)).id
    try harness.storeLocation.execute(
      """
      UPDATE wallet SET pin_key_id = '\(try XCTUnwrap(victim.pinKeyID))' WHERE id = '\(owner.id)'
      """)
    let status = try await other.submit(try TestPerson.claims(), session)
    XCTAssertEqual(status.state, .proofed)
    let stored = try await harness.stored(owner)
    XCTAssertNil(stored)
    let isKnown = try await isKnown(victim.pinKeyID, harness)
    XCTAssertTrue(isKnown)
  }

  // MARK: Registrations

  func testARegistrationThatIsNotConfirmedInTimeIsDeletedAtTheEvaluatorToo() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    try await wallet.register()
    let confirmed = try await TestWallet.confirmed(harness)
    harness.clock.advance(harness.settings.unconfirmedLife - 1)
    try await harness.provider.deleteEndedRows()
    let stored = try await harness.stored(wallet)
    XCTAssertNotNil(stored)
    harness.clock.advance(1)
    for fault in FailingDeletions.Fault.allCases {
      let failing = try provider(harness, deletions: fault)
      do {
        try await failing.deleteEndedRows()
        XCTFail("nobody is told")
      } catch is StoreFailure {}
      let left = try await harness.stored(wallet)
      XCTAssertNotNil(left, "it keeps the key for the next time")
    }
    try await harness.provider.deleteEndedRows()
    try await assertIsGone(wallet, wallet.pinKeyID, harness)
    let share = try await confirmed.checkRight()
    XCTAssertEqual(share, confirmed.share)
  }

  func testManyRegistrationsThatHaveEndedAreAllDeleted() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let template = try await harness.stored(wallet)
    let first = try XCTUnwrap(template)
    try await harness.store.transaction { rows in
      for number in 0..<250 {
        var ended = first
        ended.id = "ended-\(number)"
        ended.hardwareKeyHash = SecureRandom.bytes(32)
        ended.pinKeyID = SecureRandom.identifier()
        ended.confirmed = false
        ended.registeredAt = Int64(number)
        try rows.insert(ended)
      }
    }
    try await harness.provider.deleteEndedRows()
    let counts = try await harness.store.walletCounts()
    XCTAssertEqual(counts.pending, 0)
    XCTAssertEqual(counts.confirmed, 1)
  }

  func testAHardwareKeyThatRegistersAgainLeavesNoKeyOfItsEndedRegistration() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    try await wallet.register()
    let former = wallet.pinKeyID
    harness.clock.advance(harness.settings.unconfirmedLife)
    try await wallet.register()
    _ = try await wallet.confirm()
    let isKnown = try await isKnown(former, harness)
    XCTAssertFalse(isKnown)
    try await harness.provider.deleteEndedRows()
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
  }

  func testARowThatTheProviderDidNotWriteHasNoKeyDeleted() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    try harness.storeLocation.execute(
      """
      UPDATE wallet SET confirmed = \(Self.kind == .sqlite ? "0" : "FALSE"), registered_at = 0
      """)
    try await harness.provider.deleteEndedRows()
    let stored = try await harness.stored(wallet)
    XCTAssertNil(stored)
    let isKnown = try await isKnown(wallet.pinKeyID, harness)
    XCTAssertTrue(isKnown)
  }

  // MARK: New PINs that the evaluator has put into force

  /// The evaluator has committed the change, and the provider died before it did.
  private func prepared(_ wallet: TestWallet, _ harness: ProviderHarness) async throws -> String? {
    let change = TestWallet.newChange()
    let outcome = try await wallet.prepareChange(from: "123654", to: "424243", change: change)
    guard case .valid = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    let stored = try await harness.stored(wallet)
    let key = try XCTUnwrap(stored?.pending?.pinKeyID)
    let answer = try await harness.evaluator.answer(.commit(key: key))
    XCTAssertEqual(answer, .done)
    return key
  }

  func testAWalletThatDeletesItselfLeavesNoKeyOfANewPin() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let key = try await prepared(wallet, harness)
    let outcome = try await wallet.delete()
    XCTAssertEqual(outcome, .deleted)
    try await assertIsGone(wallet, key, harness)
  }

  func testARegistrationThatIsReplacedLeavesNoKeyOfANewPin() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    try await wallet.register()
    let key = try await prepared(wallet, harness)
    try await wallet.register()
    let isKnown = try await isKnown(key, harness)
    XCTAssertFalse(isKnown)
  }

  func testAnEndedRegistrationLeavesNoKeyOfANewPin() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    try await wallet.register()
    let key = try await prepared(wallet, harness)
    harness.clock.advance(harness.settings.unconfirmedLife)
    try await harness.provider.deleteEndedRows()
    try await assertIsGone(wallet, key, harness)
  }
}

/// An evaluator that fails at each deletion: before it, or after it, as if the provider died.
private struct FailingDeletions: PinEvaluator {
  enum Fault: CaseIterable { case before, after }

  struct Unreachable: Error {}

  let evaluator: Evaluator
  let fault: Fault

  var id: String { evaluator.id }
  var grantKeys: [PublishedKey] { evaluator.grantKeys }

  func answer(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer {
    guard case .delete = request else { return try await evaluator.answer(request) }
    if fault == .after { _ = try await evaluator.answer(request) }
    throw Unreachable()
  }
}
