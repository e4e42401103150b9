import Foundation
import ProtocolTestClient
import WalletCrypto
import WalletPlatform
import WalletProtocol
import WalletTransport
import XCTest

/// Every guess is counted, however many are made at once. A guess is an evaluation: it is counted
/// when its challenge is asked for.
final class ParallelGuessTests: XCTestCase {
  private static let guesses = 64
  /// The policy's attempts per round.
  private static let allowed = 4

  private var provider: TestProvider!
  private var attacker: ProtocolClient!
  private var setUpTransport: ProviderTransport!

  override func setUpWithError() throws {
    provider = try TestProvider()
    attacker = try ProtocolClient(
      document: provider.clientConfiguration(),
      pinKey: Ed25519.SigningKey(seed: .random(count: 32)))
    setUpTransport = ProviderTransport(address: attacker.address, certificateAuthority: nil)
  }

  override func tearDown() {
    attacker = nil
    provider = nil
  }

  private func counted() throws -> Int {
    let state = try provider.control("/wallets/\(attacker.wallet)")
    return try XCTUnwrap(state["wrong_attempts"] as? Int, "\(state)")
  }

  func testSixtyFourParallelWrongGuessesNeverGetMoreThanThePolicyAndEachIsCountedOnce() throws {
    try guessInParallel { _ in .checkPin }
  }

  func testGuessesByChecksAndByChangesOfThePinShareOneCount() throws {
    try guessInParallel { $0.isMultiple(of: 2) ? .checkPin : .beginPinChange }
  }

  private func guessInParallel(by instruction: (Int) -> InstructionName) throws {
    // Every challenge is signed before the first one is sent, so that they arrive together.
    let requests = try (0..<Self.guesses).map { number in
      let name = instruction(number)
      let request = try attacker.challengeRequest(name, sequence: UInt64(10 + number))
      return (
        name: name, body: request.body, blinded: request.blinded,
        wrong: try Ed25519.SigningKey(seed: .random(count: 32))
      )
    }
    let client = try XCTUnwrap(attacker)
    let evaluated = Monitor<Int>(0)
    let outcomes = Monitor<[InstructionOutcome]>([])
    DispatchQueue.concurrentPerform(iterations: Self.guesses) { number in
      let (name, body, blinded, wrong) = requests[number]
      let transport = ProviderTransport(address: client.address, certificateAuthority: nil)
      let asked = try? ProtocolClient.post(body, Route.instruction(.challenge), transport)
      guard let given = asked.flatMap({ GivenChallenge($0, blinded: blinded) }) else { return }
      evaluated.update { $0 += 1 }
      let guess = try? client.guess(
        wrong, by: name, given, sequence: UInt64(1000 + number))
      let outcome = guess.flatMap {
        try? ProtocolClient.post($0, Route.instruction(name), transport)
      }
      if let outcome { outcomes.update { $0.append(outcome) } }
    }
    let made = evaluated.withLock { $0 }
    XCTAssertGreaterThan(made, 0)
    XCTAssertLessThanOrEqual(made, Self.allowed, "more guesses than the policy allows")
    let all = outcomes.withLock { $0 }
    let wrong = all.filter { if case .wrong = $0 { true } else { false } }
    let last = all.filter { if case .blocked(_, counted: true) = $0 { true } else { false } }
    XCTAssertFalse(all.contains { if case .valid = $0 { true } else { false } })
    XCTAssertLessThanOrEqual(wrong.count, Self.allowed - 1)
    XCTAssertLessThanOrEqual(last.count, 1)
    XCTAssertEqual(
      Set(wrong.map { "\($0)" }).count, wrong.count, "two guesses counted as one attempt")
    // An evaluation whose answer was overtaken by a later number was counted too.
    XCTAssertGreaterThanOrEqual(try counted(), made, "each is counted")
    XCTAssertLessThanOrEqual(try counted(), Self.allowed)
  }

  func testGuessesThatAreNeverAnsweredAreCountedAndBlock() throws {
    for number in 1...Self.allowed {
      _ = try attacker.challenge(.checkPin, sequence: UInt64(10 + number), setUpTransport)
      XCTAssertEqual(try counted(), number)
    }
    let refused = try ProtocolClient.post(
      attacker.challengeRequest(.checkPin, sequence: 20).body, Route.instruction(.challenge),
      setUpTransport)
    guard case .blocked(_, counted: false) = refused else {
      return XCTFail("\(String(describing: refused))")
    }
    XCTAssertEqual(try counted(), Self.allowed)
  }

  func testOnlyTheNewestOfSeveralEvaluationsCanBeAnswered() throws {
    let first = try attacker.challenge(.checkPin, sequence: 10, setUpTransport)
    let second = try attacker.challenge(.checkPin, sequence: 11, setUpTransport)
    let wrong = try Ed25519.SigningKey(seed: .random(count: 32))
    let late = try ProtocolClient.post(
      attacker.guess(wrong, first, sequence: 12), Route.instruction(.checkPin), setUpTransport)
    XCTAssertNil(late, "a guess that is not the newest one is not checked")
    let newest = try ProtocolClient.post(
      attacker.guess(wrong, second, sequence: 13), Route.instruction(.checkPin), setUpTransport)
    XCTAssertEqual(newest, .wrong(attemptsLeft: 2, finalRound: false))
    XCTAssertEqual(try counted(), 2)
  }

  func testTheSameBytesSentSixtyFourTimesAreCountedOnce() throws {
    let (request, blinded) = try attacker.challengeRequest(.checkPin, sequence: 10)
    let asked = sendInParallel(request, Route.instruction(.challenge))
    XCTAssertEqual(asked.count, Self.guesses)
    XCTAssertEqual(Set(asked.map { "\($0)" }).count, 1, "the same answer")
    XCTAssertEqual(try counted(), 1)
    let given = try XCTUnwrap(asked.first.flatMap { GivenChallenge($0, blinded: blinded) })
    let body = try attacker.guess(
      try Ed25519.SigningKey(seed: .random(count: 32)), given, sequence: 11)
    let all = sendInParallel(body, Route.instruction(.checkPin))
    XCTAssertEqual(all.count, Self.guesses)
    XCTAssertEqual(Set(all.map { "\($0)" }).count, 1)
    XCTAssertEqual(all.first, .wrong(attemptsLeft: 3, finalRound: false))
    XCTAssertEqual(try counted(), 1)
  }

  private func sendInParallel(_ body: [UInt8], _ path: String) -> [InstructionOutcome] {
    let address = attacker.address
    let outcomes = Monitor<[InstructionOutcome]>([])
    DispatchQueue.concurrentPerform(iterations: Self.guesses) { _ in
      let transport = ProviderTransport(address: address, certificateAuthority: nil)
      let outcome = try? ProtocolClient.post(body, path, transport)
      if let outcome { outcomes.update { $0.append(outcome) } }
    }
    return outcomes.withLock { $0 }
  }
}
