import CWalletCore
import Foundation
import XCTest

/// Kill -9 at every write of a change of the PIN: afterwards exactly one PIN unlocks, the one that
/// the stored state names, and no attempt was counted that the user did not make.
final class KillPinChangeTests: KillTestCase {
  private let stranger = "000001"
  private static let closed = "storage.pin-change.closed.after-commit"

  /// Registers a wallet with `pin`. Returns the salt of its PIN key.
  private func register(_ host: KillHost) throws -> String {
    XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
    return try salt(host)
  }

  /// The salt of the current PIN key.
  private func salt(_ host: KillHost) throws -> String {
    try XCTUnwrap(try StolenDevice(of: host).registration?["salt"] as? String)
  }

  private func killWhileChanging(_ host: KillHost, at point: String) throws {
    let report = try host.run(
      .unlock(pin), .watch(killAt: point), .changePin(pin, to: otherPin), .awaitKill)
    XCTAssertTrue(report.isKilled, point)
  }

  private func assertOnlyOnePinUnlocks(
    _ host: KillHost, isNew: Bool, after point: String, line: UInt = #line
  ) throws {
    // There the former PIN was evaluated, and not checked any more.
    let left: Int32 = point == "instruction.before-request" ? 2 : 3
    let (right, wrong) = isNew ? (otherPin, pin) : (pin, otherPin)
    let report = try host.run(.unlock(stranger), .unlock(wrong), .unlock(right))
    assertNamedState(report, point, line: line)
    XCTAssertEqual(report.completions, [.wrong(left), .wrong(left - 1), .valid], point, line: line)
    XCTAssertEqual(try counts(), [1, 0], point, line: line)
  }

  private func assertSettles(_ host: KillHost, after point: String, line: UInt = #line) throws {
    if try StolenDevice(of: host).pinChange != nil {
      let passed = try host.run(.awaitPass(Self.closed)).passed
      XCTAssertTrue(passed.contains(Self.closed), point, line: line)
    }
    XCTAssertNil(try StolenDevice(of: host).pinChange, point, line: line)
  }

  func testAKillAnywhereInAChangeLeavesExactlyOnePinRight() throws {
    try withDevice { host in
      _ = try register(host)
      let points = try host.run(
        .unlock(pin), .watch(killAt: nil), .changePin(pin, to: otherPin), .awaitPass(Self.closed)
      ).passed.filter { !KillPoints.isOfRefresh($0) }
      XCTAssertEqual(Set(points), Set(KillPoints.pinChange + KillPoints.pinCommit))
      try assertOnlyOnePinUnlocks(host, isNew: true, after: "the change")
      try assertAWipeLeavesNothing(host, after: "the change")
    }
    for point in KillPoints.sample(KillPoints.pinChange) + KillPoints.sample(KillPoints.pinCommit) {
      try withDevice { host in
        let salt = try register(host)
        try killWhileChanging(host, at: point)
        let isNew = try self.salt(host) != salt
        XCTAssertEqual(
          isNew,
          KillPoints.pinCommit.contains(point)
            || point == "storage.pin-change.committing.after-commit", point)
        try assertOnlyOnePinUnlocks(host, isNew: isNew, after: point)
        try assertSettles(host, after: point)
        XCTAssertEqual(
          try host.run(.unlock(isNew ? otherPin : pin)).completions, [.valid], point)
        try assertAWipeLeavesNothing(host, after: point)
      }
    }
  }

  func testAKillWhileAChangeIsSettledAtTheNextStartChangesNothingOfWhichPinIsRight() throws {
    let settling =
      KillPoints.commits(["storage.instruction.sequence", "storage.pin-change.closed"])
      + ["instruction.before-request", "instruction.after-answer"]
    let starts = [
      ("instruction.after-answer#2", false), ("storage.pin-change.committing.after-commit", true),
    ]
    for (first, isNew) in starts {
      for point in KillPoints.sample(settling) {
        try withDevice { host in
          _ = try register(host)
          try killWhileChanging(host, at: first)
          try kill(host, at: point, .awaitKill)
          try assertOnlyOnePinUnlocks(host, isNew: isNew, after: "\(first), \(point)")
          try assertSettles(host, after: "\(first), \(point)")
          try assertAWipeLeavesNothing(host, after: "\(first), \(point)")
        }
      }
    }
  }
}
