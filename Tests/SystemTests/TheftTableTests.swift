import Foundation
import ProtocolTestClient
import TestSupport
import WalletCrypto
import WalletOPRF
import WalletProtocol
import XCTest

/// What somebody can do about the PIN who stole certain things: a test for each row of the theft
/// table. Short of the phone, the provider's keys and the evaluator's key together, nobody makes a
/// guess that is not counted. The last row runs the same search, and finds the PIN.
final class TheftTableTests: XCTestCase {
  private let pin = "142032"
  private let dictionary = ["271828", "142032", "000001"]
  /// The guesses that the standard policy allows.
  private let allowed = 16
  private var provider: TestProvider!
  private var middle: ManInTheMiddle!
  private var host: KillHost!

  /// A wallet that was registered and unlocked, the latter also after a wrong PIN.
  override func setUpWithError() throws {
    provider = try TestProvider()
    middle = try ManInTheMiddle(before: provider)
    host = try KillHost(configuration: provider.clientConfiguration(url: middle.url))
    // With biometrics, whose key opens the vault; even then there is no PIN.
    XCTAssertEqual(
      try host.run(.register(pin), .unlock("141421"), .unlock(pin), .enableBiometrics(pin))
        .completions, [.done, .wrong(3), .valid, .valid])
  }

  override func tearDown() {
    host.remove()
    middle.stop()
    provider.stop()
  }

  private var traffic: [ManInTheMiddle.Exchange] { Set(middle.paths).flatMap { middle.all($0) } }

  private func theft(_ steal: (inout Theft) throws -> Void) rethrows -> Theft {
    var theft = Theft()
    try steal(&theft)
    return theft
  }

  private func assertNothingConfirms(
    knowing halves: (evaluator: Bool, provider: Bool) = (false, false), line: UInt = #line,
    _ steal: (inout Theft) throws -> Void
  ) throws {
    let theft = try theft(steal)
    let known = try theft.knownHalves
    XCTAssertEqual(known.evaluator, halves.evaluator, line: line)
    XCTAssertEqual(known.provider, halves.provider, line: line)
    XCTAssertEqual(try theft.confirmed(dictionary), [], line: line)
  }

  private func phone() throws -> Theft { try theft { try $0.takePhone(host) } }

  /// Guesses that are wrong, as many as are asked for.
  private func wrongGuesses(_ count: Int) throws -> [PinGuess] {
    let registration = try XCTUnwrap(try phone().search().loot.registration)
    return try (0..<count).map { try PinGuess(String(format: "%06d", 900_000 + $0), registration) }
  }

  /// The id of the PIN key.
  private func key() throws -> String {
    let record = try phone().search().loot.registration?["pinKey"] as? [String: Any]
    return try XCTUnwrap(record?["key"] as? String)
  }

  /// The attempts since the last right PIN, by the evaluator's row and the provider's.
  private func counted() throws -> (evaluator: Int, provider: Int) {
    let wallet = try XCTUnwrap(
      try phone().search().loot.registration?["walletID"] as? String)
    return (
      try StolenEvaluator(of: provider).attempts(key()),
      try provider.control("/wallets/\(wallet)")["wrong_attempts"] as? Int ?? -1
    )
  }

  /// An attacker with the phone who asks the provider.
  private func asker() throws -> Attacker {
    try Attacker(StolenDevice(of: host), provider.clientConfiguration())
  }

  /// Guesses at the provider until the wallet is blocked for good; returns how many guesses were
  /// evaluated.
  ///
  /// - Parameter between: is called before each guess.
  private func guessOn(
    _ attacker: inout Attacker, _ guesses: [PinGuess],
    between: (Int) throws -> Void = { _ in }
  ) throws -> Int {
    var evaluated = 0
    for (number, guess) in guesses.enumerated() {
      try between(number)
      // No block lasts longer.
      try provider.advanceClock(milliseconds: 3_600_001)
      do {
        let made = try attacker.evaluate(guess)
        evaluated += 1
        let answer = try attacker.check(made)
        XCTAssertNotEqual(answer, .signed("valid"))
      } catch let refused as Attacker.NotEvaluated {
        guard case .signed(let outcome) = refused.answer else {
          throw TestFailure("\(refused.answer)")
        }
        XCTAssertTrue(outcome.hasPrefix("blockedPermanently"), outcome)
        return evaluated
      }
    }
    return evaluated
  }

  // MARK: Rows

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
    XCTAssertLessThan(try counted().provider, allowed + 1)
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

  // MARK: A provider that lies

  func testPhoneAndProviderThatLies() throws {
    let copy = try ProviderDatabases(of: provider, ["wallet-provider.sqlite"])
    defer { copy.remove() }
    let theft = try theft {
      try $0.takePhone(host)
      try $0.takeDatabase(of: provider)
      try $0.takeKeys(of: provider)
      $0.takeTraffic(traffic)
    }
    var liar = try LyingProvider(theft, of: provider)
    let right = try PinGuess(pin, try XCTUnwrap(theft.search().loot.registration))
    let guesses = try wrongGuesses(allowed + 2)
    func attempts() throws -> Int { try StolenEvaluator(of: provider).attempts(liar.key) }
    for number in 0..<3 { XCTAssertEqual(try liar.evaluate(guesses[number]), .wrong) }
    XCTAssertEqual(try attempts(), 3)

    // The same request again gives the same answer.
    let blinded = try guesses[3].blinded().element
    let request = try liar.challenge(blinded)
    let first = try liar.ask(.evaluate(request: request))
    guard case .evaluated(let evaluation, let standing) = first else {
      return XCTFail("\(first)")
    }
    XCTAssertEqual(standing.attempts, 4)
    for _ in 1...3 { XCTAssertEqual(try liar.ask(.evaluate(request: request)), first) }
    XCTAssertEqual(try attempts(), 4)

    // No message that he signs or has seen takes an attempt back.
    let own = try Ed25519.SigningKey(seed: .random(count: 32))
    let signed = try liar.message(evaluation, blinded, by: own)
    for message in theft.pinMessages.map(\.signature) + [signed] {
      XCTAssertEqual(try liar.ask(.prove(key: liar.key, message: message)), .refused)
    }
    for publicKey in [own.publicKey, liar.publicKey] {
      let adoption = PinKeyAdoption(
        signature: request.signature, message: signed, publicKey: Base64URL.encode(publicKey),
        opening: Base64URL.encode([UInt8](repeating: 0, count: 32)))
      XCTAssertEqual(try liar.ask(.adopt(key: liar.key, adoption: adoption)), .refused)
    }
    XCTAssertEqual(try liar.ask(.commit(key: liar.key)), .done, "it is in force")
    XCTAssertEqual(try liar.ask(.cancel(key: liar.key)), .refused)
    XCTAssertEqual(try liar.ask(.cancel(key: "another")), .done)
    XCTAssertEqual(try liar.ask(.delete(key: "another")), .done)
    XCTAssertEqual(try attempts(), 4)

    // No other request is evaluated: an old number, another instruction, another hardware key.
    let stranger = InstructionDraft(
      configuration: liar.draft.configuration,
      hardwareKey: try Ed25519.SigningKey(seed: .random(count: 32)))
    let element = try right.blinded().element
    let old = try liar.ask(.evaluate(request: liar.challenge(element, sequence: 1)))
    guard case .sequenceRefused = old else { return XCTFail("\(old)") }
    for request in [
      try liar.challenge(element, by: stranger), try liar.challenge(element, for: .register),
      try liar.challenge(element, for: .preparePinChange),
    ] {
      XCTAssertEqual(try liar.ask(.evaluate(request: request)), .refused)
    }
    XCTAssertEqual(
      try liar.ask(.evaluate(request: liar.challenge(element, key: "another"))), .unknownKey)
    XCTAssertEqual(try attempts(), 4)

    // New keys for the same hardware key are not the wallet's, however many he opens.
    for guess in [right, guesses[0]] { XCTAssertEqual(try liar.open(guess), .wrong) }
    XCTAssertEqual(try attempts(), 4)

    // He puts his own database back, and lies to himself: only the evaluator's count is asked.
    try copy.putBack(provider)
    XCTAssertEqual(try counted().provider, 0)
    var left = guesses[4...]
    var evaluated = 4
    while let guess = left.popFirst() {
      let outcome = try liar.evaluate(guess)
      guard case .blocked(let standing) = outcome else {
        XCTAssertEqual(outcome, .wrong)
        evaluated += 1
        continue
      }
      XCTAssertEqual(try liar.ask(.commit(key: liar.key)), .done)
      if standing.isBlockedPermanently { break }
      guard case .blocked(let same) = try liar.evaluate(right) else { return XCTFail("evaluated") }
      XCTAssertEqual(same.attempts, standing.attempts, "the block does not depend on the PIN")
      try copy.putBack(provider)
      try provider.advanceClock(milliseconds: Int(try XCTUnwrap(standing.blockedMilliseconds)))
      left = [guess] + left
    }
    XCTAssertEqual(evaluated, allowed)
    guard case .blocked(let last) = try liar.evaluate(right) else { return XCTFail("evaluated") }
    XCTAssertTrue(last.isBlockedPermanently)
    XCTAssertEqual(try attempts(), allowed)

    // To delete the key ends all: it is never made again.
    XCTAssertEqual(try liar.ask(.delete(key: liar.key)), .done)
    XCTAssertEqual(
      try liar.ask(.evaluate(request: liar.challenge(element))), .unknownKey)
    XCTAssertEqual(try liar.open(right), .wrong)
  }

  /// A provider that lies and guesses right is counted too, and then told.
  func testTheLyingProviderKnowsARightGuessThatIsCounted() throws {
    let theft = try theft {
      try $0.takePhone(host)
      try $0.takeDatabase(of: provider)
      try $0.takeKeys(of: provider)
      $0.takeTraffic(traffic)
    }
    var liar = try LyingProvider(theft, of: provider)
    let right = try PinGuess(pin, try XCTUnwrap(theft.search().loot.registration))
    XCTAssertEqual(try liar.evaluate(try wrongGuesses(1)[0]), .wrong)
    XCTAssertEqual(try liar.evaluate(right), .right)
    XCTAssertEqual(try StolenEvaluator(of: provider).attempts(liar.key), 2)
  }

  // MARK: The search finds

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
