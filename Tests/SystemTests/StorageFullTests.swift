import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// Without space the status is STORAGE_FULL and nothing changes; with space everything goes on.
final class StorageFullTests: XCTestCase {
  private let pin = "142032"
  private let full = WALLET_CORE_ERROR_STORAGE_FULL

  override func setUp() {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
  }

  override func tearDown() { _ = wallet_core_testing_reset_process() }

  /// For every limit of the file size a registration is either refused or completed, and another
  /// one with enough space completes it with one account.
  func testAFileSizeLimitAnywhereInARegistrationIsFullAndLosesNothing() throws {
    let provider = try TestProvider()
    var fulls = 0
    let limits = Sample.of([0, 1, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 128]) {
      $0 == 0 ? "none" : $0 < 16 ? "less than a page or few" : $0 < 40 ? "some" : "enough"
    }
    for (number, kilobytes) in limits.enumerated() {
      let device = try KillHost(configuration: provider.clientConfiguration())
      defer { device.remove() }
      let limited = try device.run(.register(pin), fileSizeLimit: kilobytes * 1024)
      XCTAssertEqual([limited.start, limited.look], [0, 0], "\(kilobytes) KiB")
      let status = try XCTUnwrap(limited.completions.first).status
      XCTAssertTrue([0, full].contains(status), "\(kilobytes) KiB: \(limited.completions)")
      if status == full { fulls += 1 }
      let report = try device.run(.register("271828"), .unlock(pin), .unlock("271828"))
      XCTAssertEqual(report.look, 0)
      let expected: [Completion] =
        report.isRegistered
        ? [Completion(status: WALLET_CORE_ERROR_ALREADY_REGISTERED), .valid, .wrong(3)]
        : [.done, .wrong(3), .valid]
      XCTAssertEqual(report.completions, expected, "\(kilobytes) KiB")
      let counts = try provider.control("/counts")
      // A wipe without space for a sequence number cannot notify the provider.
      XCTAssertEqual(counts["confirmed"] as? Int, number + 1, "\(kilobytes) KiB")
      XCTAssertEqual(counts["pending"] as? Int, 0, "\(kilobytes) KiB")
      XCTAssertEqual(try device.platformKeys().count, 2, "\(kilobytes) KiB")
      XCTAssertEqual(try device.run(.wipe, fileSizeLimit: 0).completions, [.done])
      XCTAssertEqual(try device.platformKeys(), [], "a wipe needs no space")
    }
    XCTAssertGreaterThanOrEqual(fulls, Sample.rounds(2, of: 5))
  }

  func testAFileSizeLimitInAnUnlockIsFullAndCostsNoAttempt() throws {
    let provider = try TestProvider()
    let device = try KillHost(configuration: provider.clientConfiguration())
    defer { device.remove() }
    XCTAssertEqual(try device.run(.register(pin)).completions, [.done])
    for kilobytes in [0, 1, 4] {
      let limited = try device.run(.unlock("271828"), fileSizeLimit: kilobytes * 1024)
      XCTAssertEqual([limited.start, limited.look], [0, 0], "\(kilobytes) KiB")
      XCTAssertTrue(limited.isRegistered)
      XCTAssertEqual(limited.completions.map(\.status), [full], "\(kilobytes) KiB")
      XCTAssertEqual(
        try device.run(.unlock("271828"), .unlock(pin)).completions, [.wrong(3), .valid])
    }
  }

  /// The completion says which PIN is right, even if there is no space for the answer.
  func testAFileSizeLimitAnywhereInAChangeOfThePinLeavesThePinThatTheCompletionSays() throws {
    let provider = try TestProvider()
    let newPin = "271828"
    var outcomes: [wallet_core_status: Int] = [:]
    for kilobytes in [14, 16, 18, 20, 22, 24, 32, 64] {
      let device = try KillHost(configuration: provider.clientConfiguration())
      defer { device.remove() }
      XCTAssertEqual(try device.run(.register(pin)).completions, [.done])
      let limited = try device.run(
        .unlock(pin), .changePin(pin, to: newPin), fileSizeLimit: kilobytes * 1024)
      let change = try XCTUnwrap(limited.completions.last)
      XCTAssertTrue(
        [0, full, WALLET_CORE_ERROR_LOCKED].contains(change.status),
        "\(kilobytes) KiB: \(change)")
      outcomes[change.status, default: 0] += 1
      let (right, wrong) = change == .valid ? (newPin, pin) : (pin, newPin)
      XCTAssertEqual(
        try device.run(.unlock("000001"), .unlock(wrong), .unlock(right)).completions,
        [.wrong(3), .wrong(2), .valid], "\(kilobytes) KiB: \(change)")
      XCTAssertEqual(try device.run(.wipe).completions, [.done])
    }
    XCTAssertGreaterThanOrEqual(outcomes[full] ?? 0, 1, "\(outcomes)")
    XCTAssertGreaterThanOrEqual(outcomes[0] ?? 0, 1, "\(outcomes)")
  }

  /// If the file system is full when the preparation is answered, the former PIN stays.
  func testAFileSystemThatFillsUpDuringAChangeOfThePinLeavesTheFormerPin() throws {
    let provider = try TestProvider()
    let middle = try ManInTheMiddle(before: provider)
    defer { middle.stop() }
    let host = try TestHost(configuration: provider.clientConfiguration(url: middle.url))
    let path = host.storage.path
    guard mount("tmpfs", path, "tmpfs", 0, "size=256k") == 0 else {
      XCTAssertEqual(errno, EPERM)
      return
    }
    defer {
      _ = wallet_core_testing_reset_process()
      umount2(path, Int32(MNT_DETACH))
    }
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
    let filler = host.storage.appendingPathComponent("filler")
    let held = HeldAnswer(Route.instruction(.preparePinChange))
    middle.answer(with: held.rewrite)
    let request = host.beginChange(pin, to: "271828").request
    try held.waitUntilHeld()
    try fill(filler)
    held.letGo()
    XCTAssertEqual(try host.complete(request).status, full)
    XCTAssertFalse(host.isLocked)
    try FileManager.default.removeItem(at: filler)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlock("271828"), .wrong(3))
    XCTAssertEqual(try host.unlock(pin), .valid)
    XCTAssertEqual(try host.changePin(pin, to: "271828"), .valid)
    XCTAssertEqual(try host.checkPin("271828"), .valid)
  }

  /// A file system of 128 KiB fills up. Without the right to mount, the limits above test the same.
  func testASmallFileSystemThatIsFullIsReportedLosesNothingAndCanBeWiped() throws {
    let provider = try TestProvider()
    let host = try TestHost(configuration: provider.clientConfiguration())
    let path = host.storage.path
    guard mount("tmpfs", path, "tmpfs", 0, "size=128k") == 0 else {
      XCTAssertEqual(errno, EPERM)
      return
    }
    defer {
      _ = wallet_core_testing_reset_process()
      umount2(path, Int32(MNT_DETACH))
    }
    let filler = host.storage.appendingPathComponent("filler")
    try fill(filler)
    try host.start()
    XCTAssertFalse(host.isRegistered)
    XCTAssertEqual(try host.register(pin).status, full)
    XCTAssertFalse(host.isRegistered)
    XCTAssertEqual(try provider.control("/counts")["pending"] as? Int, 0)
    try FileManager.default.removeItem(at: filler)
    XCTAssertEqual(try host.register(pin), .done)

    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try fill(filler)
    try host.start()
    XCTAssertTrue(host.isRegistered)
    XCTAssertEqual(try host.unlock("271828").status, full)
    XCTAssertTrue(host.isLocked)
    try FileManager.default.removeItem(at: filler)
    XCTAssertEqual(try host.unlock("271828"), .wrong(3), "no attempt was spent")
    XCTAssertEqual(try host.unlock(pin), .valid)

    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try fill(filler)
    try host.start()
    XCTAssertEqual(try host.wipe(), .done, "a wipe needs no space")
    XCTAssertEqual(host.keys.keyCount, 0)
    try FileManager.default.removeItem(at: filler)
    XCTAssertEqual(try host.register("271828"), .done)
  }

  /// Fills the remaining space.
  private func fill(_ file: URL) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw TestFailure("no filler") }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 0x46, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    XCTAssertEqual(errno, ENOSPC)
  }
}
