import CWalletCore
import Foundation
import XCTest

/// Kill -9 at every write: the next start is in a state that the header documents, and the user's
/// action can be completed.
final class KillTests: KillTestCase {
  private static let alreadyRegistered = Completion(
    status: WALLET_CORE_ERROR_ALREADY_REGISTERED)

  /// Checks that another PIN leads to one account with one PIN, and that a wipe leaves nothing.
  private func assertOneAccountResults(
    _ host: KillHost, after point: String, line: UInt = #line
  ) throws {
    let report = try host.run(.register(otherPin), .unlock(pin), .unlock(otherPin))
    assertNamedState(report, point, line: line)
    let expected: [Completion] =
      report.isRegistered
      ? [Self.alreadyRegistered, .valid, .wrong(3)] : [.done, .wrong(3), .valid]
    XCTAssertEqual(report.completions, expected, point, line: line)
    XCTAssertEqual(try counts(), [1, 0], "one account after \(point)", line: line)
    XCTAssertEqual(try host.platformKeys().count, 2, "keys after \(point)", line: line)
    XCTAssertEqual(try host.run(.wipe).completions, [.done], point, line: line)
    XCTAssertEqual(try host.platformKeys(), [], "keys after \(point) and a wipe", line: line)
    XCTAssertEqual(try counts(), [0, 0], point, line: line)
  }

  func testAKillAnywhereInARegistrationEndsInOneAccountAlsoWithAnotherPin() throws {
    try withDevice { host in
      let last = try XCTUnwrap(KillPoints.refresh.last)
      let points = try host.run(.register(pin), .awaitPass(last)).passed
      // Before its PIN the wallet fetches again unless the refresh of the start has ended.
      let first = points.filter { point in
        !KillPoints.refresh.contains { point.hasPrefix($0 + "#") }
      }
      XCTAssertEqual(Set(first), Set(KillPoints.registration + KillPoints.refresh))
      XCTAssertEqual(try host.run(.wipe).completions, [.done])
    }
    for point in KillPoints.sample(KillPoints.registration + KillPoints.refresh) {
      try withDevice { host in
        // The refresh writes at any time.
        try kill(host, at: point, .register(pin), .awaitKill)
        try assertOneAccountResults(host, after: point)
      }
    }
  }

  func testAKillWhileADraftOfTheDatabaseIsClearedAwayEndsInOneAccount() throws {
    let point = "storage.delete-file.wallet.db.new"
    try withDevice { host in
      try kill(host, at: "storage.create.before-commit", .register(pin))
      try kill(host, at: point, .register(pin))
      try assertOneAccountResults(host, after: point)
    }
  }

  func testAKillAnywhereInALaterConfirmationEndsInOneAccount() throws {
    for point in KillPoints.sample(KillPoints.confirmation) {
      for step in [KillHost.Step.awaitKill, .unlock(pin)] {
        try withDevice { host in
          try leaveUnconfirmed(host)
          try kill(host, at: point, step)
          try assertOneAccountResults(host, after: point)
        }
      }
    }
  }

  func testAKillWhileALapsedRegistrationIsRemovedLeavesNeitherWalletNorKeys() throws {
    for point in KillPoints.commits(["storage.register.lapsed"]) {
      try withDevice { host in
        try leaveUnconfirmed(host)
        try provider.advanceClock(milliseconds: 7 * 86_400_000)
        try kill(host, at: point, .awaitKill)
        // The first request after a start learns of the lapse, until that is on disk.
        let report = try host.run(.unlock(pin))
        assertNamedState(report, point)
        XCTAssertEqual(
          report.completions, [Completion(status: WALLET_CORE_ERROR_NOT_REGISTERED)], point)
        try assertOneAccountResults(host, after: point)
      }
    }
  }

  func testAKillWhileARestoredImageGivesUpItsHardwareKeyEndsInAWallet() throws {
    for point in KillPoints.commits(["storage.register.forget"]) {
      try withDevice { host in
        try kill(host, at: "register.before-request", .register(pin))
        let image = try host.image()
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        try host.restore(image)
        try kill(host, at: point, .register(otherPin))
        let report = try host.run(.register(otherPin), .unlock(otherPin))
        assertNamedState(report, point)
        XCTAssertEqual(report.completions, [.done, .valid], point)
        XCTAssertEqual(try host.platformKeys().count, 2, point)
        try assertAWipeLeavesNothing(host, after: point)
      }
    }
  }

  func testAKillAnywhereInAnUnlockCostsAtMostTheAttemptThatWasMade() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      let points = try host.run(.unlock(pin)).passed.filter { !KillPoints.isOfRefresh($0) }
      XCTAssertEqual(
        Set(points), Set(KillPoints.confirmation.filter { !$0.contains("storage.confirm") }))
      for point in KillPoints.sample(points) {
        try kill(host, at: point, .unlock(pin))
        let rightOnes = try host.run(.unlock(pin))
        assertNamedState(rightOnes, point)
        XCTAssertTrue(rightOnes.isRegistered, point)
        XCTAssertEqual(rightOnes.completions, [.valid], point)
        try kill(host, at: point, .unlock(otherPin))
        // It was counted with its challenge.
        let left: Int32 = point.hasPrefix("instruction.") ? 2 : 3
        XCTAssertEqual(
          try host.run(.unlock(otherPin), .unlock(pin)).completions, [.wrong(left), .valid], point)
        XCTAssertEqual(try counts(), [1, 0])
      }
      try assertAWipeLeavesNothing(host, after: "unlocks")
    }
  }

  func testAKillWhileTheSequenceNumberMovesForwardIsRepaired() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      let image = try host.image()
      for point in KillPoints.commits(["storage.instruction.continue-sequence"]) {
        XCTAssertEqual(try host.run(.unlock(pin), .unlock(pin)).completions, [.valid, .valid])
        try host.restore(image)
        try kill(host, at: point, .unlock(pin))
        let report = try host.run(.unlock(pin))
        assertNamedState(report, point)
        XCTAssertEqual(report.completions, [.valid], point)
      }
      try assertAWipeLeavesNothing(host, after: "moving forward")
    }
  }
}
