import CWalletCore
import Foundation
import ProtocolTestClient
import TestSupport
import WalletCrypto
import WalletProtocol
import XCTest

/// The attacker asks the provider, on every route. No answer tells the right PIN from a wrong one
/// without an attempt that is counted.
final class UncountedGuessTests: OfflineAttackerTestCase {
  private typealias Attack = @Sendable (inout Attacker, PinGuess) throws -> Attacker.Answer

  /// The requests that an attacker with the hardware key can sign for a wallet whose id is known.
  private static let instructions: [(name: String, attack: Attack)] = [
    ("check_pin", { try $0.check($0.evaluate($1)) }),
    ("check_pin, old sequence", { try $0.check($0.evaluate($1), sequence: 1) }),
    (
      "check_pin, foreign challenge",
      {
        let foreign = try $0.open($1, as: Base64URL.encode(Random.bytes(16))).given.challenge
        return try $0.check($0.evaluate($1).with(foreign))
      }
    ),
    (
      "check_pin, foreign evaluation",
      { try $0.check($0.open($1, as: Base64URL.encode(Random.bytes(16)))) }
    ),
    (
      "check_pin, challenge for something else",
      { try $0.check($0.evaluate($1).with($0.challenge(.deleteWallet))) }
    ),
    (
      "check_pin, invented challenge",
      { try $0.check($0.evaluate($1).with(Base64URL.encode(Random.bytes(32)))) }
    ),
    (
      "check_pin, other evaluation",
      {
        let first = try $0.evaluate($1)
        let second = try $0.evaluate($1)
        return try $0.check(first.with(second.given.challenge))
      }
    ),
    (
      "check_pin, other hardware key",
      {
        let other = ProtocolClient.Draft(
          configuration: $0.draft.configuration,
          hardwareKey: try Ed25519.SigningKey(seed: .random(count: 32)))
        return try $0.check($0.evaluate($1), draft: other)
      }
    ),
    (
      "begin_pin_change",
      { try $0.begin($0.evaluate($1, for: .beginPinChange), to: NamedEvaluation.randomBlinded()) }
    ),
    (
      "begin_pin_change to the PIN that is guessed",
      {
        let stranger = try Ed25519.SigningKey(seed: .random(count: 32))
        let evaluated = try $0.evaluate($1, for: .beginPinChange)
        return try $0.begin(evaluated, to: $1.blinded().element, with: stranger)
      }
    ),
    (
      "prepare_pin_change",
      {
        let guess = try $0.evaluate($1)
        return try $0.prepare(guess.key, to: $0.open($1, as: $0.registration))
      }
    ),
    (
      "prepare_pin_change to the PIN that is guessed",
      {
        let stranger = try Ed25519.SigningKey(seed: .random(count: 32))
        return try $0.prepare(stranger, to: $0.evaluate($1))
      }
    ),
    (
      "prepare_pin_change without the new key",
      {
        let guess = try $0.evaluate($1)
        return try $0.prepare(
          guess.key, to: $0.open($1, as: $0.registration), provenBy: guess.key)
      }
    ),
    (
      "commit_pin_change with a PIN message",
      {
        try $0.check(
          $0.evaluate($1).with($0.challenge(.commitPinChange)),
          path: Route.instruction(.commitPinChange), name: .commitPinChange)
      }
    ),
    (
      "check_pin on another route",
      { try $0.check($0.evaluate($1), path: Route.instruction(.confirmRegistration)) }
    ),
    (
      "delete_wallet with a PIN message",
      {
        try $0.check(
          $0.evaluate($1).with($0.challenge(.deleteWallet)),
          path: Route.instruction(.deleteWallet), name: .deleteWallet)
      }
    ),
  ]

  private static let registrations: [(name: String, attack: Attack)] = [
    (
      "register again",
      { try $0.register($0.open($1, as: $0.registration), as: $0.registration) }
    ),
    (
      "register again, old sequence",
      { try $0.register($0.open($1, as: $0.registration), as: $0.registration, sequence: 1) }
    ),
    (
      "register under another id",
      {
        let id = Base64URL.encode(Random.bytes(16))
        return try $0.register($0.open($1, as: id), as: id)
      }
    ),
    (
      "register with a used challenge",
      {
        let opened = try $0.open($1, as: $0.registration)
        _ = try $0.register(
          opened, as: $0.registration, with: Ed25519.SigningKey(seed: .random(count: 32)))
        return try $0.register(opened, as: $0.registration)
      }
    ),
  ]

  private func judged() throws -> Int {
    try XCTUnwrap(try provider.control("/counts")["judged"] as? Int)
  }

  /// The attempts since the last right PIN; 0 if there is no wallet yet.
  private func attempts(_ attacker: Attacker) throws -> Int {
    guard let wallet = attacker.wallet else { return 0 }
    return try provider.control("/wallets/\(wallet)")["wrong_attempts"] as? Int ?? 0
  }

  /// Tries the right PIN and a wrong one. Returns how many guesses the answers reveal without being
  /// counted.
  private func uncountedGuesses(
    _ attacks: [(name: String, attack: Attack)], _ attacker: inout Attacker,
    right: PinGuess, wrong: PinGuess, _ when: String
  ) throws -> Int {
    var uncounted = 0
    for (name, attack) in attacks {
      var counted = 0
      let answers = try [wrong, right].map { guess in
        let before = try judged()
        let (attempts, evaluations) = (try attempts(attacker), attacker.evaluations)
        let answer: Attacker.Answer
        do { answer = try attack(&attacker, guess) } catch let error as Attacker.NotEvaluated {
          answer = error.answer
        }
        // Whatever became of an evaluation, it was counted, until the right PIN is proved.
        if answer != .signed("valid") {
          XCTAssertEqual(
            try self.attempts(attacker) - attempts, attacker.evaluations - evaluations,
            "\(name) \(when)")
        }
        counted += try judged() - before
        try restoreAttempts(&attacker, right)
        return answer
      }
      if answers[0] != answers[1], counted != 2 {
        uncounted += 1
        XCTFail("\(name) \(when): \(answers), counted \(counted)")
      }
      if case .signed("valid") = answers[1] { XCTAssertEqual(counted, 2, "\(name) \(when)") }
    }
    return uncounted
  }

  /// Proves the right PIN if that is possible, so that all attempts are available again.
  private func restoreAttempts(_ attacker: inout Attacker, _ right: PinGuess) throws {
    guard try attempts(attacker) > 0, let evaluated = try? attacker.evaluate(right) else { return }
    XCTAssertEqual(try attacker.check(evaluated), .signed("valid"))
  }

  func testTheConfirmedWalletGivesNoUncountedGuessOnAnyRoute() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      let device = try StolenDevice(of: host)
      let registration = try XCTUnwrap(device.registration)
      let right = try PinGuess(pin, registration)
      let wrong = try PinGuess(wrongPins[0], registration)
      var attacker = try Attacker(device, document)
      XCTAssertEqual(
        try uncountedGuesses(
          Self.instructions + Self.registrations, &attacker, right: right, wrong: wrong,
          "confirmed"), 0)
      // A registration gets one answer, whatever the PIN, and resets none.
      let refusals = try [right, wrong, right].map {
        try attacker.register(
          attacker.open($0, as: attacker.registration), as: attacker.registration)
      }
      XCTAssertEqual(Set(refusals.map { "\($0)" }).count, 1)
      switch refusals[0] {
      case .problem(_, let body):
        XCTAssertTrue(String(decoding: body, as: UTF8.self).contains("already-registered"))
      case .signed(let outcome): XCTAssertEqual(outcome, "alreadyRegistered")
      }
      XCTAssertEqual(try host.run(.unlock(pin)).completions, [.valid])
      // Every wrong guess counts up to the block, during which the right one is not tried.
      for _ in 0..<4 {
        _ = try attacker.check(attacker.evaluate(wrong))
      }
      let before = try judged()
      XCTAssertEqual(
        try uncountedGuesses(
          Self.instructions + Self.registrations, &attacker, right: right, wrong: wrong,
          "blocked"), 0)
      XCTAssertEqual(try judged(), before)
      let state = try provider.control("/wallets/\(try XCTUnwrap(attacker.wallet))")
      XCTAssertEqual(state["wrong_attempts"] as? Int, 4, "\(state)")
    }
  }

  func testNoKillPointOfARegistrationGivesAnUncountedGuess() throws {
    var points: [String] = []
    try withDevice { host in
      points = try host.run(.register(pin)).passed.filter { !KillPoints.isOfRefresh($0) }
    }
    var attacked = 0
    let last = "storage.register.complete.after-commit"
    XCTAssertTrue(points.contains(last), "\(points)")
    for point in KillPoints.sample(points) + [last] {
      try withDevice { host in
        XCTAssertTrue(try host.run(.register(pin), killAt: point).isKilled, point)
        let device = try StolenDevice(of: host)
        guard let registration = device.registration, registration["salt"] != nil,
          device.hardwareKey != nil
        else { return }
        attacked += 1
        let right = try PinGuess(pin, registration)
        let wrong = try PinGuess(wrongPins[0], registration)
        var attacker = try Attacker(device, document)
        let attacks =
          attacker.wallet == nil
          ? Self.registrations : Self.instructions + Self.registrations
        XCTAssertEqual(
          try uncountedGuesses(
            attacks, &attacker, right: right, wrong: wrong, "after \(point)"), 0)
      }
    }
    XCTAssertGreaterThanOrEqual(attacked, 1, "\(points)")
  }

  func testAPinThatSomebodyElseSetsOnAPendingAccountIsNoGuessAndAWipeHelps() throws {
    try withDevice { host in
      XCTAssertTrue(
        try host.run(.register(pin), killAt: "storage.register.complete.after-commit").isKilled)
      let device = try StolenDevice(of: host)
      var attacker = try Attacker(device, document)
      let own = try PinGuess(newPin, XCTUnwrap(device.registration))
      XCTAssertEqual(
        try attacker.register(
          attacker.open(own, as: attacker.registration), as: attacker.registration),
        .signed("registered"))
      XCTAssertEqual(try attacker.check(attacker.evaluate(own)), .signed("valid"))
      // The attacker learns nothing about the user's PIN, whose key is gone: it is not even
      // evaluated.
      let judged = try judged()
      let refused = Completion(status: WALLET_CORE_ERROR_SERVER_REFUSED)
      XCTAssertEqual(try host.run(.unlock(pin)).completions, [refused])
      XCTAssertEqual(try self.judged(), judged)
      XCTAssertEqual(
        try host.run(.wipe, .register("271828"), .unlock("271828")).completions,
        [.done, .done, .valid])
    }
  }
}
