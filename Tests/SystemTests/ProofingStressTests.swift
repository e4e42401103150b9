import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Random users, scanners, locks, clocks and networks over UC3.1 with a real provider. Checks what
/// must hold at every step, and that every walk can end with a PID.
///
/// WALLET_CORE_STRESS_ROUNDS sets the length, WALLET_CORE_STRESS_SEED the seed; an exhaustive run
/// takes a new seed each time.
final class ProofingStressTests: ProofingTestCase {
  private static let movesOfAWalk = 10

  private var walks: Int {
    let rounds = ProcessInfo.processInfo.environment["WALLET_CORE_STRESS_ROUNDS"].flatMap(Int.init)
    return max(60, (rounds ?? 0) / 10)
  }

  func testNoRandomWalkBreaksAnInvariantAndEachCanEndWithAPID() throws {
    let seed = Sample.stressSeed
    let stress = ProofingStress(self, seed: seed)
    defer { stress.end() }
    for walk in 0..<walks {
      for _ in 0..<Self.movesOfAWalk { try stress.move() }
      if walk % 25 == 24 { try stress.finish() }
      guard stress.faults.isEmpty else { break }
    }
    try stress.finish()
    XCTAssertEqual(stress.faults, [], "seed \(seed): \(stress.story.suffix(120))")
    XCTAssertGreaterThan(stress.protected, stress.steps / 10, "protected steps are marked as such")
    XCTAssertGreaterThan(stress.rows.filter { $0.hasPrefix("UC3.1") }.count, walks < 200 ? 8 : 12)
    print(
      "stress: seed \(seed), \(walks) walks, \(stress.moves) moves, \(stress.steps) steps,",
      "\(stress.pids) PIDs, \(stress.protected) protected; rows \(stress.rows.sorted())")
  }
}
