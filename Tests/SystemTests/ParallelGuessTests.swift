import Foundation
import WalletCrypto
import WalletPlatform
import WalletProtocol
import WalletTransport
import XCTest

/// Every guess is counted, however many are made at once.
final class ParallelGuessTests: XCTestCase {
  private static let guesses = 64

  func testSixtyFourParallelWrongGuessesNeverGetMoreThanThePolicyAndEachIsCountedOnce() throws {
    try guessInParallel { _ in .checkPin }
  }

  func testGuessesByChecksAndByChangesOfThePinShareOneCount() throws {
    try guessInParallel { $0.isMultiple(of: 2) ? .checkPin : .preparePinChange }
  }

  private func guessInParallel(by instruction: (Int) -> InstructionName) throws {
    let provider = try TestProvider()
    let pinKey = try Ed25519.SigningKey(seed: .random(count: 32))
    let attacker = try ProtocolClient(document: provider.clientConfiguration(), pinKey: pinKey)
    let setUp = CurlTransport(address: attacker.address, certificateAuthority: nil)
    // Everything is signed before the first guess is sent, so that they arrive together.
    var bodies: [(path: String, bytes: [UInt8])] = []
    for number in 0..<Self.guesses {
      let name = instruction(number)
      let challenge = try attacker.challenge(name, sequence: UInt64(10 + number), setUp)
      let wrong = try Ed25519.SigningKey(seed: .random(count: 32))
      bodies.append(
        (
          Route.instruction(name),
          try attacker.guess(wrong, by: name, challenge: challenge, sequence: UInt64(1000 + number))
        ))
    }
    let prepared = bodies
    let outcomes = Monitor<[InstructionOutcome]>([])
    DispatchQueue.concurrentPerform(iterations: Self.guesses) { number in
      let transport = CurlTransport(address: attacker.address, certificateAuthority: nil)
      let outcome = try? ProtocolClient.post(
        prepared[number].bytes, prepared[number].path, transport)
      if let outcome { outcomes.update { $0.append(outcome) } }
    }
    let all = outcomes.withLock { $0 }
    let wrong = all.filter { if case .wrong = $0 { true } else { false } }
    let blocked = all.filter { if case .blocked = $0 { true } else { false } }
    XCTAssertFalse(all.contains { if case .valid = $0 { true } else { false } })
    XCTAssertLessThanOrEqual(wrong.count, 3, "more guesses were tried than the policy allows")
    XCTAssertEqual(
      Set(wrong.map { "\($0)" }).count, wrong.count, "two guesses counted as one attempt")
    if wrong.count == 3 { XCTAssertFalse(blocked.isEmpty) }
    let state = try provider.control("/wallets/\(attacker.wallet)")
    let counted = try XCTUnwrap(state["wrong_attempts"] as? Int, "\(state)")
    let judgedBlocks = blocked.contains(.blocked(milliseconds: 60_000, counted: true)) ? 1 : 0
    XCTAssertEqual(counted, wrong.count + judgedBlocks, "each counted exactly once")
  }

  func testTheSameBytesSentSixtyFourTimesAreCountedOnce() throws {
    let provider = try TestProvider()
    let pinKey = try Ed25519.SigningKey(seed: .random(count: 32))
    let attacker = try ProtocolClient(document: provider.clientConfiguration(), pinKey: pinKey)
    let setUp = CurlTransport(address: attacker.address, certificateAuthority: nil)
    let challenge = try attacker.challenge(.checkPin, sequence: 10, setUp)
    let body = try attacker.guess(
      try Ed25519.SigningKey(seed: .random(count: 32)), challenge: challenge, sequence: 11)
    let outcomes = Monitor<[InstructionOutcome]>([])
    DispatchQueue.concurrentPerform(iterations: Self.guesses) { _ in
      let transport = CurlTransport(address: attacker.address, certificateAuthority: nil)
      let outcome = try? ProtocolClient.post(body, Route.instruction(.checkPin), transport)
      if let outcome { outcomes.update { $0.append(outcome) } }
    }
    let all = outcomes.withLock { $0 }
    XCTAssertEqual(all.count, Self.guesses)
    XCTAssertEqual(Set(all.map { "\($0)" }).count, 1)
    XCTAssertEqual(all.first, .wrong(attemptsLeft: 3, finalRound: false))
    let state = try provider.control("/wallets/\(attacker.wallet)")
    XCTAssertEqual(state["wrong_attempts"] as? Int, 1, "\(state)")
  }
}
