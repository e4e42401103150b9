import Foundation
import WalletEvaluator
import WalletProtocol
import WalletProvider
import WalletProviderStores
import XCTest

/// What the article on administration tells the operator of an evaluator, paragraph by paragraph,
/// with the directory of an evaluator and a provider.
class EvaluatorRunbookTests: EvaluatorRunbookTestCase {
  func testBackupOfIdKeyAndDatabaseIsAllThatARestoreNeeds() async throws {
    let harness = try await startedHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let right = try await wallet.checkRight()
    XCTAssertNotNil(right)
    try backUpEvaluator(of: harness, to: "copy")
    let restored = try await start("copy", harness)
    XCTAssertEqual(restored.evaluator.id, harness.evaluator.id)
    XCTAssertEqual(restored.evaluator.grantKeys, harness.evaluator.grantKeys)
    XCTAssertEqual(restored.findings, [.databaseReplaced])
    assertValid(try await wallet.check("123654", at: restored.provider))
  }

  /// The record of the same moment would hide that the database is an old one.
  func testBackupWithTheRecordIsNotNoticed() async throws {
    let harness = try await startedHarness()
    let wallet = try await TestWallet.confirmed(harness)
    try backUpEvaluator(of: harness, to: "copy")
    try copy(evaluator(of: harness) + "/evaluator.record", to: path("copy") + "/evaluator.record")
    for left in [3, 2] as [UInt32] {
      let outcome = try await wallet.check("654123")
      XCTAssertEqual(outcome, .wrong(attemptsLeft: left, finalRound: false))
    }
    let restored = try await start("copy", harness)
    XCTAssertEqual(restored.findings, [])
    let outcome = try await wallet.check("654123", at: restored.provider)
    XCTAssertEqual(
      outcome, .wrong(attemptsLeft: 1, finalRound: false), "as the provider alone has counted")
  }

  func testRotationSignsNewGrantsAndLeavesTheHalvesOfTheWallets() async throws {
    let harness = try await startedHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let unused = try await TestWallet.confirmed(harness)
    let former = try XCTUnwrap(harness.evaluator.grantKeys.first)
    try backUpEvaluator(of: harness, to: "copy")
    let keyFile = path("copy") + "/evaluator.key"
    let formerLine = try String(contentsOfFile: keyFile, encoding: .utf8)
    let line = newKeyLine()

    // Both are published before the new one is used.
    try write(formerLine + line, to: keyFile)
    let prepared = try await start("copy", harness)
    let keys = prepared.evaluator.grantKeys
    XCTAssertEqual(keys.first, former)
    XCTAssertEqual(keys.count, 2)
    var settings = harness.settings
    settings.evaluatorKeys = keys
    let published = try DataDirectory(path: harness.path, settings: settings).configuration.claims
    XCTAssertEqual(published.evaluatorKeys, keys)
    XCTAssertEqual(
      published.configurationVersion, harness.configuration.configurationVersion + 1)

    // Servers from before and after the second step work side by side.
    try write(line + formerLine, to: keyFile)
    let rotated = try await start("copy", harness)
    XCTAssertEqual(rotated.findings, [])
    XCTAssertEqual(rotated.evaluator.grantKeys, keys.reversed())
    for provider in [rotated.provider, prepared.provider] {
      assertValid(try await wallet.check("123654", at: provider))
    }
    let next = try await start("copy", harness)
    XCTAssertEqual(next.findings, [])

    // A wallet keeps its PIN key until it gets a new one.
    let key = wallet.pinKeyID
    assertValid(try await wallet.check("123654", at: rotated.provider))
    XCTAssertEqual(wallet.pinKeyID, key)
    let begun = try await wallet.beginChange(
      from: "123654", to: "271828", change: TestWallet.newChange(), at: rotated.provider)
    guard case .valid(_, _, let made?) = begun else { return XCTFail("\(begun)") }
    let grant = try SignedMessage(parsing: try XCTUnwrap(made.evaluator.grant))
    XCTAssertEqual(grant.keyID, keys.last?.id)

    // Without the former line only rows that were used since open.
    try write(line, to: keyFile)
    let early = try await start("copy", harness)
    assertValid(try await wallet.check("123654", at: early.provider))
    await assertFails { try await unused.check("123654", at: early.provider) }
    try write(line + formerLine, to: keyFile)
    let again = try await start("copy", harness)
    assertValid(try await unused.check("123654", at: again.provider))

    // A server that does not know the new key takes the record for damaged.
    try write(formerLine, to: keyFile)
    let lastRounds = path("copy") + "/last-rounds"
    do {
      _ = try await start("copy", harness)
      XCTFail("a file of last rounds was read without its key")
    } catch { XCTAssertTrue("\(error)".contains("of last-rounds"), "\(error)") }
    try FileManager.default.removeItem(atPath: lastRounds)
    let stale = try await start("copy", harness)
    XCTAssertEqual(stale.findings, [.databaseReplaced])
  }

  func testLossOfTheKeyMeansThatEveryWalletRegistersAnew() async throws {
    let harness = try await startedHarness()
    let wallet = try await TestWallet.confirmed(harness)
    try backUpEvaluator(of: harness, to: "copy")
    try FileManager.default.removeItem(atPath: path("copy") + "/evaluator.key")
    XCTAssertThrowsError(try EvaluatorDirectory(path: path("copy"))) {
      XCTAssertTrue("\($0)".contains("restore it from a backup"), "\($0)")
    }
    // Nobody has the key: another one, and no database.
    try FileManager.default.removeItem(atPath: path("copy") + "/evaluator.sqlite")
    try write(newKeyLine(), to: path("copy") + "/evaluator.key")
    let started = try await start("copy", harness)
    XCTAssertEqual(started.findings, [])
    await assertFails { try await wallet.check("123654", at: started.provider) }
    try await assertRegistersAnew(wallet, started)
  }

  func testLossOfTheDatabaseMeansThatEveryWalletRegistersAnew() async throws {
    let harness = try await startedHarness()
    let wallet = try await TestWallet.confirmed(harness)
    // One missing row alone would be reported as one wallet.
    _ = try await TestWallet.confirmed(harness)
    try backUpEvaluator(of: harness, to: "copy")
    try copy(evaluator(of: harness) + "/evaluator.record", to: path("copy") + "/evaluator.record")
    try FileManager.default.removeItem(atPath: path("copy") + "/evaluator.sqlite")
    let started = try await start("copy", harness)
    XCTAssertEqual(started.findings, [.databaseReplaced])
    await assertFails { try await wallet.check("123654", at: started.provider) }
    try await assertRegistersAnew(wallet, started)
  }

  /// A start says which id was lost.
  func testLossOfTheIdIsMendedByTheMessageOfTheStart() async throws {
    let harness = try await startedHarness()
    let wallet = try await TestWallet.confirmed(harness)
    try backUpEvaluator(of: harness, to: "copy")
    let idFile = path("copy") + "/evaluator-id"
    try FileManager.default.removeItem(atPath: idFile)
    do {
      _ = try await start("copy", harness)
      XCTFail("another evaluator was accepted")
    } catch let failure as StoreFailure {
      XCTAssertTrue(
        failure.description.contains("other half at evaluator \(harness.evaluator.id)"),
        failure.description)
    }
    try write(harness.evaluator.id + "\n", to: idFile)
    let started = try await start("copy", harness)
    assertValid(try await wallet.check("123654", at: started.provider))
  }

  func testLossOfTheRecordLetsEveryWalletBeginInItsLastRound() async throws {
    let harness = try await startedHarness()
    let wallet = try await TestWallet.confirmed(harness)
    try backUpEvaluator(of: harness, to: "copy")
    let started = try await start("copy", harness)
    XCTAssertEqual(started.findings, [.databaseReplaced])
    let first = try await wallet.check("654123", at: started.provider)
    XCTAssertEqual(first, .wrong(attemptsLeft: 3, finalRound: true))
    assertValid(try await wallet.check("123654", at: started.provider))
    let anew = try await wallet.check("654123", at: started.provider)
    XCTAssertEqual(anew, .wrong(attemptsLeft: 3, finalRound: false), "the right PIN begins anew")
    // The record that was made lets the next start find nothing.
    let next = try await start("copy", harness)
    XCTAssertEqual(next.findings, [])
  }
}
