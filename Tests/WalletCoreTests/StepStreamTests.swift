import CWalletCore
import Foundation
import TestSupport
import WalletModel
import XCTest

/// How steps reach a client, and the effect of choices before any step is current.
final class StepStreamTests: WalletCoreTestCase {
  func testOnlyTheLatestQueuedStepIsDelivered() throws {
    let client = try start()
    while pull(client).event != nil {}
    for serial: UInt64 in 1...5 { try show(makeStep(serial), to: client) }
    let event = pull(client).event
    XCTAssertEqual(event?.kind, Kind.step)
    XCTAssertEqual(event?.step, 5)
    XCTAssertEqual(pull(client).status, Status.timeout)
  }

  func testAStepThatArrivesLateIsIgnored() throws {
    let client = try start()
    while pull(client).event != nil {}
    try show(makeStep(9), to: client)
    XCTAssertEqual(pull(client).event?.step, 9)
    try show(makeStep(8), to: client)
    try show(makeStep(9), to: client)
    XCTAssertEqual(pull(client).status, Status.timeout)
  }

  func testAStreamReceivesTheCurrentStepExactlyOncePerSet() throws {
    let client = try start()
    try show(makeStep(3), to: client)
    while pull(client).event != nil {}
    for _ in 0..<3 {
      let recorder = Recorder()
      TestEventSink.step.set(client, recorder)
      XCTAssertTrue(recorder.waitFor(1))
      usleep(20_000)
      XCTAssertEqual(recorder.events.map(\.step), [3])
    }
    XCTAssertEqual(pull(client).status, Status.timeout, "a replay belongs only to its stream")
  }

  func testAStreamBeforeTheFirstStepWaitsForIt() throws {
    let client = try start()
    let recorder = Recorder()
    TestEventSink.step.set(client, recorder)
    usleep(20_000)
    XCTAssertEqual(recorder.events, [])
    try show(makeStep(1), to: client)
    XCTAssertTrue(recorder.waitFor(1))
    XCTAssertEqual(recorder.kinds, [Kind.step])
    XCTAssertEqual(recorder.state.current.threads, ["wallet_core.ev"])
  }

  func testWhileAStepStreamIsSetNoOtherSinkReceivesSteps() throws {
    let client = try start()
    let (steps, events) = (Recorder(), Recorder())
    TestEventSink.step.set(client, steps)
    TestEventSink.events.set(client, events)
    try show(makeStep(1), to: client)
    XCTAssertTrue(steps.waitFor(1))
    XCTAssertTrue(events.waitFor(3))
    TestEventSink.step.clear(client)
    try show(makeStep(2), to: client)
    XCTAssertTrue(events.waitFor(4))
    XCTAssertEqual(steps.events.map(\.step), [1])
    XCTAssertEqual(
      events.kinds, [Kind.configuration, Kind.lockState, Kind.versionState, Kind.step])
    XCTAssertEqual(events.events.last?.step, 2)
  }

  func testAStepMovesBehindTheEventsThatCameBeforeIt() throws {
    let client = try start()
    try show(makeStep(1), to: client)
    let kinds = (0..<4).map { _ in pull(client).event?.kind }
    XCTAssertEqual(kinds, [Kind.configuration, Kind.lockState, Kind.versionState, Kind.step])
  }

  func testTheAppIsOpenedInEitherWayWithOrWithoutALink() throws {
    let client = try start()
    let links: [String?] = [nil, "", "https://a.example/x", String(repeating: "ä", count: 1024)]
    for startup in [WALLET_CORE_STARTUP_LAUNCH, WALLET_CORE_STARTUP_RESUME] {
      for link in links {
        XCTAssertEqual(wallet_core_open_app(client, startup, link, nil), WALLET_CORE_OK)
      }
    }
  }

  func testGarbageDoesNotOpenTheApp() throws {
    let client = try start()
    for startup in [0, 3, -1, .min, .max].map(wallet_core_startup.init(rawValue:)) {
      XCTAssertEqual(wallet_core_open_app(client, startup, nil, nil), Status.invalidArgument)
    }
    let long = String(repeating: "x", count: 2049)
    XCTAssertEqual(
      wallet_core_open_app(client, 1, long, nil), WALLET_CORE_OK, "does not prevent the start")
    let notUTF8: [CChar] = [-1, -2, 0]
    XCTAssertEqual(
      wallet_core_open_app(client, 1, notUTF8, nil), WALLET_CORE_OK, "does not prevent the start")
    XCTAssertEqual(wallet_core_open_app(client + 99, 0, long, nil), Status.detached)
  }

  func testAChoiceWithoutAStepIsStale() throws {
    let client = try start()
    let pin = Array("111111".utf8)
    XCTAssertEqual(wallet_core_choose(client, 1, "next", nil, 0, nil), Status.staleStep)
    XCTAssertEqual(wallet_core_choose(client, 1, "next", pin, 0, nil), Status.staleStep)
    XCTAssertEqual(
      wallet_core_choose(client, .max, "enter", pin, 6, nil), Status.staleStep,
      "the step decides whether a PIN is too simple")
    XCTAssertEqual(wallet_core_choose_scanned(client, 0, 1, pin, 6, nil), Status.staleStep)
  }

  func testGarbageIsNoChoice() throws {
    let client = try start()
    let pin = Array("135797".utf8)
    let long = String(repeating: "x", count: 65)
    XCTAssertEqual(wallet_core_choose(client, 1, nil, nil, 0, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_choose(client, 1, "", nil, 0, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_choose(client, 1, long, nil, 0, nil), Status.invalidArgument)
    let notUTF8: [CChar] = [-1, -2, 0]
    XCTAssertEqual(wallet_core_choose(client, 1, notUTF8, nil, 0, nil), Status.invalidUTF8)
    for length in [1, 6, Int.max, -1] {
      XCTAssertEqual(
        wallet_core_choose(client, 1, "enter", nil, length, nil), Status.invalidArgument)
    }
    XCTAssertEqual(wallet_core_choose(client + 99, 1, nil, nil, 6, nil), Status.detached)
    XCTAssertEqual(wallet_core_choose(client + 99, 1, "enter", pin, 6, nil), Status.detached)
  }

  func testWhatDoesNotLookLikeAPinIsRefusedWithItsReason() throws {
    let client = try start()
    func reason(_ pin: String, _ length: Int) -> String {
      var error: OpaquePointer?
      let bytes = Array(pin.utf8)
      XCTAssertEqual(
        wallet_core_choose(client, 1, "enter", bytes, length, &error), Status.pinRefused)
      defer { wallet_core_error_free(error) }
      let message = String(cString: wallet_core_error_message(error, nil))
      XCTAssertFalse(message.contains(pin), "an input is never quoted")
      return String(cString: wallet_core_error_data(error, nil))
    }
    let wrongLength = #"{"reason":"wrong_length","schema":1}"#
    for length in [1, 5, 7, 1 << 40, Int.max, -1, .min] {
      XCTAssertEqual(reason("135797", length), wrongLength)
    }
    for pin in ["13579a", "13579 ", "13579\0", "+13579"] {
      XCTAssertEqual(reason(pin, 6), #"{"reason":"not_digits","schema":1}"#)
    }
  }

  func testGarbageIsNoScan() throws {
    let client = try start()
    let bytes = [UInt8](repeating: 0xFF, count: 4096)
    for symbology in [0, 4, -1, .min, .max].map(wallet_core_symbology.init(rawValue:)) {
      XCTAssertEqual(
        wallet_core_choose_scanned(client, 1, symbology, bytes, 1, nil), Status.invalidArgument)
    }
    for length in [0, 4097, Int.max, -1, .min] {
      XCTAssertEqual(
        wallet_core_choose_scanned(client, 1, 2, bytes, length, nil), Status.invalidArgument)
    }
    for length in [0, 1, -1] {
      XCTAssertEqual(
        wallet_core_choose_scanned(client, 1, 2, nil, length, nil), Status.invalidArgument)
    }
    XCTAssertEqual(
      wallet_core_choose_scanned(client, 1, 2, bytes, 4096, nil), Status.staleStep,
      "4096 bytes are not too many")
    XCTAssertEqual(
      wallet_core_choose_scanned(client + 99, 1, 0, nil, 0, nil), Status.detached)
  }

  func testGarbageIsNoOption() throws {
    let client = try start()
    for option in [-1, .min] {
      XCTAssertEqual(wallet_core_choose_option(client, 1, option, nil), Status.invalidArgument)
    }
    for option in [0, Int.max] {
      XCTAssertEqual(wallet_core_choose_option(client, 1, option, nil), Status.staleStep)
    }
    XCTAssertEqual(wallet_core_choose_option(client + 99, 1, 0, nil), Status.detached)
  }
}
