import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

final class BridgeTests: WalletCoreTestCase {
  /// Makes the one call that needs the utilities bridge, on a new thread. Returns once the call
  /// waits, so that its time limit has begun, or has ended.
  private func askForRegistration() -> Shared<wallet_core_status?> {
    onWaitingThread {
      var truth: Int32 = 0
      return wallet_core_has_registration(&truth, nil)
    }
  }

  /// Repeats the call until the storage path is known: the first answers may belong to an earlier
  /// call.
  private func storagePathArrives() -> Bool {
    eventually {
      var truth: Int32 = 0
      return wallet_core_has_registration(&truth, nil) == WALLET_CORE_OK
    }
  }

  func testBridgesAndInitComeInEitherOrder() throws {
    for bridgesFirst in [true, false] {
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
      let path = storage
      let bridges = TestBridges { $0.reply($1, WALLET_CORE_BRIDGE_OK, path) }
      if bridgesFirst { XCTAssertEqual(bridges.handOver(), 0) }
      XCTAssertEqual(try initialise(withStorage: false), 0)
      if !bridgesFirst { XCTAssertEqual(bridges.handOver(), 0) }
      let asked = askForRegistration()
      XCTAssertTrue(asked.wait { $0 == 0 })
      XCTAssertEqual(bridges.state.current.threads, ["wallet_core.br"])
      XCTAssertTrue(bridges.state.wait { $0.replies.first == 0 })
    }
  }

  func testPassingBridgesRepeatedlyStartsNoThreadBeforeInit() {
    for _ in 0..<3 { XCTAssertEqual(TestBridges().handOver(), 0) }
    XCTAssertTrue(eventually { coreThreads().isEmpty })
  }

  func testBridgesReplacedBeforeInitAreReleasedAfterIt() throws {
    let (old, new) = (TestBridges(), TestBridges())
    XCTAssertEqual(old.handOver(), 0)
    XCTAssertEqual(new.handOver(), 0)
    usleep(20_000)
    XCTAssertEqual(old.state.current.destroys, 0)
    XCTAssertEqual(try initialise(), 0)
    XCTAssertTrue(old.state.wait { $0.destroys == 3 })
    usleep(20_000)
    XCTAssertEqual(old.state.current.destroys, 3)
    XCTAssertEqual(new.state.current.destroys, 0)
  }

  func testAMissingStoragePathIsReported() throws {
    XCTAssertEqual(try initialise(withStorage: false), 0)
    let bridges = TestBridges()
    var (signing, encryption, utilities) = (bridges.signing, bridges.encryption, bridges.utilities)
    utilities.storage_path = nil
    XCTAssertEqual(
      wallet_core_init_platform_support(&signing, &encryption, &utilities, nil), WALLET_CORE_OK)
    var answer: Int32 = 0
    var error: OpaquePointer?
    XCTAssertEqual(wallet_core_has_registration(&answer, &error), Status.bridgeIncomplete)
    let message = String(cString: wallet_core_error_message(error, nil))
    XCTAssertTrue(message.contains("storage path"), message)
    wallet_core_error_free(error)
  }

  func testAnIncompleteBridgeIsRefusedByName() throws {
    XCTAssertEqual(try initialise(), 0)
    let good = TestBridges()
    XCTAssertEqual(good.handOver(), 0)
    let bad = TestBridges()
    var (signing, encryption, utilities) = (bad.signing, bad.encryption, bad.utilities)
    signing.sign = nil
    var error: OpaquePointer?
    XCTAssertEqual(
      wallet_core_init_platform_support(&signing, &encryption, &utilities, &error),
      Status.bridgeIncomplete)
    let message = String(cString: wallet_core_error_message(error, nil))
    XCTAssertTrue(message.contains("signing_key_bridge.sign"), message)
    wallet_core_error_free(error)
    signing = bad.signing
    encryption.struct_size = MemoryLayout<UInt>.size * 4
    XCTAssertEqual(
      wallet_core_init_platform_support(&signing, &encryption, &utilities, &error),
      Status.bridgeIncomplete)
    XCTAssertTrue(
      String(cString: wallet_core_error_message(error, nil)).contains("encryption_key_bridge"))
    wallet_core_error_free(error)
    encryption = bad.encryption
    encryption.struct_size = 8
    XCTAssertEqual(
      wallet_core_init_platform_support(&signing, &encryption, &utilities, nil),
      Status.invalidArgument)
    encryption = bad.encryption
    XCTAssertEqual(
      wallet_core_init_platform_support(&signing, &encryption, nil, nil), Status.invalidArgument)
    utilities.platform = 9
    XCTAssertEqual(
      wallet_core_init_platform_support(&signing, &encryption, &utilities, nil),
      Status.invalidArgument)
    usleep(20_000)
    XCTAssertEqual(bad.state.current.destroys, 0, "all contexts stay the caller's")
    XCTAssertEqual(good.state.current.destroys, 0, "the previous bridges stay")
  }

  func testABridgeThatNeverRepliesEndsAfterTenSecondsAndIsCancelled() throws {
    wallet_core_testing_advance_clock(0)
    let bridges = TestBridges()
    XCTAssertEqual(bridges.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    XCTAssertTrue(bridges.waitForCall())
    let call = bridges.state.current.calls[0]
    let asked = askForRegistration()
    XCTAssertNil(asked.current)
    wallet_core_testing_advance_clock(10_001)
    XCTAssertTrue(asked.wait { $0 != nil })
    XCTAssertNotEqual(asked.current, 0)
    XCTAssertTrue(bridges.state.wait { $0.cancelled == [call] })
    bridges.reply(call, WALLET_CORE_BRIDGE_OK, storage)
    XCTAssertEqual(bridges.state.current.replies, [Status.unknownCall])
  }

  func testACancelledFirstRequestDoesNotHideTheStoragePathFromTheNextCall() throws {
    let path = storage
    let bridges = TestBridges { bridges, call in
      if bridges.state.current.calls.count > 2 {
        bridges.reply(call, WALLET_CORE_BRIDGE_OK, path)
      }
    }
    XCTAssertEqual(bridges.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    let client = attach()
    while pull(client).event != nil {}
    XCTAssertTrue(bridges.waitForCall())
    // The request interrupts the background job that reads the storage, and is cancelled itself.
    var request: UInt64 = 0
    XCTAssertEqual(
      wallet_core_unlock(client, Array("135797".utf8), 6, &request, nil), WALLET_CORE_OK)
    XCTAssertTrue(bridges.waitForCall(2))
    XCTAssertEqual(wallet_core_cancel(client, request, nil), WALLET_CORE_OK)
    XCTAssertEqual(awaitEvent(client)?.status, Status.cancelled)
    XCTAssertTrue(askForRegistration().wait { $0 == 0 })
    XCTAssertEqual(bridges.state.current.calls.count, 3)
  }

  func testABridgeFunctionThatNeverReturnsLosesItsQueue() throws {
    wallet_core_testing_advance_clock(0)
    let gate = Gate()
    defer { gate.open() }
    let path = storage
    let bridges = TestBridges { bridges, call in
      if bridges.state.current.calls.count == 1 {
        gate.pass()
      } else {
        bridges.reply(call, WALLET_CORE_BRIDGE_OK, path)
      }
    }
    XCTAssertEqual(bridges.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    XCTAssertTrue(bridges.waitForCall())
    wallet_core_testing_advance_clock(10_001)
    XCTAssertTrue(bridges.state.wait { $0.cancelled.count == 1 }, "cancel runs on the new thread")
    XCTAssertTrue(storagePathArrives())
    // The function that has not returned still uses the context.
    let newer = TestBridges()
    XCTAssertEqual(newer.handOver(), 0)
    XCTAssertTrue(bridges.state.wait { $0.destroys == 2 })
    gate.open()
    XCTAssertTrue(bridges.state.wait { $0.destroys == 3 })
    XCTAssertEqual(bridges.state.current.lateCalls, 0)
  }

  func testASecondReplyIsHarmless() throws {
    let path = storage
    let bridges = TestBridges {
      $0.reply($1, WALLET_CORE_BRIDGE_OK, path)
      $0.reply($1, WALLET_CORE_BRIDGE_OK, path)
    }
    XCTAssertEqual(bridges.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    XCTAssertTrue(bridges.state.wait { $0.replies.count == 2 })
    XCTAssertEqual(bridges.state.current.replies, [0, Status.unknownCall])
  }

  func testABadReplyLeavesTheCallOpen() throws {
    let bridges = TestBridges()
    XCTAssertEqual(bridges.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    XCTAssertTrue(bridges.waitForCall())
    let call = bridges.state.current.calls[0]
    let path = Array(storage.utf8)
    let broken: [CChar] = [-1, -2, 0]
    XCTAssertEqual(wallet_core_bridge_reply(call, 99, nil, 0, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_bridge_reply(call, -1, nil, 0, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_bridge_reply(call, 0, nil, 5, nil), Status.invalidArgument)
    XCTAssertEqual(
      wallet_core_bridge_reply(call, 0, path, 1 << 20 + 1, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_bridge_reply(call, 0, path, -1, nil), Status.invalidArgument)
    XCTAssertEqual(
      wallet_core_bridge_reply(call, 0, path, path.count, broken), Status.invalidUTF8)
    let long = String(repeating: "ä", count: 5_000)
    XCTAssertEqual(wallet_core_bridge_reply(call, 0, path, path.count, long), WALLET_CORE_OK)
    XCTAssertTrue(askForRegistration().wait { $0 == 0 })
  }

  func testBridgesCanBeReplacedWhileACallIsOpen() throws {
    let path = storage
    let old = TestBridges()
    XCTAssertEqual(old.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    // The call belongs to a request; a background job would be interrupted by the new bridges.
    let client = attach()
    XCTAssertTrue(old.waitForCall())
    XCTAssertEqual(wallet_core_unlock(client, Array("135797".utf8), 6, nil, nil), WALLET_CORE_OK)
    XCTAssertTrue(old.waitForCall(2))
    let new = TestBridges { $0.reply($1, WALLET_CORE_BRIDGE_OK, path) }
    XCTAssertEqual(new.handOver(), 0)
    XCTAssertTrue(old.state.wait { $0.destroys == 2 }, "two bridges are idle")
    XCTAssertEqual(old.state.current.destroys, 2)
    old.reply(old.state.current.calls[1], WALLET_CORE_BRIDGE_OK, path)
    XCTAssertEqual(old.state.current.replies, [0])
    XCTAssertTrue(old.state.wait { $0.destroys == 3 })
    XCTAssertTrue(storagePathArrives())
  }

  func testABridgeFunctionMustNotMakeACallThatNeedsABridge() throws {
    let result = Shared<wallet_core_status?>(nil)
    let path = storage
    let bridges = TestBridges { bridges, call in
      var truth: Int32 = 0
      let status = wallet_core_has_registration(&truth, nil)
      result.withLock { $0 = status }
      bridges.reply(call, WALLET_CORE_BRIDGE_OK, path)
    }
    XCTAssertEqual(bridges.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    XCTAssertTrue(result.wait { $0 == Status.reentrant })
  }

  func testAHostsOwnCodeIsReturned() throws {
    let bridges = TestBridges { $0.reply($1, -1007, message: "no drawer") }
    XCTAssertEqual(bridges.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    let client = attach()
    while pull(client).event != nil {}
    XCTAssertEqual(wallet_core_unlock(client, Array("135797".utf8), 6, nil, nil), WALLET_CORE_OK)
    let json = try XCTUnwrap(awaitEvent(client)?.json)
    XCTAssertTrue(json.contains("-1007"), json)
    XCTAssertTrue(json.contains("no drawer"), json)
  }

  func testAReplyAfterTheEndOfItsClientIsHarmless() throws {
    let bridges = TestBridges()
    XCTAssertEqual(bridges.handOver(), 0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    let client = attach()
    XCTAssertEqual(wallet_core_unlock(client, Array("135797".utf8), 6, nil, nil), WALLET_CORE_OK)
    XCTAssertTrue(bridges.waitForCall())
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
    // The background job that reads the storage, which the request interrupted, may make a new call
    // at any time.
    let calls = bridges.state.current.calls
    for call in calls { bridges.reply(call, WALLET_CORE_BRIDGE_OK, storage) }
    for status in bridges.state.current.replies {
      XCTAssertTrue([0, Status.unknownCall].contains(status))
    }
    for call in calls {
      XCTAssertEqual(
        wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_OK, nil, 0, nil),
        Status.unknownCall, "answered or over")
    }
    let asked = askForRegistration()
    wallet_core_testing_advance_clock(10_001)
    XCTAssertTrue(asked.wait { $0 != nil })
  }
}
