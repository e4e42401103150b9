import CWalletCore
import CWalletCoreTesting
import Foundation
import Synchronization
import TestSupport
import WalletProtocol
import XCTest

/// When the provider asks for more work per guess, a wallet derives a new key with its next right
/// PIN.
final class PinKeyStrengthTests: XCTestCase {
  private let pin = "142032"
  private let wrongPin = "142033"
  private static let closed = "storage.pin-change.closed.after-commit"
  private var provider: TestProvider!

  override func setUpWithError() throws { provider = try TestProvider() }

  override func tearDown() { provider = nil }

  private func withDevice(_ body: (KillHost) throws -> Void) throws {
    let host = try KillHost(configuration: provider.clientConfiguration())
    defer { host.remove() }
    try body(host)
  }

  /// The work parameters of the current PIN key.
  private func work(_ host: KillHost) throws -> [Int] {
    let registration = try XCTUnwrap(try StolenDevice(of: host).registration)
    let bytes = try XCTUnwrap(registration["memoryBytes"] as? Int)
    return [bytes / 1024 / 1024, try XCTUnwrap(registration["passes"] as? Int)]
  }

  private func ask(mebibytes: Int, passes: Int, of host: KillHost) throws {
    provider.stop()
    provider.settings = ["pin-memory-mebibytes": "\(mebibytes)", "pin-passes": "\(passes)"]
    try provider.start()
    // As in an updated app, because the time of the wallet's own refresh is not known.
    try provider.clientConfiguration().write(to: host.configuration)
  }

  func testARightPinIsStrengthenedOnceAndStaysTheSamePin() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin), .unlock(pin)).completions, [.done, .valid])
      XCTAssertEqual(try work(host), [64, 3])
      let before = try XCTUnwrap(try StolenDevice(of: host).registration?["salt"] as? String)
      try ask(mebibytes: 72, passes: 3, of: host)
      let report = try host.run(.unlock(pin), .awaitPass(Self.closed))
      XCTAssertEqual(report.completions, [.valid])
      XCTAssertEqual(try work(host), [72, 3])
      let after = try XCTUnwrap(try StolenDevice(of: host).registration?["salt"] as? String)
      XCTAssertNotEqual(before, after)
      let onward = try host.run(.unlock(wrongPin), .unlock(pin), .unlock(pin))
      XCTAssertEqual(onward.completions, [.wrong(3), .valid, .valid])
      XCTAssertFalse(onward.passed.contains(Self.closed), "it is strengthened once")
      // If the provider asks for less in one parameter, that parameter is not lowered.
      try ask(mebibytes: 64, passes: 4, of: host)
      _ = try host.run(.unlock(pin), .awaitPass(Self.closed))
      XCTAssertEqual(try work(host), [72, 4])
      try ask(mebibytes: 64, passes: 3, of: host)
      let last = try host.run(.unlock(pin), .unlock(wrongPin), .unlock(pin))
      XCTAssertEqual(last.completions, [.valid, .wrong(3), .valid])
      XCTAssertEqual(try work(host), [72, 4])
    }
  }

  func testAPinThatUnlocksInTheFlowsIsStrengthenedToo() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      try ask(mebibytes: 72, passes: 3, of: host)
      let report = try host.run(.launchAndUnlock(pin), .awaitPass(Self.closed))
      XCTAssertEqual(report.rows.first, "UC2.3 1.3")
      XCTAssertEqual(try work(host), [72, 3])
      XCTAssertEqual(
        try host.run(.unlock(wrongPin), .unlock(pin)).completions, [.wrong(3), .valid])
    }
  }

  func testNewRegistrationsAndChangedPinsTakeWhatIsAskedFor() throws {
    try withDevice { host in
      XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
      try ask(mebibytes: 72, passes: 3, of: host)
      XCTAssertEqual(
        try host.run(.unlock(pin), .changePin(pin, to: "271828"), .unlock("271828")).completions,
        [.valid, .valid, .valid])
      XCTAssertEqual(try work(host), [72, 3])
      XCTAssertEqual(try host.run(.wipe, .register(pin)).completions, [.done, .done])
      XCTAssertEqual(try work(host), [72, 3])
    }
  }

  func testNeitherBiometricsNorAWrongPinNorACheckStrengthens() throws {
    try withDevice { host in
      XCTAssertEqual(
        try host.run(.register(pin), .enableBiometrics(pin)).completions, [.done, .valid])
      try ask(mebibytes: 72, passes: 3, of: host)
      let report = try host.run(.unlockWithBiometrics, .unlock(wrongPin), .unlockWithBiometrics)
      XCTAssertEqual(report.completions, [.done, .wrong(3), .done])
      XCTAssertEqual(try work(host), [64, 3])
    }
  }

  func testAKillWhileAPinIsStrengthenedKeepsThePin() throws {
    let committing = "storage.pin-change.committing.after-commit"
    let points =
      KillPoints.commits(["storage.pin-change.committing"])
      + ["storage.pin-change.preparing.after-commit", "storage.pin-change.closed.before-commit"]
    for point in KillPoints.sample(points) {
      try withDevice { host in
        XCTAssertEqual(try host.run(.register(pin)).completions, [.done])
        try ask(mebibytes: 72, passes: 3, of: host)
        XCTAssertTrue(try host.run(.unlock(pin), .awaitKill, killAt: point).isKilled, point)
        let onward = try host.run(.unlock(wrongPin), .unlock(pin))
        XCTAssertEqual(onward.completions, [.wrong(3), .valid], point)
        if try work(host) != [72, 3] { _ = try host.run(.unlock(pin), .awaitPass(committing)) }
        let last = try host.run(.unlock(wrongPin), .unlock(pin))
        XCTAssertEqual(last.completions, [.wrong(3), .valid], point)
        XCTAssertEqual(try work(host), [72, 3], point)
        // For the next device, which registers before it is strengthened.
        try ask(mebibytes: 64, passes: 3, of: host)
      }
    }
  }

  /// A wallet whose PIN key has become too weak.
  private func withWeakKey(_ body: (TestHost, ManInTheMiddle) throws -> Void) throws {
    _ = wallet_core_testing_reset_process()
    defer { _ = wallet_core_testing_reset_process() }
    let middle = try ManInTheMiddle(before: provider)
    defer { middle.stop() }
    let old = try TestHost(configuration: provider.clientConfiguration(url: middle.url))
    try old.start()
    XCTAssertEqual(try old.register(pin), .done)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    provider.stop()
    provider.settings = ["pin-memory-mebibytes": "72"]
    try provider.start()
    let host = try TestHost(
      configuration: provider.clientConfiguration(url: middle.url), storage: old.storage,
      keys: old.keys)
    try host.start()
    try body(host, middle)
  }

  /// Interrupts the attempt that puts a stronger key in force. Nobody has entered its PIN, so the next
  /// right one must not tell of a wrong one.
  private func assertNoWrongPin(
    whenInterruptedBy interrupt: (TestHost, HeldAnswer) throws -> Void, line: UInt = #line
  ) throws {
    try withWeakKey { host, middle in
      // The second challenge is that of the change, and counts its attempt.
      let held = HeldAnswer(Route.instruction(.challenge), skipping: 1)
      middle.answer(with: held.rewrite)
      XCTAssertEqual(try host.unlock(pin), .valid, line: line)
      try held.waitUntilHeld()
      try interrupt(host, held)
      let begun = Route.instruction(.beginPinChange)
      XCTAssertTrue(eventually { middle.all(begun).count == 1 }, line: line)
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK, line: line)
      let next = try host.unlock(pin)
      XCTAssertEqual(next, .valid, line: line)
      XCTAssertEqual(next.failedAttempts, 0, line: line)
    }
  }

  func testALockMakesNoWrongPinOfTheAttemptThatStrengthens() throws {
    try assertNoWrongPin { _, held in
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      held.letGo()
    }
  }

  func testARequestMakesNoWrongPinOfTheAttemptThatStrengthens() throws {
    try assertNoWrongPin { host, held in
      let asked = try host.begin(wallet_core_pin_state)
      held.letGo()
      XCTAssertEqual(try host.complete(asked), .notBlocked(4))
    }
  }

  func testARequestBeforeTheAttemptThatStrengthensWaitsForNothing() throws {
    try withWeakKey { host, middle in
      let (arrived, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let count = Mutex(0)
      host.keys.beforeSigns = {
        // The unlock signs twice. The third signature asks for the attempt of the change.
        let isThird = count.withLock { count in
          count += 1
          return count == 3
        }
        guard isThird else { return }
        arrived.signal()
        _ = released.wait(timeout: .now() + Patience.seconds)
      }
      XCTAssertEqual(try host.unlock(pin), .valid)
      XCTAssertEqual(arrived.wait(timeout: .now() + Patience.seconds), .success)
      let asked = try host.begin(wallet_core_pin_state)
      released.signal()
      XCTAssertEqual(try host.complete(asked), .notBlocked(4))
      XCTAssertEqual(middle.all(Route.instruction(.beginPinChange)).count, 0)
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      XCTAssertEqual(try host.unlock(pin).failedAttempts, 0)
    }
  }

  func testALockGivesTheKeysUpAndTheNextRightPinTriesAgain() throws {
    try withWeakKey { host, middle in
      // The background begins the change with the second challenge and prepares it with the third one;
      // the lock comes before the answer to that.
      let preparePath = Route.instruction(.preparePinChange)
      let before = wallet_core_testing_crash_point_count(Self.closed)
      let held = HeldAnswer(Route.instruction(.challenge), skipping: 2)
      middle.answer(with: held.rewrite)
      XCTAssertEqual(try host.unlock(pin), .valid)
      try held.waitUntilHeld()
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      held.letGo()
      XCTAssertTrue(
        eventually { wallet_core_testing_crash_point_count(Self.closed) == before + 1 }, "cancelled"
      )
      XCTAssertNil(middle.latest(preparePath), "nothing was prepared")
      XCTAssertTrue(host.isLocked)
      XCTAssertEqual(try host.unlock(pin), .valid)
      XCTAssertTrue(
        eventually { wallet_core_testing_crash_point_count(Self.closed) > before + 1 }, "settled")
      XCTAssertEqual(middle.all(preparePath).count, 1)
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      XCTAssertEqual(try host.unlock(wrongPin), .wrong(3))
      XCTAssertEqual(try host.unlock(pin), .valid)
    }
  }
}
