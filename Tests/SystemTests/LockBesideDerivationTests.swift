import CWalletCore
import CWalletCoreTesting
import XCTest

/// A lock beside the derivation of a PIN key, which allocates and frees 64 MiB. How long a lock may
/// take is not asserted, because the machine decides it: `WalletPlatformTests.MonitorSecretTests`
/// shows that no lock waits for a mutex under which a secret is released.
final class LockBesideDerivationTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    try register()
  }

  /// Takes the events that are there; returns the status of the request if its completion is one.
  private func statusIfCompleted(_ request: UInt64) -> wallet_core_status? {
    var event: OpaquePointer?
    while wallet_core_next_event(host.client, 0, &event, nil) == 0 {
      defer { wallet_core_event_free(event) }
      if wallet_core_event_request(event) == request { return wallet_core_event_status(event) }
    }
    return nil
  }

  func testEveryLockBesideAnUnlockLeavesTheWalletLocked() throws {
    let clock = ContinuousClock()
    var times: [Duration] = []
    for _ in 0..<8 {
      let unlock = try host.begin(wallet_core_unlock, "142032")
      var status: wallet_core_status?
      while status == nil {
        times.append(clock.measure { XCTAssertEqual(wallet_core_lock(nil), 0) })
        XCTAssertTrue(host.isLocked)
        status = statusIfCompleted(unlock)
      }
      XCTAssertEqual(status, Int32(WALLET_CORE_ERROR_CANCELLED))
      XCTAssertTrue(host.isLocked)
    }
    times.sort()
    print(
      "lock beside a derivation: \(times.count) locks, median \(times[times.count / 2]),"
        + " worst \(times.last ?? .zero)")
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }
}
