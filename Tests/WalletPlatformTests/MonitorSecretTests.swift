import TestSupport
import WalletCrypto
import WalletPlatform
import XCTest

/// A secret whose last reference goes under a monitor is wiped and released after it, because both
/// can take long: no other thread waits for the monitor meanwhile. So a lock of the wallet never
/// waits for the release of another secret.
final class MonitorSecretTests: XCTestCase {
  private struct State: Sendable {
    var secret: Secret?
    var action: (@Sendable () -> Void)?
    var isDone = false
  }

  private struct Refused: Error {}

  private func address(_ secret: Secret) -> UInt {
    secret.withBytes { UInt(bitPattern: $0.baseAddress) }
  }

  /// A monitor with a secret, and its address.
  private func monitor() throws -> (monitor: Monitor<State>, address: UInt) {
    let secret = try Secret.random(count: 32)
    return (Monitor(State(secret: secret)), address(secret))
  }

  /// Whether the memory at `address` is still that of a secret: read-only. It can be written again
  /// or is gone once the secret was wiped.
  private func isHeld(_ address: UInt) throws -> Bool {
    try MemoryMap.protection(of: address) == "r--p"
  }

  func testASecretThatIsDroppedUnderAMonitorIsReleasedAfterIt() throws {
    let (monitor, address) = try monitor()
    try monitor.withLock { state in
      state.secret = nil
      XCTAssertTrue(try isHeld(address))
    }
    XCTAssertFalse(try isHeld(address))
  }

  func testAReplacedSecretIsReleasedAfterTheMonitor() throws {
    let (monitor, address) = try monitor()
    let next = try Secret.random(count: 32)
    XCTAssertTrue(
      try monitor.update { state in
        state.secret = next
        return Result { try isHeld(address) }
      }.get())
    XCTAssertFalse(try isHeld(address))
    XCTAssertTrue(try isHeld(self.address(next)))
  }

  func testASecretInAClosureIsReleasedAfterTheMonitor() throws {
    let (monitor, address) = try monitor()
    monitor.withLock { state in
      let secret = state.secret
      state.action = { _ = secret?.count }
      state.secret = nil
    }
    try monitor.withLock { state in
      state.action = nil
      XCTAssertTrue(try isHeld(address))
    }
    XCTAssertFalse(try isHeld(address))
  }

  func testASecretIsReleasedAfterTheOutermostOfTwoMonitors() throws {
    let (inner, address) = try monitor()
    let outer = Monitor(0)
    try outer.withLock { _ in
      inner.withLock { $0.secret = nil }
      XCTAssertTrue(try isHeld(address))
    }
    XCTAssertFalse(try isHeld(address))
  }

  func testAllSecretsOfAMonitorAreReleasedAlsoAfterAnError() throws {
    var secrets = try (0..<20).map { _ in try Secret.random(count: 32) }
    let addresses = secrets.map(address)
    let monitor = Monitor(secrets)
    secrets = []
    XCTAssertThrowsError(
      try monitor.withLock { secrets in
        secrets = []
        XCTAssertTrue(try addresses.allSatisfy(isHeld))
        throw Refused()
      })
    XCTAssertFalse(try addresses.contains(where: isHeld))
  }

  func testASecretThatIsDroppedByAWaitIsReleasedBeforeTheWaitEnds() throws {
    let (monitor, address) = try monitor()
    let thread = try XCTUnwrap(
      NamedThread("waiter", signals: .blocked) {
        _ = monitor.wait(clock: SystemBootClock()) { state -> Bool? in
          state.secret = nil
          return state.isDone ? true : nil
        }
      })
    XCTAssertTrue(try eventually { try !isHeld(address) })
    monitor.update { $0.isDone = true }
    thread.join()
  }

  func testASecretThatAnotherThreadDropsIsReleasedAtOnceWhileAMonitorIsHeld() throws {
    let (monitor, address) = try monitor()
    let other = Monitor(0)
    try other.withLock { _ in
      let thread = try XCTUnwrap(
        NamedThread("owner", signals: .blocked) { monitor.withLock { $0.secret = nil } })
      thread.join()
      XCTAssertFalse(try isHeld(address))
    }
  }
}
