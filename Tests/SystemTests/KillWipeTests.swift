import CWalletCore
import Foundation
import TestSupport
import XCTest

/// Kill -9 before and during a wipe: the wallet is complete or gone, and the next wipe leaves
/// nothing.
final class KillWipeTests: KillTestCase {
  func testAWipeAfterAKillAnywhereInARegistrationLeavesNeitherKeysNorAnAccount() throws {
    for point in KillPoints.sample(KillPoints.registration + KillPoints.refresh) {
      try withDevice { host in
        try kill(host, at: point, .register(pin), .awaitKill)
        try assertAWipeLeavesNothing(host, after: point)
        XCTAssertEqual(try counts()[0], 0, "confirmed after \(point)")
      }
    }
    XCTAssertGreaterThan(try counts()[1], 0, "accounts whose certificate the wallet did not have")
    try provider.advanceClock(milliseconds: 7 * 86_400_000)
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      XCTAssertEqual(try counts(), [1, 0], "pending accounts expire")
    }
  }

  func testAWipeAfterAKillInALaterConfirmationLeavesNeitherKeysNorAnAccount() throws {
    for point in KillPoints.sample(KillPoints.confirmation) {
      try withDevice { host in
        try leaveUnconfirmed(host)
        try kill(host, at: point, .awaitKill)
        try assertAWipeLeavesNothing(host, after: point)
        XCTAssertEqual(try counts(), [0, 0], point)
      }
    }
  }

  func testAKillAnywhereInAWipeLeavesTheWalletWholeOrGoneAndTheNextOneCompletesIt() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      let points = try host.run(.wipe).passed.filter { !KillPoints.isOfRefresh($0) }
      XCTAssertEqual(Set(points), Set(KillPoints.wipe))
    }
    for point in KillPoints.sample(KillPoints.wipe) {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        try kill(host, at: point, .wipe)
        let state = try host.run()
        assertNamedState(state, point)
        // Only wipe.json decides.
        XCTAssertEqual(state.isRegistered, point.hasSuffix("wipe.json.before-commit"), point)
        if state.isRegistered {
          XCTAssertEqual(try host.run(.unlock(pin)).completions, [.valid], "kept after \(point)")
        } else {
          // The keys may not be deleted yet, but the database must be.
          let left = try host.walletFiles()
          XCTAssertFalse(left.contains { $0.hasPrefix("wallet.db") }, "\(point): \(left)")
        }
        try assertAWipeLeavesNothing(host, after: point)
        XCTAssertEqual(
          try host.run(.register(otherPin), .unlock(otherPin), .wipe).completions,
          [.done, .valid, .done], point)
        XCTAssertEqual(try host.platformKeys(), [], point)
      }
    }
  }

  private static let completion =
    ["storage.delete-file.wallet.db", "storage.delete-file.wallet.db-wal"] + KillPoints.wipeOfKeys

  func testAnInterruptedWipeGoesOnByItselfAtTheNextStartAlsoIfThatIsKilled() throws {
    for point in KillPoints.sample(Self.completion) {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        try kill(host, at: "wipe.noted", .wipe)
        try kill(host, at: point, .awaitKill)
        let report = try host.run(.register(otherPin), .unlock(otherPin))
        assertNamedState(report, point)
        XCTAssertFalse(report.isRegistered, point)
        XCTAssertEqual(report.completions, [.done, .valid], point)
        XCTAssertEqual(try host.platformKeys().count, 2, point)
        try assertAWipeLeavesNothing(host, after: point)
      }
    }
  }

  func testAWipeRightAfterAKillInTheCompletionOfOneLeavesNothing() throws {
    for point in KillPoints.sample(Self.completion) {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        try kill(host, at: "wipe.noted", .wipe)
        try kill(host, at: point, .awaitKill)
        try assertAWipeLeavesNothing(host, after: point)
      }
    }
  }

  func testAKillWhileUndeletedKeysAreNotedLosesNeitherThemNorTheNextWallet() throws {
    for point in KillPoints.replacement(of: "platform-keys") + ["storage.delete-file.wipe.json"] {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        try kill(host, at: point, .refuseDeletion, .wipe)
        let report = try host.run(.refuseDeletion, .register(otherPin))
        assertNamedState(report, point)
        XCTAssertFalse(report.isRegistered, point)
        XCTAssertEqual(report.completions, [.done], point)
        XCTAssertEqual(try host.run(.unlock(otherPin)).completions, [.valid], point)
        try assertAWipeLeavesNothing(host, after: point)
      }
    }
  }

  func testAKillWhileAStartTriesUndeletedKeysAgainLosesNeitherThemNorTheWallet() throws {
    let keys = ["wipe.key-deleted.account", "wipe.key-deleted.signing"]
    for point in keys + KillPoints.replacement(of: "platform-keys") {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        let wipe = try host.run(.refuseDeletion, .wipe, .register(otherPin))
        XCTAssertEqual(
          wipe.completions.map(\.status), [WALLET_CORE_ERROR_BRIDGE_FAILED, 0], point)
        XCTAssertEqual(try host.platformKeys().count, 4, point)
        try kill(host, at: point, .awaitKill)
        let report = try host.run(.unlock(otherPin))
        assertNamedState(report, point)
        XCTAssertTrue(report.isRegistered, point)
        XCTAssertEqual(report.completions, [.valid], point)
        try assertAWipeLeavesNothing(host, after: point)
      }
    }
  }
}
