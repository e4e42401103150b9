import CWalletCore
import Foundation
import XCTest

/// Kill -9 at every write: the next start is in a state that the header names, and the story ends as
/// the user wants it.
final class KillTests: XCTestCase {
  private let pin = "142032"
  private let otherPin = "271828"
  private var provider: TestProvider!
  private var document = Data()

  override func setUpWithError() throws {
    provider = try TestProvider()
    document = try provider.clientConfiguration()
  }

  override func tearDown() { provider = nil }

  /// Calls `body` with a wallet on a new device.
  private func withDevice(_ body: (KillHost) throws -> Void) throws {
    let host = try KillHost(configuration: document)
    defer { host.remove() }
    try body(host)
  }

  private func counts() throws -> [Int] {
    let counts = try provider.control("/counts")
    return [counts["confirmed"] as? Int ?? -1, counts["pending"] as? Int ?? -1]
  }

  /// Not registered, or registered; locked in any case.
  private func assertNamedState(
    _ report: KillHost.Report, _ point: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(report.start, 0, "start after \(point)", file: file, line: line)
    XCTAssertEqual(report.look, 0, "has_registration after \(point)", file: file, line: line)
    XCTAssertTrue(report.isLocked, "locked after \(point)", file: file, line: line)
  }

  private func kill(_ host: KillHost, at point: String, _ step: KillHost.Step) throws {
    XCTAssertTrue(try host.run(step, killAt: point).isKilled, point)
  }

  private static let alreadyRegistered = Completion(
    status: Int32(WALLET_CORE_ERROR_ALREADY_REGISTERED))

  /// Another PIN is typed, and one account with one PIN results; a wipe leaves nothing.
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

  func testW22AKillAnywhereInARegistrationEndsInOneAccountAlsoWithAnotherPin() throws {
    var points: [String] = []
    try withDevice { host in
      points = try host.run(.register(pin)).passed.filter { !$0.contains("replace-file") }
      XCTAssertEqual(try host.run(.wipe).completions, [.done])
    }
    XCTAssertEqual(
      Set(points),
      Set(
        KillPoints.all.filter {
          !$0.hasPrefix("wipe") && !$0.contains("replace-file") && !$0.contains("forget")
            && !$0.contains("lapsed") && !$0.contains("move-forward")
        }))
    for point in points {
      try withDevice { host in
        try kill(host, at: point, .register(pin))
        try assertOneAccountResults(host, after: point)
      }
    }
  }

  /// A wallet whose certificate is stored and not confirmed.
  private func leaveUnconfirmed(_ host: KillHost) throws {
    try kill(host, at: "storage.register.complete.after-commit", .register(pin))
    XCTAssertEqual(try counts(), [0, 1])
  }

  private static let confirmation = KillPoints.all.filter {
    $0.hasPrefix("storage.instruction.sequence") || $0.hasPrefix("instruction.")
      || $0.hasPrefix("storage.confirm")
  }

  func testW22AKillAnywhereInALaterConfirmationEndsInOneAccount() throws {
    XCTAssertEqual(Self.confirmation.count, 6)
    for point in Self.confirmation {
      for step in [KillHost.Step.awaitKill, .unlock(pin)] {
        try withDevice { host in
          try leaveUnconfirmed(host)
          try kill(host, at: point, step)
          try assertOneAccountResults(host, after: point)
        }
      }
    }
  }

  func testW22AKillWhileALapsedRegistrationIsTakenBackLeavesNeitherWalletNorKeys() throws {
    for point in KillPoints.all where point.contains("register.lapsed") {
      try withDevice { host in
        try leaveUnconfirmed(host)
        try provider.advanceClock(milliseconds: 7 * 86_400_000)
        try kill(host, at: point, .awaitKill)
        // Whoever asks first learns it, at every start anew until it is on disk.
        let report = try host.run(.unlock(pin))
        assertNamedState(report, point)
        XCTAssertEqual(
          report.completions, [Completion(status: Int32(WALLET_CORE_ERROR_NOT_REGISTERED))], point)
        try assertOneAccountResults(host, after: point)
      }
    }
  }

  func testAKillWhileARestoredImageGivesItsHardwareKeyUpEndsInAWallet() throws {
    for point in KillPoints.all where point.contains("register.forget") {
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
        XCTAssertEqual(try host.run(.wipe).completions, [.done])
        XCTAssertEqual(try host.platformKeys(), [], point)
      }
    }
  }

  func testAKillAnywhereInAnUnlockCostsAtMostTheAttemptThatWasMade() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      let points = try host.run(.unlock(pin)).passed.filter { !$0.contains("replace-file") }
      XCTAssertEqual(Set(points), Set(Self.confirmation.filter { !$0.contains("confirm") }))
      for point in points {
        try kill(host, at: point, .unlock(pin))
        let rightOnes = try host.run(.unlock(pin))
        assertNamedState(rightOnes, point)
        XCTAssertTrue(rightOnes.isRegistered, point)
        XCTAssertEqual(rightOnes.completions, [.valid], point)
        try kill(host, at: point, .unlock(otherPin))
        let left: Int32 = point == "instruction.after-answer" ? 2 : 3
        XCTAssertEqual(
          try host.run(.unlock(otherPin), .unlock(pin)).completions, [.wrong(left), .valid], point)
        XCTAssertEqual(try counts(), [1, 0])
      }
    }
  }

  func testAKillWhileTheSequenceNumberMovesForwardIsMadeUpFor() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      let image = try host.image()
      for point in KillPoints.all where point.contains("move-forward") {
        XCTAssertEqual(try host.run(.unlock(pin), .unlock(pin)).completions, [.valid, .valid])
        try host.restore(image)
        try kill(host, at: point, .unlock(pin))
        let report = try host.run(.unlock(pin))
        assertNamedState(report, point)
        XCTAssertEqual(report.completions, [.valid], point)
      }
    }
  }

  func testW13W14AKillAnywhereInAWipeLeavesTheWalletWholeOrGoneAndTheNextOneCompletesIt() throws {
    var points: [String] = []
    try withDevice { host in
      // The second start writes the update policy before the wipe begins; so the first replaced file
      // of a process may be that or the note, and both are shown.
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      points = try host.run(.wipe).passed
    }
    XCTAssertTrue(
      Set(points).isSuperset(of: [
        "storage.instruction.sequence.before-commit", "instruction.after-answer",
        "storage.replace-file.before-commit", "storage.replace-file.after-commit", "wipe.noted",
        "wipe.done",
      ]), "\(points)")
    for point in points {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        try kill(host, at: point, .wipe)
        let state = try host.run()
        assertNamedState(state, point)
        if state.isRegistered {
          XCTAssertEqual(try host.run(.unlock(pin)).completions, [.valid], "whole after \(point)")
        } else {
          let left = try FileManager.default.contentsOfDirectory(atPath: host.storage.path)
          XCTAssertFalse(left.contains { $0.hasPrefix("wallet.db") }, "\(point): \(left)")
        }
        XCTAssertEqual(try host.run(.wipe).completions, [.done], point)
        XCTAssertEqual(try host.platformKeys(), [], point)
        XCTAssertFalse(try host.run().isRegistered, point)
        XCTAssertEqual(
          try host.run(.register(otherPin), .unlock(otherPin), .wipe).completions,
          [.done, .valid, .done], point)
        XCTAssertEqual(try host.platformKeys(), [], point)
      }
    }
  }

  func testW14AnInterruptedWipeGoesOnByItselfAtTheNextStart() throws {
    for point in ["wipe.noted", "storage.replace-file.after-commit"] {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        // Offline and without a policy, so that the first file that is replaced is the note.
        let port = provider.port
        provider.kill()
        try? FileManager.default.removeItem(
          at: host.storage.appendingPathComponent("update-policy.json"))
        try kill(host, at: point, .wipe)
        try provider.start(port: port)
        XCTAssertFalse(try host.run().isRegistered, point)
        XCTAssertEqual(
          try host.run(.register(otherPin), .unlock(otherPin)).completions, [.done, .valid], point)
        XCTAssertEqual(try host.platformKeys().count, 2, point)
      }
    }
  }
}
