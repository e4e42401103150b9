import Foundation
import WalletProtocol
import XCTest

/// A wallet, its provider and all traffic between them, for tests of what a thief can do.
class TheftTestCase: XCTestCase {
  let pin = "142032"
  let dictionary = ["271828", "142032", "000001"]
  /// The guesses that the standard policy allows.
  let allowed = 16
  var provider: TestProvider!
  var middle: ManInTheMiddle!
  var host: KillHost!

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

  var traffic: [ManInTheMiddle.Exchange] { Set(middle.paths).flatMap { middle.all($0) } }

  func theft(_ steal: (inout Theft) throws -> Void) rethrows -> Theft {
    var theft = Theft()
    try steal(&theft)
    return theft
  }

  func assertNothingConfirms(
    knowing halves: (evaluator: Bool, provider: Bool) = (false, false), line: UInt = #line,
    _ steal: (inout Theft) throws -> Void
  ) throws {
    let theft = try theft(steal)
    let known = try theft.knownHalves
    XCTAssertEqual(known.evaluator, halves.evaluator, line: line)
    XCTAssertEqual(known.provider, halves.provider, line: line)
    XCTAssertEqual(try theft.confirmed(dictionary), [], line: line)
  }

  func phone() throws -> Theft { try theft { try $0.takePhone(host) } }

  /// Guesses that are wrong, as many as are asked for.
  func wrongGuesses(_ count: Int) throws -> [PinGuess] {
    let registration = try XCTUnwrap(try phone().search().loot.registration)
    return try (0..<count).map { try PinGuess(String(format: "%06d", 900_000 + $0), registration) }
  }

  /// The id of the PIN key.
  func key() throws -> String {
    let record = try phone().search().loot.registration?["pinKey"] as? [String: Any]
    return try XCTUnwrap(record?["key"] as? String)
  }

  /// The attempts since the last right PIN, by the evaluator's row and the provider's.
  func counted() throws -> (evaluator: Int, provider: Int) {
    let wallet = try XCTUnwrap(
      try phone().search().loot.registration?["walletID"] as? String)
    return (
      try StolenEvaluator(of: provider).attempts(key()),
      try provider.control("/wallets/\(wallet)")["wrong_attempts"] as? Int ?? -1
    )
  }

  /// An attacker with the phone who asks the provider.
  func asker() throws -> Attacker {
    try Attacker(StolenDevice(of: host), provider.clientConfiguration())
  }

  /// Guesses at the provider until the wallet is blocked for good; returns how many guesses were
  /// evaluated.
  ///
  /// - Parameter between: is called before each guess.
  func guessOn(
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
}
