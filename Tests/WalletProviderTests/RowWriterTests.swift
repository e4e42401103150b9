import WalletProtocol
import WalletProvider
import XCTest

/// Somebody who can write the database, and has not got the sealing key.
class RowWriterTests: StoreTestCase {
  func testAHardwareKeyThatWasPutIntoARowSignsNothing() async throws {
    let harness = try ProviderHarness()
    let owner = try await TestWallet.confirmed(harness)
    let intruder = HardwareKey.makeP256()
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

  func testTimesAndCountsThatTheRulesCouldNotReckonWithEndInAnError() async throws {
    let harness = try ProviderHarness()
    let changes: [@Sendable (inout StoredAccount) -> Void] = [
      { $0.failedAt = .min }, { $0.failedAt = .max }, { $0.failedAttempts = .min },
      { $0.failedAttempts = .max }, { $0.createdAt = .max }, { $0.lockedUntil = .min },
    ]
    for change in changes {
      let id = try await harness.accounts.create(try Invented.person()).account
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
        XCTAssertTrue(failure.description.hasPrefix("account \(id): the column "), "\(failure)")
      }
    }
  }

  /// Of every table: whatever number stands in a column, the row is refused or is what stands there.
  func testNoNumberInAnyColumnOfAnyTableTraps() throws {
    let session = StoredProofingSession(
      id: "session", code: [1], account: "account", wallet: "wallet", expiresAt: 1, state: .open,
      decidedAt: 1)
    let block = AttemptBlock(since: 1, duration: 1, restarted: 1)
    let rows: [any StoredRow] = [
      StoredWallet(
        id: "wallet", registration: "registration", hardwareKey: [1], hardwareKeyHash: [1],
        sealingKey: "key", sealedPinKey: [1], sealedShare: [1], sequence: 1, confirmed: true,
        registeredAt: 1, attempts: AttemptState(wrongAttempts: 1, block: block)),
      StoredChallenge(challenge: [1], purpose: "purpose", wallet: nil, expiresAt: 1),
      StoredAccount(
        id: "account", sealingKey: "key", sealedPerson: [1], createdAt: 1, lockedUntil: 1,
        failedAttempts: 1, failedAt: 1, proofedAt: 1),
      StoredEnrolmentCode(hash: [1], account: "account", expiresAt: 1, attemptsLeft: 1),
      session,
      StoredEnrolmentPage(
        hash: [1], account: "account", code: [1], sealingKey: "key", sealedSecret: [1],
        expiresAt: 1),
      StoredProviderSecret(name: "name", sealingKey: "key", sealed: [1]),
    ]
    XCTAssertEqual(Set(rows.map { type(of: $0).table }), Set(StoredTable.allCases))
    var refused = 0
    for row in rows { refused += try refusals(of: row) }
    // Each time at both ends, each count and sequence number below zero, and counts above.
    XCTAssertGreaterThan(refused, 30)
  }

  private func refusals<Stored: StoredRow>(of row: Stored) throws -> Int {
    let values = try row.values() + [row.key]
    let whole = Columns(values: Dictionary(uniqueKeysWithValues: zip(Stored.table.columns, values)))
    XCTAssertEqual(try Stored.read(whole).values() + [row.key], values)
    var refused = 0
    for case (let column, .integer) in whole.values {
      for number in [Int64.min, -1, 0, Int64(Int32.max) + 1, .max] {
        var changed = whole
        changed.values[column] = .integer(number)
        do {
          let read = try Stored.read(changed)
          XCTAssertEqual(
            try read.values() + [read.key], Stored.table.columns.map { changed.values[$0] })
          guard var wallet = read as? StoredWallet else { continue }
          // What the rules reckon with.
          for now in [0, Int64(1_800_000_000_000)] {
            _ = wallet.attempts.block?.remaining(now: now)
          }
        } catch let failure as StoreFailure {
          XCTAssertTrue(failure.description.contains(column), "\(failure)")
          refused += 1
        }
      }
    }
    return refused
  }
}

/// A row as anybody could have written it.
private struct Columns: ColumnReader {
  var values: [String: StoredValue]

  func optionalText(_ column: String) throws -> String? {
    switch values[column] {
    case .text(let text): text
    case .null: nil
    default: throw StoreFailure.unreadable(column)
    }
  }

  func optionalInteger(_ column: String) throws -> Int64? {
    switch values[column] {
    case .integer(let number): number
    case .null: nil
    default: throw StoreFailure.unreadable(column)
    }
  }

  func optionalBytes(_ column: String) throws -> [UInt8]? {
    switch values[column] {
    case .bytes(let bytes): bytes
    case .null: nil
    default: throw StoreFailure.unreadable(column)
    }
  }

  func flag(_ column: String) throws -> Bool {
    guard case .flag(let flag) = values[column] else { throw StoreFailure.unreadable(column) }
    return flag
  }
}
