import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

final class InitTests: WalletCoreTestCase {
  func testInitSucceedsOnceAndLaterCallsDoNothing() throws {
    XCTAssertEqual(wallet_core_is_initialized(), 0)
    XCTAssertEqual(try initialise(), 0)
    XCTAssertEqual(wallet_core_is_initialized(), 1)
    XCTAssertEqual(wallet_core_init(nil, nil), WALLET_CORE_OK, "a later init ignores its options")
  }

  func testSixteenThreadsInitialiseOneWallet() throws {
    let document = try EmbeddedConfiguration.document()
    let path = storage
    let gate = Gate()
    let threads = (0..<16).map { _ in
      onThread { () -> wallet_core_status in
        gate.pass()
        return Self.initialise(path, document)
      }
    }
    gate.open()
    for thread in threads {
      XCTAssertTrue(thread.wait { $0 != nil })
      XCTAssertEqual(thread.current, 0)
    }
    XCTAssertEqual(wallet_core_is_initialized(), 1)
  }

  func testInitIsRetriedAfterAFailureThatLeftNothingBehind() throws {
    XCTAssertEqual(try initialise(document: [1, 2, 3]), Status.configurationInvalid)
    XCTAssertEqual(
      try initialise(storagePath: storage + "/missing") {
        $0.log = { _, _, _, _ in }
        $0.log_level = WALLET_CORE_LOG_DEBUG
      }, Status.storageUnavailable)
    XCTAssertEqual(wallet_core_is_initialized(), 0)
    XCTAssertTrue(eventually { coreThreads().isEmpty })
    XCTAssertEqual(try initialise(), 0)
  }

  func testBadOptionsAreNamed() throws {
    XCTAssertEqual(wallet_core_init(nil, nil), Status.invalidArgument)
    let changes: [(inout wallet_core_options) -> Void] = [
      { $0.struct_size = 4 }, { $0.embedded_configuration = nil },
      { $0.embedded_configuration_length = 0 }, { $0.embedded_configuration_length = -1 },
      { $0.embedded_configuration_length = 256 * 1024 + 1 }, { $0.app_id = nil },
      { $0.app_version = nil }, { $0.configuration_key_count = 2 }, { $0.log_level = 9 },
      { $0.struct_size = MemoryLayout<UInt>.size * 5 },
    ]
    for (index, change) in changes.enumerated() {
      XCTAssertEqual(try initialise(change: change), Status.invalidArgument, "option \(index)")
    }
    // An empty path is none that a host can mean: NULL asks the bridge.
    let empty: [CChar] = [0]
    let emptyPath = try empty.withUnsafeBufferPointer { empty in
      try initialise { $0.storage_path = empty.baseAddress }
    }
    XCTAssertEqual(emptyPath, Status.invalidArgument)
    let broken: [CChar] = [-1, -2, 0]
    let status = try broken.withUnsafeBufferPointer { broken in
      try initialise { $0.app_id = broken.baseAddress }
    }
    XCTAssertEqual(status, Status.invalidUTF8)
  }

  func testOptionsOfAnOlderAndANewerHostAreUnderstood() throws {
    // Without the thread hooks, which an older host does not know.
    XCTAssertEqual(try initialise { $0.struct_size = 88 }, 0)
    XCTAssertEqual(wallet_core_is_initialized(), 1)
  }

  func testOptionsLongerThanTheLibraryKnowsAreRead() throws {
    let document = try EmbeddedConfiguration.document()
    let path = storage
    let status = Self.initialise(path, document) { options in
      var longer = (options, [UInt64](repeating: UInt64.max, count: 4))
      longer.0.struct_size = MemoryLayout<wallet_core_options>.size + 32
      options = longer.0
    }
    XCTAssertEqual(status, 0)
  }

  func testThreadHooksSurroundEachThreadWithHostCode() throws {
    let counts = Shared((started: 0, stopped: 0))
    let context = Unmanaged.passRetained(counts).toOpaque()
    let status = try initialise {
      $0.on_thread_start = {
        guard let context = $0 else { return }
        Unmanaged<Shared<(started: Int, stopped: Int)>>.fromOpaque(context)
          .takeUnretainedValue().withLock { $0.started += 1 }
      }
      $0.on_thread_stop = {
        guard let context = $0 else { return }
        Unmanaged<Shared<(started: Int, stopped: Int)>>.fromOpaque(context)
          .takeUnretainedValue().withLock { $0.stopped += 1 }
      }
      $0.thread_context = context
    }
    XCTAssertEqual(status, 0)
    let client = attach()
    let recorder = Recorder()
    TestEventSink.lock.set(client, recorder)
    XCTAssertTrue(recorder.waitFor(1))
    XCTAssertEqual(counts.current.started, 1)
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
    XCTAssertEqual(counts.current.stopped, 1)
  }

  func testInitNeedsNeitherNetworkNorBridges() throws {
    let silent = TestBridges()
    for bridges in [nil, silent] {
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
      if let bridges { XCTAssertEqual(bridges.handOver(), 0) }
      XCTAssertEqual(try initialise(withStorage: false), 0)
      let client = attach()
      XCTAssertEqual(pull(client).event?.kind, Kind.configuration)
      XCTAssertEqual(pull(client).event?.kind, Kind.lockState)
    }
    // Whatever was called in the background meanwhile, no call was answered.
    XCTAssertEqual(silent.state.current.replies, [])
  }

  func testAStuckLogCallbackDelaysNothing() throws {
    let gate = Gate()
    defer { gate.open() }
    let context = Unmanaged.passRetained(gate).toOpaque()
    let status = try initialise {
      $0.log = { context, _, _, _ in
        guard let context else { return }
        Unmanaged<Gate>.fromOpaque(context).takeUnretainedValue().pass()
      }
      $0.log_context = context
      $0.log_level = WALLET_CORE_LOG_DEBUG
    }
    XCTAssertEqual(status, 0)
    let client = attach()
    XCTAssertEqual(pull(client).event?.kind, Kind.configuration)
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
  }
}
