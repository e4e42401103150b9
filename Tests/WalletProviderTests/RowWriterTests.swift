import ServerTestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// An attacker who can write to the database but does not have the sealing key.
class RowWriterTests: StoreTestCase {
  func testRefusesAHardwareKeyInsertedIntoARow() async throws {
    let harness = try ProviderHarness()
    let owner = try await TestWallet.confirmed(harness)
    let intruder = TestHardwareKey.makeP256()
    let (id, key) = (owner.id, owner.hardware)
    for changesHash in [false, true] {
      let former = try await harness.store.transaction { rows -> StoredWallet in
        let former = try XCTUnwrap(try rows.wallet(id: id))
        var wallet = former
        wallet.hardwareKey = intruder.der
        if changesHash { wallet.hardwareKeyHash = sha256(intruder.der) }
        try rows.update(wallet)
        return former
      }
      owner.hardware = intruder
      do {
        _ = try await owner.send(owner.prepareClaim(sha256([1])))
        XCTFail("the intruder's signature was accepted; hash changed: \(changesHash)")
      } catch is StoreFailure {}
      try await harness.store.transaction { rows in try rows.update(former) }
    }
    owner.hardware = key
    _ = try await owner.challenge(for: .checkPin)
  }

  func testFailsOnTimesAndCountsOutOfRange() async throws {
    let harness = try ProviderHarness()
    let changes: [@Sendable (inout StoredAccount) -> Void] = [
      { $0.failedAt = .min }, { $0.failedAt = .max }, { $0.failedAttempts = .min },
      { $0.failedAttempts = .max }, { $0.createdAt = .max }, { $0.lockedUntil = .min },
    ]
    for change in changes {
      let id = try await harness.accounts.create(try TestPerson.person()).account
      try await harness.store.transaction { rows in
        var account = try XCTUnwrap(try rows.account(id: id))
        account.failedAt = 0
        change(&account)
        try rows.update(account)
      }
      do {
        _ = try await harness.accounts.issueCode(account: id)
        XCTFail("a code was made")
      } catch let failure as StoreFailure {
        XCTAssertTrue(failure.description.hasPrefix("account: the column "), "\(failure)")
        XCTAssertFalse(failure.description.contains(id), "ids are not for the log")
      }
    }
  }
}
