import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A step as a host reads it through the C header.
struct SeenStep: Equatable, CustomStringConvertible {
  var serial: UInt64
  var row: String
  var kind: wallet_core_step_kind
  var name: String
  var actions: [String]
  var notices: [String]

  init(_ event: OpaquePointer) {
    serial = wallet_core_event_step_serial(event)
    row =
      String(cString: wallet_core_event_step_use_case(event)) + " "
      + String(cString: wallet_core_event_step_row(event))
    kind = wallet_core_event_step_kind(event)
    name = String(cString: wallet_core_event_step_name(event))
    actions = (0..<wallet_core_event_step_action_count(event)).map {
      String(cString: wallet_core_event_step_action(event, $0))
    }
    notices = (0..<wallet_core_event_step_notice_count(event)).map {
      String(cString: wallet_core_event_step_notice(event, $0))
    }
  }

  var description: String { "\(row) \(name) \(actions)" }

  /// Whether it ends by itself.
  var isPassing: Bool {
    kind == WALLET_CORE_STEP_PROGRESS || kind == WALLET_CORE_STEP_SYSTEM_PROMPT
  }
}

/// A host that only shows the current step and sends the user's choice.
final class FlowHost {
  let host: TestHost
  private(set) var step: SeenStep?
  /// The PIN of the wallet.
  private(set) var pin = "142032"
  /// The event of `step`, for its arguments.
  private var event: OpaquePointer?

  init(_ host: TestHost) { self.host = host }

  deinit { wallet_core_event_free(event) }

  var client: wallet_core_client { host.client }

  func open(_ startup: wallet_core_startup = WALLET_CORE_STARTUP_LAUNCH, link: String? = nil) {
    XCTAssertEqual(wallet_core_open_app(client, startup, link, nil), WALLET_CORE_OK)
  }

  /// Waits for the next step that does not end by itself.
  @discardableResult
  func next(skipping isSkipped: (SeenStep) -> Bool = { $0.isPassing }) throws -> SeenStep {
    while true {
      let event = try host.nextEvent {
        wallet_core_event_kind($0) == WALLET_CORE_EVENT_STEP
      }
      let seen = SeenStep(event)
      if isSkipped(seen) {
        wallet_core_event_free(event)
        continue
      }
      wallet_core_event_free(self.event)
      self.event = event
      step = seen
      return seen
    }
  }

  /// Takes the next step of any kind; nil if none comes in time.
  func poll(milliseconds: Int64) throws -> SeenStep? {
    while true {
      var event: OpaquePointer?
      let status = wallet_core_client_next_event(client, milliseconds, &event, nil)
      if status == WALLET_CORE_ERROR_TIMEOUT { return nil }
      guard status == 0, let event else { throw TestFailure("next_event: \(status)") }
      guard wallet_core_event_kind(event) == WALLET_CORE_EVENT_STEP else {
        wallet_core_event_free(event)
        continue
      }
      wallet_core_event_free(self.event)
      self.event = event
      step = SeenStep(event)
      return step
    }
  }

  /// Whether the last step is for an unlocked wallet only.
  var isProtected: Bool {
    String(cString: wallet_core_event_json(event, nil)).contains(#""is_protected":true"#)
  }

  /// The JSON of the last step.
  var document: [String: Any] {
    let json = Data(String(cString: wallet_core_event_json(event, nil)).utf8)
    return (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
  }

  /// Waits for a step of `row`.
  @discardableResult
  func expect(_ row: String, line: UInt = #line) throws -> SeenStep {
    let seen = try next { $0.isPassing && $0.row != row }
    guard seen.row == row else {
      throw TestFailure("expected \(row), saw \(seen) \(text("status_name")) (line \(line))")
    }
    return seen
  }

  /// Answers the last step. Returns the status of the choice.
  func status(of action: String, pin: String? = nil, serial: UInt64? = nil) -> wallet_core_status {
    let bytes = Array((pin ?? "").utf8)
    return wallet_core_choose(
      client, serial ?? step?.serial ?? 0, action, pin == nil ? nil : bytes, bytes.count, nil)
  }

  func choose(_ action: String, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(
      status(of: action), 0, "\(action) on \(String(describing: step))", file: file, line: line)
  }

  func enter(_ pin: String, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(
      status(of: "enter", pin: pin), 0, "a PIN on \(String(describing: step))", file: file,
      line: line)
  }

  /// A number or truth value of the last step.
  func number(_ name: String) -> Int64? {
    var value: Int64 = 0
    return wallet_core_event_step_number(event, name, &value) == 1 ? value : nil
  }

  func text(_ name: String) -> String { String(cString: wallet_core_event_step_text(event, name)) }

  func tell(_ lifecycle: wallet_core_lifecycle) {
    XCTAssertEqual(wallet_core_notify_lifecycle(lifecycle, nil), WALLET_CORE_OK)
  }

  /// Advances the wallet's clock. Where the provider's clock advances too, it goes first: a policy that
  /// the wallet fetches between the two would turn its time back.
  func advanceClock(_ milliseconds: Int64) { wallet_core_testing_advance_clock(milliseconds) }

  /// Goes from the launch to the first screen after the splash.
  func launch() throws {
    open()
    try expect("UC1.2 2.1")
    advanceClock(1000)
  }

  /// Goes from the launch of an app without a wallet to the choice of a PIN.
  func walkToChoosePin() throws {
    try launch()
    try expect("UC1.1 1.1")
    choose("skip")
    try expect("UC1.1 1.4")
    choose("next")
    try expect("UC2.1 1.1")
  }

  /// Goes from the choice of a PIN to the end of its set-up, without biometrics.
  func setUp(_ pin: String) throws {
    self.pin = pin
    enter(pin)
    try expect("UC2.1 1.3")
    enter(pin)
    try expect("UC2.1 1.9")
  }
}
