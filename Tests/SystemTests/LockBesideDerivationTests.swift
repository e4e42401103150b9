import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A lock beside the derivation of a PIN key, which allocates and frees 64 MiB. That neither the lock
/// nor a call that never waits waits for the derivation is proved by the order of things, not by
/// their time, which the machine decides. `WalletPlatformTests.MonitorSecretTests` shows that no lock
/// waits for a mutex under which a secret is released.
final class LockBesideDerivationTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    try register()
  }

  /// Takes the events that are there; returns the status of the request if its completion is one.
  private func statusIfCompleted(_ request: UInt64) -> wallet_core_status? {
    var event: OpaquePointer?
    while wallet_core_client_next_event(host.client, 0, &event, nil) == WALLET_CORE_OK {
      defer { wallet_core_event_free(event) }
      if wallet_core_event_request(event) == request { return wallet_core_event_status(event) }
    }
    return nil
  }

  func testEveryLockBesideAnUnlockLeavesTheWalletLocked() throws {
    for _ in 0..<8 {
      let unlock = try host.begin(wallet_core_unlock, "142032")
      var status: wallet_core_status?
      while status == nil {
        XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
        XCTAssertTrue(host.isLocked)
        status = statusIfCompleted(unlock)
      }
      XCTAssertEqual(status, WALLET_CORE_ERROR_CANCELLED)
      XCTAssertTrue(host.isLocked)
    }
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  /// The memory of a derivation, less what else may be freed meanwhile.
  private let derivationBytes = 60 << 20

  func testNeitherALockNorACallThatNeverWaitsWaitsForADerivation() throws {
    let end = ContinuousClock.now + .milliseconds(Patience.milliseconds)
    var proofs = 0
    while proofs < 3 {
      guard ContinuousClock.now < end else {
        return XCTFail("no derivation was seen before and after the calls: \(proofs) of 3")
      }
      if try areCallsMadeWithinADerivation() { proofs += 1 }
    }
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  /// Locks again and again while another thread makes the other calls. Returns whether the one
  /// derivation was under way before all of them and still after: then none has waited for it.
  private func areCallsMadeWithinADerivation() throws -> Bool {
    let idle = try MemoryMap.writableBytes()
    let unlock = try host.begin(wallet_core_unlock, "142032")
    var status: wallet_core_status?
    while status == nil, try MemoryMap.writableBytes() < idle + derivationBytes {
      status = statusIfCompleted(unlock)
    }
    guard status == nil else {
      // It was over before it was seen.
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      return false
    }
    let others = OtherCalls()
    repeat {
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    } while !others.areDone(within: 0)
    let goesOn = try MemoryMap.writableBytes() >= idle + derivationBytes
    XCTAssertEqual(others.statuses, [0, 0, 0, 0])
    let end = try host.complete(unlock).status
    // One that was over meanwhile may have opened the wallet before the first lock.
    if goesOn { XCTAssertEqual(end, WALLET_CORE_ERROR_CANCELLED) }
    return goesOn
  }
}

/// Calls that never wait, on a thread of their own.
private final class OtherCalls: @unchecked Sendable {
  // Sendable: `made` is written by the one thread before it signals and read after that.
  private var made: [wallet_core_status] = []
  private let done = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      var client: wallet_core_client = 0
      var isLocked: Int32 = 0
      made = [
        wallet_core_is_locked(&isLocked, nil),
        wallet_core_client_attach("other", 0, &client, nil),
        wallet_core_is_locked(&isLocked, nil),
        wallet_core_client_abandon(client),
      ]
      done.signal()
    }
  }

  func areDone(within seconds: Double) -> Bool {
    done.wait(timeout: .now() + seconds) == .success
  }

  /// Only after `areDone`.
  var statuses: [wallet_core_status] { made }
}
