import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Random users, scanners, locks, clocks and networks over UC3.1 with a real provider; what must hold at
/// every step of it (I1, I5, I8 to I10 of the invariants), and that whoever goes on ends with a PID.
///
/// WALLET_CORE_STORM_ROUNDS says how long, WALLET_CORE_STORM_SEED which storm; an exhaustive run takes another
/// one each time.
final class ProofingStormTests: ProofingTestCase {
  private static let movesOfAWalk = 10

  private var walks: Int {
    let rounds = ProcessInfo.processInfo.environment["WALLET_CORE_STORM_ROUNDS"].flatMap(Int.init)
    return max(60, (rounds ?? 0) / 10)
  }

  private var seed: UInt64 {
    ProcessInfo.processInfo.environment["WALLET_CORE_STORM_SEED"].flatMap(UInt64.init)
      ?? (Sample.isExhaustive ? .random(in: 1...UInt64(UInt32.max)) : Sample.seed)
  }

  func testNoWalkBreaksAnInvariantAndWhoeverGoesOnEndsWithAPID() throws {
    let seed = seed
    let storm = ProofingStorm(self, seed: seed)
    defer { storm.end() }
    for walk in 0..<walks {
      for _ in 0..<Self.movesOfAWalk { try storm.move() }
      if walk % 25 == 24 { try storm.finish() }
      guard storm.faults.isEmpty else { break }
    }
    try storm.finish()
    XCTAssertEqual(storm.faults, [], "seed \(seed): \(storm.story.suffix(120))")
    XCTAssertGreaterThan(storm.protected, storm.steps / 10, "protected steps are known as such")
    XCTAssertGreaterThan(storm.rows.filter { $0.hasPrefix("UC3.1") }.count, walks < 200 ? 8 : 12)
    print(
      "storm: seed \(seed), \(walks) walks, \(storm.moves) moves, \(storm.steps) steps,",
      "\(storm.pids) PIDs, \(storm.protected) protected; rows \(storm.rows.sorted())")
  }
}
