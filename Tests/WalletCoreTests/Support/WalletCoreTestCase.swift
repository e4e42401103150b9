import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A process has one wallet, so each test starts by resetting that of the previous one.
class WalletCoreTestCase: XCTestCase {
  private(set) var storage = ""

  override func setUpWithError() throws {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1, "a thread was left behind")
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("wallet-core-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    storage = directory.path
  }

  override func tearDownWithError() throws {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1, "a thread was left behind")
    try FileManager.default.removeItem(atPath: storage)
  }

  /// Calls init; `change` modifies the options.
  func initialise(
    storagePath: String? = nil, withStorage: Bool = true, document: [UInt8]? = nil,
    change: (inout wallet_core_options) -> Void = { _ in }
  ) throws -> wallet_core_status {
    try Self.initialise(
      withStorage ? storagePath ?? storage : nil,
      document ?? EmbeddedConfiguration.document(), change)
  }

  static func initialise(
    _ path: String?, _ document: [UInt8], _ change: (inout wallet_core_options) -> Void = { _ in }
  ) -> wallet_core_status {
    document.withUnsafeBufferPointer { document in
      "1.4.2".withCString { version in
        "org.example.wallet".withCString { id in
          (path ?? "").withCString { storage in
            var options = wallet_core_options()
            options.struct_size = MemoryLayout<wallet_core_options>.size
            options.embedded_configuration = document.baseAddress
            options.embedded_configuration_length = document.count
            options.app_version = version
            options.app_id = id
            options.storage_path = path == nil ? nil : storage
            change(&options)
            return wallet_core_init(&options, nil)
          }
        }
      }
    }
  }

  /// Initialises the library and attaches a client.
  func start(_ name: String = "app") throws -> wallet_core_client {
    XCTAssertEqual(try initialise(), 0)
    return attach(name)
  }

  func attach(_ name: String = "app", takeOver: Bool = false) -> wallet_core_client {
    var client: wallet_core_client = 0
    let flags = takeOver ? UInt32(WALLET_CORE_ATTACH_TAKE_OVER) : 0
    XCTAssertEqual(wallet_core_client_attach(name, flags, &client, nil), WALLET_CORE_OK)
    XCTAssertNotEqual(client, 0)
    return client
  }
}

/// The event sinks by name, for tests that apply to each of them.
enum TestEventSink: CaseIterable, Sendable {
  case wakeup, events, configuration, lock, versionState, step, cards

  @discardableResult
  func set(
    _ client: wallet_core_client, _ recorder: Recorder, status: wallet_core_status = WALLET_CORE_OK,
    file: StaticString = #filePath, line: UInt = #line
  ) -> UInt64 {
    var token: UInt64 = 0
    let (context, destroy) = (recorder.context, Recorder.onDestroy)
    let result =
      switch self {
      case .wakeup:
        wallet_core_set_wakeup(client, Recorder.onWakeup, context, destroy, &token, nil)
      case .events:
        wallet_core_set_event_callback(client, Recorder.onEvent, context, destroy, &token, nil)
      case .configuration:
        wallet_core_set_configuration_stream(
          client, Recorder.onEvent, context, destroy, &token, nil)
      case .lock:
        wallet_core_set_lock_stream(client, Recorder.onEvent, context, destroy, &token, nil)
      case .versionState:
        wallet_core_set_version_state_stream(
          client, Recorder.onEvent, context, destroy, &token, nil)
      case .step:
        wallet_core_set_step_stream(client, Recorder.onEvent, context, destroy, &token, nil)
      case .cards:
        wallet_core_set_cards_stream(client, Recorder.onEvent, context, destroy, &token, nil)
      }
    XCTAssertEqual(result, status, file: file, line: line)
    return token
  }

  @discardableResult
  func clear(_ client: wallet_core_client, _ token: UInt64 = 0) -> wallet_core_status {
    switch self {
    case .wakeup: wallet_core_clear_wakeup(client, token, nil)
    case .events: wallet_core_clear_event_callback(client, token, nil)
    case .configuration: wallet_core_clear_configuration_stream(client, token, nil)
    case .lock: wallet_core_clear_lock_stream(client, token, nil)
    case .versionState: wallet_core_clear_version_state_stream(client, token, nil)
    case .step: wallet_core_clear_step_stream(client, token, nil)
    case .cards: wallet_core_clear_cards_stream(client, token, nil)
    }
  }
}

/// Takes the next event and waits until it comes.
func awaitEvent(_ client: wallet_core_client) -> Received? {
  pull(client, Patience.milliseconds).event
}

/// Takes an event; waits at most `timeout` milliseconds.
func pull(_ client: wallet_core_client, _ timeout: Int64 = 0) -> (
  status: wallet_core_status, event: Received?
) {
  var event: OpaquePointer?
  let status = wallet_core_client_next_event(client, timeout, &event, nil)
  return (status, event.map { Received(freeing: $0) })
}

/// The codes, without their prefix.
enum Status {
  static let invalidArgument = WALLET_CORE_ERROR_INVALID_ARGUMENT
  static let invalidUTF8 = WALLET_CORE_ERROR_INVALID_UTF8
  static let notInitialized = WALLET_CORE_ERROR_NOT_INITIALIZED
  static let reentrant = WALLET_CORE_ERROR_REENTRANT
  static let busy = WALLET_CORE_ERROR_BUSY
  static let timeout = WALLET_CORE_ERROR_TIMEOUT
  static let interrupted = WALLET_CORE_ERROR_INTERRUPTED
  static let detached = WALLET_CORE_ERROR_CLIENT_DETACHED
  static let unknownCall = WALLET_CORE_ERROR_UNKNOWN_CALL
  static let platformNotReady = WALLET_CORE_ERROR_PLATFORM_NOT_READY
  static let bridgeIncomplete = WALLET_CORE_ERROR_BRIDGE_INCOMPLETE
  static let bridgeTimeout = WALLET_CORE_ERROR_BRIDGE_TIMEOUT
  static let configurationInvalid = WALLET_CORE_ERROR_CONFIGURATION_INVALID
  static let notRegistered = WALLET_CORE_ERROR_NOT_REGISTERED
  static let staleStep = WALLET_CORE_ERROR_STALE_STEP
  static let pinRefused = WALLET_CORE_ERROR_PIN_REFUSED
  static let storageUnavailable = WALLET_CORE_ERROR_STORAGE_UNAVAILABLE
  static let cancelled = WALLET_CORE_ERROR_CANCELLED
}

enum Kind {
  static let configuration = WALLET_CORE_EVENT_CONFIGURATION
  static let lockState = WALLET_CORE_EVENT_LOCK_STATE
  static let versionState = WALLET_CORE_EVENT_VERSION_STATE
  static let completion = WALLET_CORE_EVENT_COMPLETION
  static let step = WALLET_CORE_EVENT_STEP
  static let cardsChanged = WALLET_CORE_EVENT_CARDS_CHANGED
}
