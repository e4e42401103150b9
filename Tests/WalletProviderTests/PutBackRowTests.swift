import Foundation
import ServerTestSupport
import WalletAttempts
import WalletProtocol
import WalletProvider
import XCTest

/// An attacker who puts an authentic row back from an older copy, or deletes one: what that yields
/// in each table, as the threat model says. A code proves who wrote a row, not that it is the latest.
class PutBackRowTests: StoreTestCase {
  func testTheThreatModelHasARowForEveryTable() throws {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/wallet_core/wallet_core.docc/threat-model.md")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let head = try XCTUnwrap(
      lines.firstIndex(
        of: "| table | a row put back from an older copy | a row deleted | noticed by |"))
    let rows = lines[(head + 2)...].prefix { $0.hasPrefix("| ") }
      .map { $0.components(separatedBy: " | ") }
    let names = rows.compactMap { $0.first }
    for table in StoredTable.allCases {
      XCTAssertEqual(names.filter { $0 == "| `\(table.rawValue)`" }.count, 1, table.rawValue)
    }
    XCTAssertTrue(rows.allSatisfy { $0.count == 4 }, "\(rows.map(\.count))")
  }

  func testARowThatIsPutBackOrDeletedYieldsWhatTheThreatModelSays() async throws {
    // Every table has its case, or this does not compile.
    for table in StoredTable.allCases {
      switch table {
      case .wallet:
        try await putBackWallet()
        try await deleteWallet()
      case .challenge:
        try await putBackChallenge()
        try await deleteChallenge()
      case .account:
        try await putBackAccount()
        try await deleteAccount()
      case .code:
        try await putBackCode()
        try await deleteCode()
      case .session:
        try await putBackSession()
        try await deleteSession()
      case .document: try await putBackAndDeleteDocument()
      case .refusedClaim: try await putBackAndDeleteRefusedClaims()
      case .page: try await putBackAndDeletePage()
      case .secret: try await putBackAndDeleteSecrets()
      case .statusList: try await putBackAndDeleteStatusList()
      case .statusEntry: try await putBackAndDeleteStatusEntry()
      }
    }
  }

  // MARK: Wallets, challenges and secrets. The rows of proofings are in another file.

  /// The evaluator's count stays, so whoever also has the phone and its keys gains no attempt. After
  /// a change of the PIN the row names a key that the evaluator no longer has: no PIN works.
  private func putBackWallet() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    try location.keepCopy(of: .wallet)
    for _ in 1...4 { _ = try await wallet.check("271828") }
    guard case .blocked = try await wallet.check("123654") else { return XCTFail("not blocked") }
    try location.putBack(.wallet)
    let blocked = try await wallet.check("271828")
    XCTAssertEqual(blocked, .blocked(milliseconds: 60_000, counted: false))
    harness.clock.advance(60_000)
    try location.putBack(.wallet)
    let fifth = try await wallet.check("271828")
    XCTAssertEqual(fifth, .wrong(attemptsLeft: 3, finalRound: false))
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, 5, "as the evaluator counted")
    let former = wallet.pinKeyID
    let change = TestWallet.newChange()
    _ = try await wallet.prepareChange(from: "123654", to: "424243", change: change)
    _ = try await wallet.commitChange(change)
    try location.putBack(.wallet)
    let new = await problem { try await wallet.check("424243") }
    XCTAssertEqual(new, .instructionRefused, "the user notices this")
    wallet.pinKeyID = former
    do {
      let outcome = try await wallet.check("123654")
      XCTFail("\(outcome)")
    } catch is StoreFailure {}
  }

  /// Unknown; its hardware key can register again, without a PID.
  private func deleteWallet() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    try harness.storeLocation.delete(.wallet)
    let asked = try await wallet.send(
      wallet.prepareChallenge(.checkPin))
    XCTAssertEqual(asked, .unknownWallet)
    let former = wallet.id
    try await wallet.register()
    XCTAssertNotEqual(wallet.id, former)
    _ = try await wallet.confirm()
    let issued = try await wallet.issue(session.id, pidKey: .makeP256())
    XCTAssertEqual(issued, .proofing(ProofingStatus(.lapsed)))
  }

  /// The wallet's sequence number refuses the request again, unless its row is put back too.
  private func putBackChallenge() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    let wallet = try await TestWallet.confirmed(harness)
    let challenge = try await wallet.challenge(for: .checkPin)
    for table in [StoredTable.challenge, .wallet] { try location.keepCopy(of: table) }
    let request = try wallet.preparePin(.checkPin, pin: "271828", challenge: challenge)
    let counted = try await wallet.send(request)
    XCTAssertEqual(counted, .wrong(attemptsLeft: 3, finalRound: false))
    try location.putBack(.challenge)
    let again = try await wallet.send(request)
    XCTAssertEqual(again, .sequenceRefused(current: wallet.sequence))
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, 1)
    try location.putBack(.wallet)
    let anew = try await wallet.send(request)
    XCTAssertEqual(anew, counted)
    // The time at which it ends is authenticated.
    try location.putBack(.challenge)
    harness.clock.advance(harness.settings.challengeLife)
    let late = await problem { try await wallet.send(request) }
    XCTAssertEqual(late, .challengeRefused)
  }

  /// The request is refused; a challenge that made a wallet may be used again until it expires, unless
  /// the evaluator has deleted the PIN key.
  private func deleteChallenge() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let challenge = try await wallet.registrationChallenge()
    let registration = try wallet.preparePin(.register, pin: "123654", challenge: challenge)
    try wallet.accept(try await wallet.send(registration))
    _ = try await wallet.confirm()
    let request = try wallet.preparePin(
      .checkPin, pin: "123654", challenge: try await wallet.challenge(for: .checkPin))
    try harness.storeLocation.delete(.challenge)
    let refused = await problem { try await wallet.send(request) }
    XCTAssertEqual(refused, .challengeRefused)
    try harness.storeLocation.delete(.wallet)
    try harness.storeLocation.delete(.challenge)
    try wallet.accept(try await wallet.send(registration))
    _ = try await wallet.confirm()
    let deleted = try await wallet.delete()
    XCTAssertEqual(deleted, .deleted)
    try harness.storeLocation.delete(.challenge)
    let again = await problem { try await wallet.send(registration) }
    XCTAssertEqual(again, .challengeRefused)
    harness.clock.advance(harness.settings.challengeLife)
    let late = await problem { try await wallet.send(registration) }
    XCTAssertEqual(late, .challengeRefused)
  }

  private func putBackAndDeleteSecrets() async throws {
    let harness = try ProviderHarness()
    let location = harness.storeLocation
    try await harness.provider.prepareSecrets()
    try location.keepCopy(of: .secret)
    let wallet = try await TestWallet.confirmed(harness)
    _ = try await wallet.proofedSession()
    try location.putBack(.secret)
    let document = try HeldDocument(
      issuer: "636014", number: "D1234567", familyName: "Mustermann", birthDate: "1990-12-31")
    let holder = try await harness.accounts.account(ofDocument: document)
    XCTAssertNotNil(holder, "nothing has changed")

    // Of evidence: a new one is made, and evidence that is sent again is refused.
    let session = try await wallet.newSession()
    let key = [UInt8](repeating: 7, count: 16)
    let failed = try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    XCTAssertEqual(failed.state, .resubmit)
    try location.delete(.secret, where: "name LIKE '%evidence'")
    let resent = await problem {
      try await wallet.submit(try TestPerson.claims(), session.id, key: key)
    }
    XCTAssertEqual(resent, .instructionRefused)

    // Of documents: requests with evidence and starts fail while there is a document.
    for name in ["document", "document holder"] {
      try location.delete(.secret, where: "name LIKE '% \(name)'")
      do {
        let status = try await wallet.submit(try TestPerson.claims(), session.id)
        XCTFail("\(status)")
      } catch is StoreFailure {}
      do {
        try await harness.provider.prepareSecrets()
        XCTFail("started")
      } catch is StoreFailure {}
      try location.putBack(.secret)
    }
    try location.delete(.secret)
    try location.delete(.document)
    try await harness.provider.prepareSecrets()
  }
}
