import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

extension wallet_core_status: @retroactive Codable {}
extension wallet_core_pin_outcome: @retroactive Codable {}
extension wallet_core_version_grade: @retroactive Codable {}

/// The completion of a request as a host reads it.
struct Completion: Codable, Equatable, CustomStringConvertible {
  var status: wallet_core_status
  var outcome = WALLET_CORE_PIN_OUTCOME_NOT_JUDGED
  var attemptsLeft: Int32 = 0
  var isFinalRound = false
  var blockedFor: Int64 = 0
  /// Wrong PINs that a right one tells of, which are not compared.
  var failedAttempts: Int32 = 0
  var lastFailedAt: Int64 = 0
  /// Another wallet that waits, which is not compared; "" if there is none.
  var replacementSession = ""
  var takesEffectIn: Int64 = 0
  var message = ""
  /// The error's data, which is not compared.
  var data = ""

  static let done = Completion(status: WALLET_CORE_OK)
  static let valid = Completion(status: WALLET_CORE_OK, outcome: WALLET_CORE_PIN_OUTCOME_VALID)
  static let blockedForGood = Completion(
    status: WALLET_CORE_OK, outcome: WALLET_CORE_PIN_OUTCOME_BLOCKED_PERMANENTLY)

  static func wrong(_ left: Int32, final: Bool = false) -> Completion {
    Completion(
      status: WALLET_CORE_OK, outcome: WALLET_CORE_PIN_OUTCOME_WRONG, attemptsLeft: left,
      isFinalRound: final)
  }

  static func notBlocked(_ left: Int32, final: Bool = false) -> Completion {
    Completion(
      status: WALLET_CORE_OK, outcome: WALLET_CORE_PIN_OUTCOME_NOT_BLOCKED, attemptsLeft: left,
      isFinalRound: final)
  }

  static func blocked(_ milliseconds: Int64) -> Completion {
    Completion(
      status: WALLET_CORE_OK, outcome: WALLET_CORE_PIN_OUTCOME_BLOCKED_TEMPORARILY,
      blockedFor: milliseconds)
  }

  init(
    status: wallet_core_status,
    outcome: wallet_core_pin_outcome = WALLET_CORE_PIN_OUTCOME_NOT_JUDGED,
    attemptsLeft: Int32 = 0, isFinalRound: Bool = false, blockedFor: Int64 = 0
  ) {
    self.status = status
    self.outcome = outcome
    self.attemptsLeft = attemptsLeft
    self.isFinalRound = isFinalRound
    self.blockedFor = blockedFor
  }

  /// Reads a completion event.
  init(_ event: OpaquePointer) {
    self.init(status: wallet_core_event_status(event))
    outcome = wallet_core_event_pin_outcome(event)
    attemptsLeft = wallet_core_event_pin_attempts_left(event)
    isFinalRound = wallet_core_event_pin_is_final_round(event) == 1
    blockedFor = wallet_core_event_pin_blocked_for_ms(event)
    failedAttempts = wallet_core_event_pin_failed_attempts(event)
    lastFailedAt = wallet_core_event_pin_last_failed_at(event)
    replacementSession = String(cString: wallet_core_event_replacement_session(event))
    takesEffectIn = wallet_core_event_replacement_takes_effect_in_ms(event)
    if let error = wallet_core_event_error(event) {
      message = String(cString: wallet_core_error_message(error, nil))
      data = String(cString: wallet_core_error_data(error, nil))
    }
  }

  static func == (left: Completion, right: Completion) -> Bool {
    left.status == right.status && left.outcome == right.outcome
      && left.attemptsLeft == right.attemptsLeft && left.isFinalRound == right.isFinalRound
      && left.blockedFor == right.blockedFor
  }

  var name: String { String(cString: wallet_core_status_name(status)) }

  var description: String {
    "\(name) outcome \(outcome) left \(attemptsLeft) final \(isFinalRound) blocked \(blockedFor) \(message)"
  }
}

/// A host that uses only the C header, and pulls its events.
final class TestHost {
  let storage: URL
  let keys: SoftwareKeys
  var appVersion = "1.0.0"
  /// Receives the log at its most verbose; to be set before `start`.
  var log: HostLog?
  /// Called with every event that is taken.
  var onEvent: ((OpaquePointer) -> Void)?
  private(set) var client: wallet_core_client = 0
  private let configuration: Data

  init(configuration: Data, storage: URL? = nil, keys: SoftwareKeys = SoftwareKeys()) throws {
    self.configuration = configuration
    self.storage = try storage ?? Scratch.directory("storage")
    self.keys = keys
  }

  /// Hands over the bridges, initialises and attaches, as in the start-up diagrams.
  func start() throws {
    XCTAssertEqual(keys.connect(), 0)
    if HTTPHost.isWanted { HTTPHost.handOver() }
    let status = initialize()
    guard status == 0 else { throw TestFailure("init: \(status)") }
    try attach()
  }

  /// Starts as `start` does, but only the utilities bridge knows the storage path.
  func startByBridge() throws {
    XCTAssertEqual(keys.connect(), 0)
    let status = initialize(givingPath: false)
    guard status == 0 else { throw TestFailure("init: \(status)") }
    try attach()
  }

  func initialize(givingPath: Bool = true) -> wallet_core_status {
    configuration.withUnsafeBytes { document in
      storage.path.withCString { path in
        appVersion.withCString { version in
          "org.example.test".withCString { app in
            var options = wallet_core_options()
            options.struct_size = MemoryLayout.size(ofValue: options)
            options.embedded_configuration = document.bindMemory(to: UInt8.self).baseAddress
            options.embedded_configuration_length = document.count
            options.app_version = version
            options.app_id = app
            options.storage_path = givingPath ? path : nil
            if let log {
              options.log = HostLog.receive
              options.log_context = log.context
              options.log_level = WALLET_CORE_LOG_DEBUG
            }
            return wallet_core_init(&options, nil)
          }
        }
      }
    }
  }

  func attach(_ name: String = "app") throws {
    let status = wallet_core_client_attach(
      name, UInt32(WALLET_CORE_ATTACH_TAKE_OVER), &client, nil)
    guard status == 0 else { throw TestFailure("attach: \(status)") }
  }

  /// Restarts as after a kill of the process.
  func restart() throws {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try start()
  }

  typealias PinRequest = (
    wallet_core_client, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt64>?,
    UnsafeMutablePointer<OpaquePointer?>?
  ) -> wallet_core_status

  func begin(_ function: PinRequest, _ pin: String) throws -> UInt64 {
    var request: UInt64 = 0
    let bytes = Array(pin.utf8)
    let status = function(client, bytes, bytes.count, &request, nil)
    guard status == 0 else { throw TestFailure("request refused: \(status)") }
    return request
  }

  func register(_ pin: String) throws -> Completion {
    try complete(begin(wallet_core_register, pin))
  }
  func unlock(_ pin: String) throws -> Completion { try complete(begin(wallet_core_unlock, pin)) }
  func checkPin(_ pin: String) throws -> Completion {
    try complete(begin(wallet_core_check_pin, pin))
  }

  func enableBiometrics(_ pin: String) throws -> Completion {
    try complete(begin(wallet_core_enable_biometric_unlock, pin))
  }

  /// Begins a change of the PIN. Returns its request, or the status and the error's data if it is
  /// refused.
  func beginChange(
    _ pin: String, to newPin: String
  ) -> (status: wallet_core_status, data: String, request: UInt64) {
    var request: UInt64 = 0
    var error: OpaquePointer?
    let (former, new) = (Array(pin.utf8), Array(newPin.utf8))
    let status = wallet_core_change_pin(
      client, former, former.count, new, new.count, &request, &error)
    defer { wallet_core_error_free(error) }
    return (status, String(cString: wallet_core_error_data(error, nil)), request)
  }

  func changePin(_ pin: String, to newPin: String) throws -> Completion {
    let (status, _, request) = beginChange(pin, to: newPin)
    return status == 0 ? try complete(request) : Completion(status: status)
  }

  /// Decides on a replacement. A refusal at once is a completion too.
  func decide(_ decision: wallet_core_replacement, on session: String, _ pin: String) throws
    -> Completion
  {
    var request: UInt64 = 0
    let bytes = Array(pin.utf8)
    let status = wallet_core_decide_replacement(
      client, session, decision, bytes, bytes.count, &request, nil)
    return status == 0 ? try complete(request) : Completion(status: status)
  }

  typealias BareRequest = (
    wallet_core_client, UnsafeMutablePointer<UInt64>?, UnsafeMutablePointer<OpaquePointer?>?
  ) -> wallet_core_status

  func begin(_ function: BareRequest) throws -> UInt64 {
    var request: UInt64 = 0
    let status = function(client, &request, nil)
    guard status == 0 else { throw TestFailure("request refused: \(status)") }
    return request
  }

  func pinState() throws -> Completion { try complete(begin(wallet_core_pin_state)) }
  func refresh() throws -> Completion { try complete(begin(wallet_core_refresh)) }
  func wipe() throws -> Completion { try complete(begin(wallet_core_wipe)) }
  func disableBiometrics() throws -> Completion {
    try complete(begin(wallet_core_disable_biometric_unlock))
  }
  func unlockWithBiometrics() throws -> Completion {
    try complete(begin(wallet_core_unlock_with_biometrics))
  }

  /// Begins an unlock. Returns the status with which it is refused at once; OK if it is not.
  func statusOfUnlock(_ pin: String) -> wallet_core_status {
    let bytes = Array(pin.utf8)
    return wallet_core_unlock(client, bytes, bytes.count, nil, nil)
  }

  /// Takes events until a wanted one, which the caller frees.
  func nextEvent(where isWanted: (OpaquePointer) -> Bool) throws -> OpaquePointer {
    while true {
      var event: OpaquePointer?
      let status = wallet_core_client_next_event(client, Patience.milliseconds, &event, nil)
      guard status == 0, let event else { throw TestFailure("next_event: \(status)") }
      onEvent?(event)
      if isWanted(event) { return event }
      wallet_core_event_free(event)
    }
  }

  /// Takes events until the request's completion.
  func complete(_ request: UInt64) throws -> Completion {
    let event = try nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    return Completion(event)
  }

  /// Takes events until all of the requests are complete, in whatever order.
  func complete(all requests: UInt64...) throws -> [Completion] {
    var completions: [UInt64: Completion] = [:]
    while completions.count < requests.count {
      let event = try nextEvent { requests.contains(wallet_core_event_request($0)) }
      completions[wallet_core_event_request(event)] = Completion(event)
      wallet_core_event_free(event)
    }
    return requests.compactMap { completions[$0] }
  }

  var isLocked: Bool {
    var value: Int32 = 0
    XCTAssertEqual(wallet_core_is_locked(&value, nil), WALLET_CORE_OK)
    return value == 1
  }

  var isBiometric: Bool {
    var value: Int32 = 0
    XCTAssertEqual(wallet_core_is_biometric_unlock_enabled(&value, nil), WALLET_CORE_OK)
    return value == 1
  }

  var isRegistered: Bool {
    var value: Int32 = 0
    XCTAssertEqual(wallet_core_has_registration(&value, nil), WALLET_CORE_OK)
    return value == 1
  }
}
