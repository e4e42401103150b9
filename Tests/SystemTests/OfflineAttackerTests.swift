import CWalletCore
import Foundation
import ProtocolTestClient
import TestSupport
import WalletCrypto
import WalletPlatform
import WalletProtocol
import WalletTransport
import XCTest

/// An attacker has a copy of the whole storage directory and can use the hardware key and the
/// encryption bridge. They cannot test a PIN without the provider counting it.
final class OfflineAttackerTests: XCTestCase {
  private let pin = "142032"
  private let newPin = "314158"
  private let wrongPins = ["142033", "271828", "000001"]
  private var provider: TestProvider!
  private var document = Data()

  override func setUpWithError() throws {
    provider = try TestProvider()
    document = try provider.clientConfiguration()
  }

  override func tearDown() { provider = nil }

  private func withDevice(_ body: (KillHost) throws -> Void) throws {
    let host = try KillHost(configuration: document)
    defer { host.remove() }
    try body(host)
  }

  /// Checks that nothing on the device distinguishes the right PIN from wrong ones. Returns whether
  /// there is enough on it to guess at all.
  @discardableResult
  private func assertNothingVerifiesAGuess(
    _ host: KillHost, _ when: String, line: UInt = #line
  ) throws -> Bool {
    let device = try StolenDevice(of: host)
    guard let registration = device.registration else {
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
      var careless = device
      let key = Base64URL.encode(guess.key.publicKey)
      careless.take(Array(#"{"pinKey":"\#(key)"}"#.utf8))
      XCTAssertTrue(try guess.isVerified(by: careless), "a public key")
      XCTAssertFalse(try PinGuess(wrongPins[0], registration).isVerified(by: careless))
      careless = device
      let claims = InstructionClaims(
        audience: "a", wallet: "b", instruction: .register, payloadHash: "c", challenge: nil,
        sequence: 1)
      let signed = try SignedMessage.sign(claims, type: .pinInstruction, signer: guess.key)
      careless.take(Array(#"{"request":{"signature":"\#(signed)"}}"#.utf8))
      XCTAssertTrue(try guess.isVerified(by: careless), "a signature")
      careless = device
      careless.take(Array("x142032y".utf8))
      XCTAssertTrue(try guess.isVerified(by: careless), "the PIN")
    }
  }

  func testNoStoredValueVerifiesAGuessAtAnyKillPointOfARegistration() throws {
    var guessable = 0
    for point in KillPoints.sample(KillPoints.registration + KillPoints.refresh) {
      try withDevice { host in
        XCTAssertTrue(try host.run(.register(pin), .awaitKill, killAt: point).isKilled, point)
        if try assertNothingVerifiesAGuess(host, "after \(point)") { guessable += 1 }
      }
    }
    XCTAssertGreaterThanOrEqual(guessable, Sample.rounds(2, of: 12))
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

  // MARK: The provider's routes

  /// The part of an answer that can depend on the PIN.
  private enum Answer: Equatable {
    /// Unsigned: status and body, byte for byte.
    case problem(Int, [UInt8])
    /// Signed, without the random parts of every answer.
    case signed(String)
  }

  /// An attacker with the hardware key who sends requests to the provider.
  private struct Attacker {
    let draft: ProtocolClient.Draft
    let transport: CurlTransport
    let registration: String
    let wallet: String?
    var sequence: UInt64 = 1000

    init(_ device: StolenDevice, _ document: Data) throws {
      let client = try WireJSON.decode(ClientConfiguration.self, from: Array(document))
      let configuration = try SignedMessage(parsing: client.configuration).unverifiedContent(
        ConfigurationClaims.self)
      guard let key = device.hardwareKey,
        let registration = device.registration?["registrationID"] as? String
      else { throw TestFailure("nothing to attack with") }
      draft = ProtocolClient.Draft(configuration: configuration, hardwareKey: key)
      transport = CurlTransport(
        address: try ProviderAddress(url: client.providerURL, allowLoopbackHTTP: true),
        certificateAuthority: nil)
      self.registration = registration
      wallet = device.registration?["walletID"] as? String
    }

    mutating func nextSequence() -> UInt64 {
      sequence += 1
      return sequence
    }

    func post(_ body: [UInt8], _ path: String) throws -> Answer {
      let response = try transport.send(
        HTTPRequest(.post, path, headers: ["content-type": "application/json"], body: body),
        cancellation: Cancellation())
      guard response.status == 200 else { return .problem(response.status, response.body) }
      let answer = try WireJSON.decode(InstructionAnswer.self, from: response.body)
      let outcome = try SignedMessage(parsing: answer.result).unverifiedContent(
        InstructionResultClaims.self
      ).outcome
      switch outcome {
      case .challenge: return .signed("challenge")
      case .registered: return .signed("registered")
      case .valid: return .signed("valid")
      case .blocked: return .signed("blocked")
      // The current number is the one that the attacker sent last.
      case .sequenceRefused: return .signed("sequence refused")
      default: return .signed("\(outcome)")
      }
    }

    func enrolmentChallenge() throws -> String {
      let response = try transport.send(
        HTTPRequest(.post, Route.enrolmentChallenge), cancellation: Cancellation())
      return try WireJSON.decode(EnrolmentChallenge.self, from: response.body).challenge
    }

    func register(
      _ pinKey: Ed25519.SigningKey, as registration: String, sequence: UInt64
    ) throws -> Answer {
      try post(
        draft.pinInstruction(
          .register, wallet: registration, challenge: enrolmentChallenge(), sequence: sequence,
          pinKey: pinKey), Route.registrations)
    }

    mutating func challenge(_ name: InstructionName) throws -> String {
      let body = try draft.plain(
        .challenge, wallet: wallet ?? "",
        payload: WireJSON.encode(ChallengePayload(instruction: name)), challenge: nil,
        sequence: nextSequence())
      let response = try transport.send(
        HTTPRequest(
          .post, Route.instruction(.challenge), headers: ["content-type": "application/json"],
          body: body), cancellation: Cancellation())
      let answer = try WireJSON.decode(InstructionAnswer.self, from: response.body)
      guard
        case .challenge(let challenge, _) = try SignedMessage(parsing: answer.result)
          .unverifiedContent(InstructionResultClaims.self).outcome
      else { throw TestFailure("no challenge") }
      return challenge
    }

    /// Sends a `check_pin` that the test makes invalid in other ways than by the PIN.
    func check(
      _ pinKey: Ed25519.SigningKey, _ challenge: String, _ sequence: UInt64,
      draft other: ProtocolClient.Draft? = nil, path: String = Route.instruction(.checkPin),
      name: InstructionName = .checkPin
    ) throws -> Answer {
      try post(
        (other ?? draft).pinInstruction(
          name, wallet: wallet ?? "", challenge: challenge, sequence: sequence, pinKey: pinKey),
        path)
    }

    /// Sends a `prepare_pin_change` that the test makes invalid.
    mutating func prepare(
      _ pinKey: Ed25519.SigningKey, to newKey: Ed25519.SigningKey,
      provenBy prover: Ed25519.SigningKey? = nil
    ) throws -> Answer {
      try post(
        draft.pinChange(
          wallet: wallet ?? "", challenge: challenge(.preparePinChange), sequence: nextSequence(),
          pinKey: pinKey, newKey: newKey, provenBy: prover),
        Route.instruction(.preparePinChange))
    }
  }

  private typealias Attack = @Sendable (inout Attacker, Ed25519.SigningKey) throws -> Answer

  /// The requests that an attacker with the hardware key can sign for a wallet whose id is known.
  private static let instructions: [(name: String, attack: Attack)] = [
    ("check_pin", { try $0.check($1, $0.challenge(.checkPin), $0.nextSequence()) }),
    ("check_pin, old sequence", { try $0.check($1, $0.challenge(.checkPin), 1) }),
    (
      "check_pin, foreign challenge",
      { try $0.check($1, $0.enrolmentChallenge(), $0.nextSequence()) }
    ),
    (
      "check_pin, challenge for something else",
      { try $0.check($1, $0.challenge(.deleteWallet), $0.nextSequence()) }
    ),
    (
      "check_pin, invented challenge",
      { try $0.check($1, Base64URL.encode(Random.bytes(32)), $0.nextSequence()) }
    ),
    (
      "check_pin, other hardware key",
      {
        let other = ProtocolClient.Draft(
          configuration: $0.draft.configuration,
          hardwareKey: try Ed25519.SigningKey(seed: .random(count: 32)))
        return try $0.check($1, $0.challenge(.checkPin), $0.nextSequence(), draft: other)
      }
    ),
    (
      "prepare_pin_change",
      {
        let newKey = try Ed25519.SigningKey(seed: .random(count: 32))
        return try $0.prepare($1, to: newKey)
      }
    ),
    (
      "prepare_pin_change to the PIN that is guessed",
      {
        let stranger = try Ed25519.SigningKey(seed: .random(count: 32))
        return try $0.prepare(stranger, to: $1)
      }
    ),
    (
      "prepare_pin_change without the new key",
      {
        let newKey = try Ed25519.SigningKey(seed: .random(count: 32))
        return try $0.prepare($1, to: newKey, provenBy: $1)
      }
    ),
    (
      "commit_pin_change with a PIN message",
      {
        try $0.check(
          $1, $0.challenge(.commitPinChange), $0.nextSequence(),
          path: Route.instruction(.commitPinChange), name: .commitPinChange)
      }
    ),
    (
      "check_pin on another route",
      {
        try $0.check(
          $1, $0.challenge(.checkPin), $0.nextSequence(),
          path: Route.instruction(.confirmRegistration))
      }
    ),
    (
      "delete_wallet with a PIN message",
      {
        try $0.check(
          $1, $0.challenge(.deleteWallet), $0.nextSequence(),
          path: Route.instruction(.deleteWallet), name: .deleteWallet)
      }
    ),
  ]

  private static let registrations: [(name: String, attack: Attack)] = [
    (
      "register again",
      { try $0.register($1, as: $0.registration, sequence: $0.nextSequence()) }
    ),
    ("register again, old sequence", { try $0.register($1, as: $0.registration, sequence: 1) }),
    (
      "register under another id",
      { try $0.register($1, as: Base64URL.encode(Random.bytes(16)), sequence: $0.nextSequence()) }
    ),
    (
      "register with a used challenge",
      {
        let challenge = try $0.enrolmentChallenge()
        let body = try $0.draft.pinInstruction(
          .register, wallet: $0.registration, challenge: challenge, sequence: $0.nextSequence(),
          pinKey: Ed25519.SigningKey(seed: .random(count: 32)))
        _ = try $0.post(body, Route.registrations)
        return try $0.post(
          $0.draft.pinInstruction(
            .register, wallet: $0.registration, challenge: challenge,
            sequence: $0.nextSequence(), pinKey: $1), Route.registrations)
      }
    ),
  ]

  private func judged() throws -> Int {
    try XCTUnwrap(try provider.control("/counts")["judged"] as? Int)
  }

  /// Tries the right PIN and a wrong one. Returns how many guesses the answers reveal without being
  /// counted.
  private func uncountedGuesses(
    _ attacks: [(name: String, attack: Attack)], _ attacker: inout Attacker,
    right: Ed25519.SigningKey, wrong: Ed25519.SigningKey, _ when: String
  ) throws -> Int {
    var uncounted = 0
    for (name, attack) in attacks {
      let before = try judged()
      // The right one last, so that all attempts are available for the next request.
      let answers = [try attack(&attacker, wrong), try attack(&attacker, right)]
      let counted = try judged() - before
      if answers[0] != answers[1], counted != 2 {
        uncounted += 1
        XCTFail("\(name) \(when): \(answers), counted \(counted)")
      }
      if case .signed("valid") = answers[1] { XCTAssertEqual(counted, 2, "\(name) \(when)") }
    }
    return uncounted
  }

  func testTheConfirmedWalletGivesNoUncountedGuessOnAnyRoute() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      let device = try StolenDevice(of: host)
      let registration = try XCTUnwrap(device.registration)
      let right = try PinGuess(pin, registration).key
      let wrong = try PinGuess(wrongPins[0], registration).key
      var attacker = try Attacker(device, document)
      XCTAssertEqual(
        try uncountedGuesses(
          Self.instructions + Self.registrations, &attacker, right: right, wrong: wrong,
          "confirmed"), 0)
      // A registration gets one answer, whatever the PIN, and resets none.
      let refusals = try [right, wrong, right].map {
        try attacker.register($0, as: attacker.registration, sequence: attacker.nextSequence())
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
        _ = try attacker.check(wrong, attacker.challenge(.checkPin), attacker.nextSequence())
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
    for point in KillPoints.sample(points) {
      try withDevice { host in
        XCTAssertTrue(try host.run(.register(pin), killAt: point).isKilled, point)
        let device = try StolenDevice(of: host)
        guard let registration = device.registration, device.hardwareKey != nil else { return }
        attacked += 1
        let right = try PinGuess(pin, registration).key
        let wrong = try PinGuess(wrongPins[0], registration).key
        var attacker = try Attacker(device, document)
        let attacks =
          attacker.wallet == nil
          ? Self.registrations : Self.instructions + Self.registrations
        XCTAssertEqual(
          try uncountedGuesses(
            attacks, &attacker, right: right, wrong: wrong, "after \(point)"), 0)
      }
    }
    XCTAssertGreaterThanOrEqual(attacked, Sample.rounds(2, of: 10), "\(points)")
  }

  func testAPinThatSomebodyElseSetsOnAPendingAccountIsNoGuessAndAWipeHelps() throws {
    try withDevice { host in
      XCTAssertTrue(
        try host.run(.register(pin), killAt: "storage.register.complete.after-commit").isKilled)
      let device = try StolenDevice(of: host)
      var attacker = try Attacker(device, document)
      let own = try Ed25519.SigningKey(seed: .random(count: 32))
      XCTAssertEqual(
        try attacker.register(
          own, as: attacker.registration, sequence: attacker.nextSequence()), .signed("registered"))
      XCTAssertEqual(
        try attacker.check(own, attacker.challenge(.checkPin), attacker.nextSequence()),
        .signed("valid"))
      // The attacker learns nothing about the user's PIN, which is wrong now.
      XCTAssertEqual(try host.run(.unlock(pin)).completions, [.wrong(3)])
      XCTAssertEqual(
        try host.run(.wipe, .register("271828"), .unlock("271828")).completions,
        [.done, .done, .valid])
    }
  }
}
