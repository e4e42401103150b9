import CWalletCore
import Foundation
import TestSupport
import XCTest

/// Kill -9 while biometric unlock is enabled or disabled: afterwards it is either enabled or not,
/// the PIN unlocks in any case, and no platform key survives a wipe.
final class KillBiometricsTests: XCTestCase {
  private let pin = "142032"
  private var provider: TestProvider!
  private var host: KillHost!

  override func setUpWithError() throws {
    provider = try TestProvider()
    host = try KillHost(configuration: provider.clientConfiguration())
  }

  override func tearDown() {
    host.remove()
    provider = nil
  }

  private static let notEnabled = Completion(
    status: WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED)

  /// Kills a new wallet at each point, after `preparation`, and checks what is left.
  private func killAtEach(
    of points: [String], preparing preparation: [KillHost.Step], _ steps: KillHost.Step...,
    isEnabled: (String) -> Bool
  ) throws {
    for point in points {
      XCTAssertEqual(
        try host.run(preparation).completions.filter { $0.status != 0 }, [], point)
      XCTAssertTrue(try host.run(steps, killAt: point).isKilled, point)
      let left = try host.run(.unlockWithBiometrics, .unlock(pin))
      XCTAssertEqual(left.start, 0, point)
      XCTAssertTrue(left.isLocked, point)
      XCTAssertTrue(left.isRegistered, point)
      XCTAssertEqual(left.isBiometric, isEnabled(point), point)
      XCTAssertEqual(
        left.completions, [left.isBiometric ? .done : Self.notEnabled, .valid], point)
      // Biometrics can be disabled and enabled again, and that cleans up what was left.
      let onward = try host.run(
        .disableBiometrics, .unlock(pin), .enableBiometrics(pin), .unlockWithBiometrics)
      XCTAssertEqual(onward.completions, [.done, .valid, .valid, .done], point)
      XCTAssertEqual(try host.platformKeys().count, 3, point)
      XCTAssertEqual(try host.run(.wipe).completions, [.done], point)
      XCTAssertEqual(try host.platformKeys(), [], point)
    }
  }

  private func points(
    after preparation: [KillHost.Step], _ steps: KillHost.Step...
  ) throws -> [String] {
    _ = try host.run(preparation)
    // A point that is passed again ("#2") belongs to a message that is sent in the background, such as
    // a confirmation that the preparation still owes, so that not every run has it.
    let points = try host.run(steps).passed.filter {
      !$0.contains("replace-file") && !$0.contains("#")
    }
    XCTAssertEqual(try host.run(.wipe).completions, [.done])
    return points
  }

  private static let first = [
    "storage.biometrics.enable.before-commit", "storage.biometrics.enable.after-commit",
    "biometrics.noted", "biometrics.sealed",
  ]

  func testUC7_1_3KillAnywhereInAnEnablingEndsEnabledOrNot() throws {
    let preparation = [KillHost.Step.register(pin)]
    let points = try points(after: preparation, .unlock(pin), .enableBiometrics(pin))
      .filter { $0.contains("biometrics") }
    XCTAssertEqual(Set(points), Set(Self.first))
    try killAtEach(
      of: points, preparing: preparation, .unlock(pin), .enableBiometrics(pin),
      isEnabled: { $0 == "storage.biometrics.enable.after-commit" })
  }

  func testUC7_1_3KillAnywhereInAnEnablingAnewKeepsOneOfTheTwo() throws {
    let preparation = [KillHost.Step.register(pin), .enableBiometrics(pin)]
    let points = try points(
      after: preparation, .unlockWithBiometrics, .enableBiometrics(pin))
    XCTAssertTrue(
      Set(points).isSuperset(
        of: Self.first + ["instruction.before-request", "biometrics.key-deleted"]), "\(points)")
    try killAtEach(
      of: points, preparing: preparation, .unlockWithBiometrics, .enableBiometrics(pin),
      isEnabled: { _ in true })
  }

  func testUC7_1_1_1mAKillAnywhereInADisablingEndsEnabledOrNot() throws {
    let preparation = [KillHost.Step.register(pin), .enableBiometrics(pin)]
    let points = try points(after: preparation, .disableBiometrics)
    XCTAssertEqual(
      Set(points),
      [
        "storage.biometrics.disable.before-commit", "storage.biometrics.disable.after-commit",
        "biometrics.key-deleted",
      ])
    try killAtEach(
      of: points, preparing: preparation, .disableBiometrics,
      isEnabled: { $0 == "storage.biometrics.disable.before-commit" })
  }

  func testAKillAnywhereInAWipeLeavesNoBiometricKey() throws {
    let preparation = [KillHost.Step.register(pin), .enableBiometrics(pin)]
    for point in ["wipe.noted", "wipe.done"] {
      XCTAssertEqual(try host.run(preparation).completions, [.done, .valid])
      XCTAssertEqual(try host.platformKeys().count, 3)
      XCTAssertTrue(try host.run([.wipe], killAt: point).isKilled, point)
      XCTAssertFalse(try host.run().isBiometric && point == "wipe.done", point)
      XCTAssertEqual(try host.run(.wipe).completions, [.done], point)
      XCTAssertEqual(try host.platformKeys(), [], point)
    }
  }
}
