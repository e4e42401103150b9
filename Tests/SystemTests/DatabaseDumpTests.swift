import Foundation
import WalletCrypto
import WalletProtocol
import XCTest

/// An attacker has a dump of the provider's database and everything on the device. Without the
/// sealing key and the evaluator's half of the key they have no PIN and cannot test one.
final class DatabaseDumpTests: XCTestCase {
  private let pin = "142032"

  private func withLoot(
    _ body: (TestProvider, StolenDatabase, inout StolenDevice, StolenDatabase.Row) throws -> Void
  ) throws {
    let provider = try TestProvider()
    let host = try KillHost(configuration: provider.clientConfiguration())
    defer { host.remove() }
    // With biometrics, whose key opens the vault; even then there is no PIN.
    XCTAssertEqual(
      try host.run(.register(pin), .enableBiometrics(pin)).completions, [.done, .valid])
    let database = try StolenDatabase(of: provider)
    var device = try StolenDevice(of: host)
    XCTAssertTrue(device.hasVaultKey)
    for value in database.files + database.values { device.take(value) }
    let row = try XCTUnwrap(database.tables["wallet"]?.first)
    XCTAssertEqual(database.tables["wallet"]?.count, 1)
    try body(provider, database, &device, row)
  }

  private func sealingKey(_ provider: TestProvider) throws -> [UInt8] {
    let file = provider.data.appendingPathComponent("keys/sealing.key")
    let line = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first
    return try XCTUnwrap(Base64URL.decode(XCTUnwrap(line)))
  }

  func testADumpWithTheDeviceTellsNoGuessFromAnother() throws {
    try withLoot { _, _, loot, _ in
      let registration = try XCTUnwrap(loot.registration)
      for guess in [pin, "271828"] {
        XCTAssertFalse(try PinGuess(guess, registration).isVerified(by: loot), guess)
      }
    }
  }

  func testNothingInTheDumpOrOnTheDeviceOpensWhatTheProviderSealed() throws {
    try withLoot { _, _, loot, row in
      let whole = loot.readable.filter { $0.count == 32 }
      XCTAssertGreaterThan(whole.count, 5, "the search reads keys and hashes")
      // Candidates for keys: values, their hashes, and every 32 bytes of anything as short as a
      // record.
      let pieces = loot.readable.filter { (33...4096).contains($0.count) }.flatMap { value in
        (0...(value.count - 32)).map { Array(value[$0..<($0 + 32)]) }
      }
      let keys = Set(whole + whole.map { Hash.sha256($0) } + pieces)
      for key in keys {
        XCTAssertNil(SealedColumn.pinKey(row, key: key))
        XCTAssertNil(SealedColumn.share(row, key: key))
        XCTAssertNil(SealedColumn.half(row, key: key))
      }
    }
  }

  func testNotEvenTheSealingKeyVerifiesAGuessWithoutTheEvaluator() throws {
    try withLoot { provider, _, loot, row in
      let key = try sealingKey(provider)
      for opened in [SealedColumn.pinKey, SealedColumn.half, SealedColumn.share] {
        let value = try XCTUnwrap(opened(row, key))
        XCTAssertEqual(value.count, 32)
        loot.take(value)
      }
      let registration = try XCTUnwrap(loot.registration)
      let half = try XCTUnwrap(SealedColumn.half(row, key: key))
      for guess in [pin, "271828"] {
        let guess = try PinGuess(guess, registration)
        XCTAssertFalse(try guess.isVerified(by: loot))
        let alone = try guess.blinded().key(halves: [half])
        XCTAssertFalse(try guess.isVerified(by: loot, key: alone), "the provider's half alone")
      }
    }
  }

  func testTheEvaluatorsHalfAloneVerifiesNoGuess() throws {
    try withLoot { provider, _, loot, _ in
      let evaluator = try StolenEvaluator(of: provider)
      loot.take(try evaluator.content)
      loot.take(try evaluator.half)
      loot.take(try evaluator.publicKey)
      let registration = try XCTUnwrap(loot.registration)
      for guess in [pin, "271828"] {
        let guess = try PinGuess(guess, registration)
        XCTAssertFalse(try guess.isVerified(by: loot))
        let alone = try guess.blinded().key(halves: [try evaluator.half])
        XCTAssertFalse(try guess.isVerified(by: loot, key: alone), "the evaluator's half alone")
      }
    }
  }

  func testWithTheEvaluatorsHalfTooTheSameSearchFindsThePIN() throws {
    try withLoot { provider, _, loot, row in
      let key = try sealingKey(provider)
      loot.take(try XCTUnwrap(SealedColumn.pinKey(row, key: key)))
      let halves = [
        try StolenEvaluator(of: provider).half, try XCTUnwrap(SealedColumn.half(row, key: key)),
      ]
      let registration = try XCTUnwrap(loot.registration)
      let right = try PinGuess(pin, registration)
      XCTAssertTrue(
        try right.isVerified(by: loot, key: right.blinded().key(halves: halves)))
      let wrong = try PinGuess("271828", registration)
      XCTAssertFalse(
        try wrong.isVerified(by: loot, key: wrong.blinded().key(halves: halves)))
    }
  }
}
