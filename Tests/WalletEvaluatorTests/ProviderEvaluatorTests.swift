import Foundation
import WalletAttempts
import WalletProtocol
import WalletProviderSQLite
import WalletSignatures
import XCTest

@testable import WalletEvaluator
@testable import WalletProvider
@testable import WalletProviderStores

/// A provider and the evaluator that its database names.
final class ProviderEvaluatorTests: EvaluatorTestCase {
  private struct Opened {
    let identity: ProviderIdentity
    let store: any ProviderStore

    func provider(_ evaluator: any PinEvaluator) -> Provider {
      Provider(
        identity: identity, store: store, evaluator: evaluator, settings: ProviderSettings())
    }
  }

  private func opened() throws -> Opened {
    let data = directory + "/provider"
    try PrivateFile.createDirectory(data)
    let directory = try DataDirectory(path: data, settings: ProviderSettings())
    let store = try SQLiteProviderStore(
      path: directory.databasePath, authentication: try directory.identity.rowAuthentication(),
      clock: SystemWallClock())
    return Opened(identity: directory.identity, store: store)
  }

  /// An evaluator in a directory of its own.
  private func evaluator(in name: String) throws -> Evaluator {
    try EvaluatorDirectory(path: directory + "/" + name).evaluator(
      policy: AttemptPolicy.standard, clock: SystemWallClock(), report: { _ in })
  }

  func testAFileThatCannotBeUsedIsAFailureThatNamesIt() async throws {
    let own = try evaluator(in: "own")
    try await own.ping()
    let record = directory + "/own/evaluator.record"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: record)
    do {
      try await own.ping()
      XCTFail("a record that others may read was used")
    } catch let failure as EvaluatorFailure {
      XCTAssertTrue(failure.description.contains(record), failure.description)
    }
  }

  func testAProviderStartsWithTheEvaluatorOfItsWalletsOnly() async throws {
    let opened = try opened()
    let (own, other) = (try evaluator(in: "own"), try evaluator(in: "other"))
    for _ in 1...2 {
      try await opened.provider(try evaluator(in: "own")).prepareSecrets()
    }
    do {
      try await opened.provider(other).prepareSecrets()
      XCTFail("another evaluator was accepted")
    } catch let failure as StoreFailure {
      XCTAssertEqual(
        failure.description,
        """
        this provider's wallets have their other half at evaluator \(own.id); this process has \
        \(other.id): restore its directory, or run it with wallet-provider evaluate and name it to \
        every server by evaluator-url
        """)
    }
    try await opened.identity.checkEvaluator(own.id, of: opened.store)
    do {
      try await opened.identity.checkEvaluator(other.id, of: opened.store)
      XCTFail("another evaluator was accepted")
    } catch is StoreFailure {}
  }

  /// A wallet of the provider with this PIN key.
  private func insert(_ id: String, key: String, in opened: Opened) async throws {
    let wallet = StoredWallet(
      id: id, registration: id, hardwareKey: [1], hardwareKeyHash: Digest.sha256(id.utf8),
      sealingKey: opened.identity.keys.sealing.id, sealedPinKey: [1], pinKeyID: key,
      sealedHalf: [1], sealedShare: [1], sequence: 1, confirmed: true, registeredAt: 1,
      attempts: AttemptState(wrongAttempts: 4))
    try await opened.store.transaction { try $0.insert(wallet) }
  }

  func testTheOperatorUnblocksAndDeletesAtBoth() async throws {
    let opened = try opened()
    let evaluator = try evaluator(in: "own")
    let administration = WalletAdministration(store: opened.store, evaluator: evaluator)
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    try await insert("wallet", key: key, in: opened)
    for _ in 1...4 { _ = try await evaluator.attempt(wallet, key) }
    guard case .blocked = try await evaluator.attempt(wallet, key) else {
      return XCTFail("not blocked")
    }
    let isUnblocked = try await administration.unblock("wallet")
    XCTAssertTrue(isUnblocked)
    let found = try await administration.wallet("wallet")
    XCTAssertEqual(found?.wallet.wrongAttempts, 0)
    let count = try await evaluator.countNow(wallet, key)
    XCTAssertEqual(count, 0)

    let isDeleted = try await administration.delete("wallet")
    XCTAssertTrue(isDeleted)
    let unknown = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(unknown, .unknownKey)
    let isUnknown = try await administration.unblock("wallet")
    XCTAssertFalse(isUnknown)
    let isGone = try await administration.delete("wallet")
    XCTAssertFalse(isGone)
  }

  func testAWalletThatTheEvaluatorDoesNotKnowIsNotUnblocked() async throws {
    let opened = try opened()
    try await insert("wallet", key: "unknown", in: opened)
    let administration = WalletAdministration(
      store: opened.store, evaluator: try evaluator(in: "own"))
    do {
      let isDone = try await administration.unblock("wallet")
      XCTFail("\(isDone)")
    } catch is StoreFailure {}
    let found = try await administration.wallet("wallet")
    XCTAssertEqual(found?.wallet.wrongAttempts, 4)
  }

  func testADirectoryKeepsItsEvaluatorAndRefusesALostKey() async throws {
    let first = try evaluator(in: "own")
    let wallet = TestWallet()
    let key = try await first.adopted(wallet)
    let second = try evaluator(in: "own")
    XCTAssertEqual(second.id, first.id)
    XCTAssertEqual(second.grantKeys, first.grantKeys)
    let answer = try await second.attempt(wallet, key)
    XCTAssertEqual(try answer.standing.attempts, 1)
    try FileManager.default.removeItem(atPath: directory + "/own/evaluator.key")
    XCTAssertThrowsError(try evaluator(in: "own")) { error in
      XCTAssertTrue("\(error)".contains("restore it from a backup"), "\(error)")
    }
  }
}
