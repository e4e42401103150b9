import Foundation
import WalletCrypto
import WalletOPRF
import WalletProtocol
import XCTest

/// What somebody can do about the PIN who stole certain things: a test for each row of the theft
/// table, but for that of `LyingProviderTests`. Short of the phone, the provider's keys and the
/// evaluator's key together, nobody makes a guess that is not counted. The last row runs the same
/// search, and finds the PIN.
final class TheftTableTests: TheftTestCase {
  func testPhone() throws {
    try assertNothingConfirms { try $0.takePhone(host) }
    var attacker = try asker()
    XCTAssertEqual(try guessOn(&attacker, wrongGuesses(allowed + 2)), allowed)
    XCTAssertEqual(try counted().evaluator, allowed)
    XCTAssertEqual(try counted().provider, allowed)
    // The right one comes too late.
    let right = try PinGuess(pin, try XCTUnwrap(phone().search().loot.registration))
    XCTAssertThrowsError(try attacker.evaluate(right)) {
      XCTAssertTrue($0 is Attacker.NotEvaluated)
    }
  }

  func testPhoneAndDatabase() throws {
    try assertNothingConfirms {
      try $0.takePhone(host)
      try $0.takeDatabase(of: provider)
    }
  }

  func testPhoneAndDatabaseAndKeysOfTheProvider() throws {
    try assertNothingConfirms(knowing: (false, true)) {
      try $0.takePhone(host)
      try $0.takeDatabase(of: provider)
      try $0.takeKeys(of: provider)
      $0.takeTraffic(traffic)
    }
  }

  func testPhoneAndEvaluator() throws {
    try assertNothingConfirms(knowing: (true, false)) {
      try $0.takePhone(host)
      try $0.takeEvaluator(of: provider)
    }
    // Whoever has the evaluator's key can also forget what it has counted. The provider has not.
    var attacker = try asker()
    let key = try key()
    let evaluated = try guessOn(&attacker, wrongGuesses(allowed + 2)) { _ in
      try provider.control("/evaluator/unblock", ["key": key])
      XCTAssertEqual(try StolenEvaluator(of: provider).attempts(key), 0)
    }
    XCTAssertEqual(evaluated, allowed)
    XCTAssertEqual(try counted().provider, allowed)
  }

  func testPhoneAndEvaluatorWatchedAtWork() throws {
    try assertNothingConfirms(knowing: (true, false)) {
      try $0.takePhone(host)
      try $0.takeEvaluator(of: provider)
      try $0.takeWorkOfEvaluator(traffic, of: provider)
    }
    try assertNothingConfirms {
      try $0.takePhone(host)
      try $0.takeWorkOfEvaluator(traffic, of: provider)
    }
  }

  func testPhoneAndTrafficAndEncryptionKey() throws {
    try assertNothingConfirms {
      try $0.takePhone(host)
      $0.takeTraffic(traffic)
      try $0.takeEncryptionKey(of: provider)
    }
    let theft = try theft {
      $0.takeTraffic(traffic)
      try $0.takeEncryptionKey(of: provider)
    }
    XCTAssertGreaterThanOrEqual(theft.pinMessages.count, 3, "he reads what the PIN key signed")
    XCTAssertNotNil(theft.pinMessages.compactMap(\.pinPublicKey).first)
  }

  /// The operator has the evaluator too, and all traffic; the salt is on the phone alone.
  func testOperatorAlone() throws {
    try assertNothingConfirms(knowing: (true, true)) {
      try $0.takeDatabase(of: provider)
      try $0.takeKeys(of: provider)
      try $0.takeEvaluator(of: provider)
      $0.takeTraffic(traffic)
    }
  }

  func testEvaluatorAlone() throws {
    try assertNothingConfirms(knowing: (true, false)) {
      try $0.takeEvaluator(of: provider)
      try $0.takeWorkOfEvaluator(traffic, of: provider)
    }
  }

  /// Whoever writes to the provider's database makes it forget; the evaluator does not.
  func testDatabaseWriterAndPhone() throws {
    let copy = try ProviderDatabases(of: provider, ["wallet-provider.sqlite"])
    defer { copy.remove() }
    var attacker = try asker()
    let evaluated = try guessOn(&attacker, wrongGuesses(allowed + 2)) { number in
      if number > 0, number % 3 == 0 { try copy.putBack(provider) }
    }
    XCTAssertEqual(evaluated, allowed)
    XCTAssertEqual(try counted().evaluator, allowed)
  }

  /// Here the last change before each restore is one of another wallet, so that the evaluator cannot
  /// make it again: the record alone tells it that rows are behind.
  func testWriterOfBothDatabasesWithAnotherWalletAndPhone() throws {
    let other = try KillHost(configuration: provider.clientConfiguration())
    defer { other.remove() }
    XCTAssertEqual(try other.run(.register(pin), .unlock(pin)).completions, [.done, .valid])
    let copy = try ProviderDatabases(
      of: provider, ["wallet-provider.sqlite", "evaluator/evaluator.sqlite"])
    defer { copy.remove() }
    var attacker = try asker()
    let evaluated = try guessOn(&attacker, wrongGuesses(allowed + 2)) { number in
      guard number > 0, number % 3 == 0 else { return }
      _ = try other.run(.unlock(pin))
      try copy.putBack(provider)
    }
    XCTAssertLessThanOrEqual(evaluated, allowed)
    XCTAssertGreaterThanOrEqual(evaluated, 3)
  }

  /// Whoever writes to both databases, and to no other file, is found out.
  func testWriterOfBothDatabasesAndPhone() throws {
    let copy = try ProviderDatabases(
      of: provider, ["wallet-provider.sqlite", "evaluator/evaluator.sqlite"])
    defer { copy.remove() }
    var attacker = try asker()
    let evaluated = try guessOn(&attacker, wrongGuesses(allowed + 2)) { number in
      if number > 0, number % 3 == 0 { try copy.putBack(provider) }
    }
    XCTAssertEqual(evaluated, allowed)
    XCTAssertEqual(try counted().evaluator, allowed)
  }

  func testEverything() throws {
    func everything(_ theft: inout Theft) throws {
      try theft.takePhone(host)
      try theft.takeDatabase(of: provider)
      try theft.takeKeys(of: provider)
      try theft.takeEvaluator(of: provider)
    }
    let theft = try theft(everything)
    XCTAssertEqual(try theft.confirmed(dictionary), [pin])
    // What the PIN key signed, or its public half, confirms it as well as the vault does.
    let bare = try self.theft {
      try everything(&$0)
      $0.takeTraffic(traffic)
    }
    XCTAssertEqual(try bare.confirmed(dictionary), [pin])
  }

  /// Also where a half is not known as one, and where an evaluator repeats a random number.
  func testTheSearchFindsHalvesThatAreNotNamed() throws {
    let known = try theft {
      try $0.takePhone(host)
      try $0.takeDatabase(of: provider)
      try $0.takeKeys(of: provider)
      $0.takeTraffic(traffic)
    }
    let search = try known.search()
    XCTAssertFalse(try search.confirms(pin))
    let half = try StolenEvaluator(of: provider).half
    let found = try search.with([half])
    XCTAssertTrue(try found.confirms(pin))
    XCTAssertFalse(try found.confirms(dictionary[0]))

    let scalar = try half.withUnsafeBytes { try SecretScalar(serialized: $0) }
    let nonce = try SecretScalar.random()
    let proofs = try (0..<2).map { _ in
      let blinded = try SecretScalar.random().publicValue()
      return try EvaluationProof(
        key: scalar, blinded: blinded, evaluated: scalar.evaluate(blinded), nonce: nonce
      ).serialized
    }
    let careless = try search.with(proofs + [try scalar.publicValue().serialized])
    XCTAssertTrue(try careless.confirms(pin))
    let one = try search.with([proofs[0], try scalar.publicValue().serialized])
    XCTAssertFalse(try one.confirms(pin))
  }
}
