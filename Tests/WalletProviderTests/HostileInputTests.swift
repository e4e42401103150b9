import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import TestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// No input causes a server error, counts as an attempt or changes anything.
final class HostileInputTests: XCTestCase {
  private let paths =
    [Route.registrations, Route.registrationChallenge]
    + InstructionName.allCases.filter { $0 != .register }.map(Route.instruction)

  private func tamper(_ body: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var body = body
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !body.isEmpty {
      let place = Int.random(in: 0..<body.count, using: &generator)
      switch Int.random(in: 0...4, using: &generator) {
      case 0: body[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: body[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2: body.remove(at: place)
      case 3: body.insert(UInt8.random(in: 32...126, using: &generator), at: place)
      default: body.removeSubrange(place...)
      }
    }
    return body
  }

  func testRandomBytesAndBrokenJSONNeverGiveAServerError() async throws {
    let paths = paths
    try await withHTTP(try ProviderHarness()) { http in
      var generator = SeededGenerator(seed: 1)
      let broken = [
        "", "{", "null", "[]", "0", "\"\"", "{\"signature\":1,\"payload\":2}",
        "{\"signature\":\"\",\"payload\":\"\"}", "{\"signature\":\"..\",\"payload\":\"\"}",
        "{\"signature\":\"a.b.c\",\"payload\":\"_\"}",
        String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 40_000),
        "{\"signature\":\"" + String(repeating: "A", count: 200_000) + "\",\"payload\":\"\"}",
        "\u{FEFF}{}", "{\"signature\":\"\\ud800\",\"payload\":\"\\u0000\"}",
      ].map { Array($0.utf8) }
      let random = (0..<60).map { _ in
        (0..<Int.random(in: 0...300, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
      }
      for path in paths {
        for body in broken + random {
          let response = try await http.post(path, body)
          XCTAssertEqual(response.problemKind(), .malformedRequest)
        }
      }
    }
  }

  func testMutatedEnvelopesNeverGiveAServerErrorAndNeverCount() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness, hardware: .makeP256())
    let checkPin = try await wallet.challenge(for: .checkPin)
    let delete = try await wallet.challenge(for: .deleteWallet)
    let enrol = try await wallet.registrationChallenge()
    let bodies = [
      try wallet.preparePin(.checkPin, pin: "654123", challenge: checkPin).body,
      try wallet.preparePin(.register, pin: "654123", challenge: enrol).body,
      try wallet.preparePlain(.deleteWallet, EmptyPayload(), challenge: delete).body,
      try wallet.prepareChallenge(.checkPin).body, try wallet.prepareRegistrationChallenge().body,
    ]
    let before = try await harness.stored(wallet)
    var generator = SeededGenerator(seed: 2)
    let tampered = (0..<400).map { tamper(bodies[$0 % bodies.count], &generator) }
    let paths = paths
    try await withHTTP(harness) { http in
      for (number, body) in tampered.enumerated() where !bodies.contains(body) {
        let response = try await http.post(paths[number % paths.count], body)
        XCTAssertLessThan(response.status.code, 500, String(decoding: body, as: UTF8.self))
      }
    }
    let after = try await harness.stored(wallet)
    XCTAssertEqual(before, after)
    XCTAssertEqual(harness.observer.all, [])
  }

  func testRefusesClaimsAtTheirLimitsWithoutATrap() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let challenge = try await wallet.challenge(for: .checkPin)
    let highest = wallet.sequence + SequenceNumber.longestStep
    for sequence in [
      UInt64.max, UInt64(Int64.max) + 1, UInt64(Int64.max), SequenceNumber.limit,
    ] {
      let request = try wallet.preparePin(
        .checkPin, pin: "1", challenge: challenge, sequence: sequence)
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .malformedRequest)
    }
    // A wallet that got so far by a forged answer is told, with a signature, where to go on.
    for sequence in [SequenceNumber.limit - 1, highest + 1] {
      let outcome = try await wallet.send(
        wallet.preparePin(.checkPin, pin: "1", challenge: challenge, sequence: sequence))
      XCTAssertEqual(outcome, .sequenceRefused(current: wallet.sequence))
    }
    for id in ["", String(repeating: "a", count: 129)] {
      let request = try wallet.preparePin(
        .checkPin, pin: "1", challenge: challenge, tamperOuter: { $0.wallet = id })
      let kind = await problem { try await wallet.send(request) }
      XCTAssertEqual(kind, .malformedRequest)
    }
    let outcome = try await wallet.send(
      wallet.preparePin(.checkPin, pin: "123654", challenge: challenge, sequence: highest))
    guard case .valid = outcome else { return XCTFail("\(outcome)") }
    // The wallet has numbers left.
    wallet.sequence = highest
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
  }

  func testRegistrationDoesNotUseUpTheSequenceNumbers() async throws {
    let wallet = TestWallet(try ProviderHarness())
    wallet.sequence = SequenceNumber.limit - 3
    let challenge = try await wallet.registrationChallenge()
    let outcome = try await wallet.send(
      wallet.preparePin(
        .register, pin: "123654", challenge: challenge, sequence: SequenceNumber.limit - 1))
    XCTAssertEqual(outcome, .sequenceRefused(current: 0))
    wallet.sequence = 0
    try await wallet.register()
  }
}
