import Foundation
import TestSupport
import WalletCrypto
import WalletProtocol
import XCTest

/// The attacker searches what is stored. Nothing of it verifies a guess at the PIN.
final class OfflineAttackerTests: OfflineAttackerTestCase {
  /// Checks that nothing on the device distinguishes the right PIN from wrong ones. Returns whether
  /// there is enough on it to guess at all.
  @discardableResult
  private func assertNothingVerifiesAGuess(
    _ host: KillHost, _ when: String, line: UInt = #line
  ) throws -> Bool {
    let device = try StolenDevice(of: host)
    guard let registration = device.registration, registration["salt"] != nil else {
      XCTAssertFalse(device.contains(Array(pin.utf8)), when, line: line)
      return false
    }
    // While the PIN is being changed there are two salts.
    for record in [registration] + (device.pinChange.map { [$0] } ?? []) {
      for guess in [pin, newPin] + wrongPins.prefix(1) {
        XCTAssertFalse(
          try PinGuess(guess, record).isVerified(by: device), "\(guess) \(when)", line: line)
      }
    }
    return true
  }

  func testTheSearchFindsWhatWouldVerifyAGuess() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      let device = try StolenDevice(of: host)
      let registration = try XCTUnwrap(device.registration)
      XCTAssertNotNil(registration["certificate"])
      let guess = try PinGuess(pin, registration)
      XCTAssertFalse(try guess.isVerified(by: device))
      // Even for a guess that was counted, so that its key is known, nothing on the device helps.
      var attacker = try Attacker(device, document)
      let evaluated = try attacker.evaluate(guess)
      XCTAssertFalse(try guess.isVerified(by: device, key: evaluated.key))
      XCTAssertEqual(try attacker.check(evaluated), .signed("valid"), "it is the right key")
      var careless = device
      careless.take(
        Array(#"{"pinKey":"\#(Base64URL.encode(evaluated.key.publicKey))"}"#.utf8))
      XCTAssertTrue(try guess.isVerified(by: careless, key: evaluated.key), "a public key")
      careless = device
      let claims = InstructionClaims(
        audience: "a", wallet: "b", instruction: .register, payloadHash: "c", challenge: nil,
        sequence: 1)
      let signed = try SignedMessage.sign(claims, type: .pinInstruction, signer: evaluated.key)
      careless.take(Array(#"{"request":{"signature":"\#(signed)"}}"#.utf8))
      XCTAssertTrue(try guess.isVerified(by: careless, key: evaluated.key), "a signature")
      careless = device
      careless.take(Array("x142032y".utf8))
      XCTAssertTrue(try guess.isVerified(by: careless), "the PIN")
      careless = device
      let (blind, element) = try guess.blindedWithScalar()
      careless.take(blind)
      XCTAssertFalse(try guess.isVerified(by: careless))
      careless.take(Array(#"{"blinded":"\#(element)"}"#.utf8))
      XCTAssertTrue(try guess.isVerified(by: careless), "a blinded PIN and its scalar")
      XCTAssertFalse(try PinGuess(wrongPins[0], registration).isVerified(by: careless))
    }
  }

  func testNoStoredValueVerifiesAGuessAtAnyKillPointOfARegistration() throws {
    var guessable = 0
    let last = "storage.register.complete.after-commit"
    for point in KillPoints.sample(KillPoints.registration + KillPoints.refresh) + [last] {
      try withDevice { host in
        XCTAssertTrue(try host.run(.register(pin), .awaitKill, killAt: point).isKilled, point)
        if try assertNothingVerifiesAGuess(host, "after \(point)") { guessable += 1 }
      }
    }
    XCTAssertGreaterThanOrEqual(guessable, 1)
  }

  /// Before the evaluator has adopted the PIN key, there is nothing on the device to guess with.
  func testNoSaltIsStoredBeforeARegistrationIsComplete() throws {
    for point in [
      "register.before-request", "register.after-answer", "storage.register.complete.before-commit",
    ] {
      try withDevice { host in
        XCTAssertTrue(try host.run(.register(pin), .awaitKill, killAt: point).isKilled, point)
        let registration = try XCTUnwrap(try StolenDevice(of: host).registration, point)
        XCTAssertNil(registration["salt"], point)
      }
    }
  }

  func testNoStoredValueVerifiesAGuessAtAnyKillPointOfAnUnlockOrWipe() throws {
    for step in [KillHost.Step.unlock(pin), .wipe] {
      var points: [String] = []
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        try assertNothingVerifiesAGuess(host, "after the registration")
        points = try host.run(step).passed.filter { !KillPoints.isOfRefresh($0) }
        try assertNothingVerifiesAGuess(host, "after \(step)")
      }
      XCTAssertGreaterThanOrEqual(points.count, 4)
      for point in KillPoints.sample(points) {
        try withDevice { host in
          XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
          XCTAssertTrue(try host.run(step, killAt: point).isKilled, point)
          try assertNothingVerifiesAGuess(host, "after \(point)")
        }
      }
    }
  }

  func testNoStoredValueVerifiesAGuessAtAnyKillPointOfAChangeOfThePin() throws {
    var halfChanged = 0
    for point in KillPoints.sample(KillPoints.pinChange) + KillPoints.sample(KillPoints.pinCommit) {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        XCTAssertTrue(
          try host.run(
            .unlock(pin), .watch(killAt: point), .changePin(pin, to: newPin), .awaitKill
          ).isKilled, point)
        try assertNothingVerifiesAGuess(host, "after \(point)")
        if try StolenDevice(of: host).pinChange != nil { halfChanged += 1 }
      }
    }
    XCTAssertGreaterThanOrEqual(halfChanged, Sample.rounds(2, of: 11))
  }

  func testNoStoredValueVerifiesAGuessAtAnyKillPointOfAnEnablingOfBiometrics() throws {
    let points = KillPoints.all.filter {
      $0.hasPrefix("biometrics.") || $0.contains("biometrics.enable")
    }
    var opened = 0
    for point in points {
      try withDevice { host in
        XCTAssertEqual(
          try host.run(.register(pin), .enableBiometrics(pin)).completions, [.done, .valid])
        try assertNothingVerifiesAGuess(host, "while it is enabled")
        XCTAssertTrue(
          try host.run(.unlockWithBiometrics, .enableBiometrics(pin), killAt: point).isKilled)
        try assertNothingVerifiesAGuess(host, "after \(point)")
        if try StolenDevice(of: host).hasVaultKey { opened += 1 }
      }
    }
    XCTAssertEqual(opened, points.count, "not even with the vault key")
  }
}
