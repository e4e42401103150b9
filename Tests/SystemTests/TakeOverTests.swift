import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// Engines die while the provider is slow: lock and take-over do not wait for it.
final class TakeOverTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    try register()
  }

  /// The number of take-overs, set by WALLET_CORE_TAKE_OVERS.
  private var takeOvers: Int {
    ProcessInfo.processInfo.environment["WALLET_CORE_TAKE_OVERS"].flatMap { Int($0) } ?? 20
  }

  func testATakeOverLocksAlsoAfterTheFormerEngineWasAbandoned() throws {
    XCTAssertEqual(try host.unlock("142032"), .valid)
    wallet_core_client_abandon(host.client)
    XCTAssertFalse(host.isLocked)
    try host.attach()
    XCTAssertTrue(host.isLocked)
    // An engine that ends in order leaves the wallet as it is.
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_client_detach(host.client, nil), WALLET_CORE_OK)
    try host.attach()
    XCTAssertFalse(host.isLocked)
  }

  func testTakeOversDuringSlowUnlocksEndLockedAndReachOnlyTheNewEngine() throws {
    // A take-over between the evaluation of a PIN and its check costs an attempt.
    try provider.control(
      "/policy",
      [
        "rounds": 100, "attempts_per_round": 100, "block_ms": [Int](repeating: 1, count: 99),
        "failures_per_month": 1_000_000,
      ])
    middle.answer { exchange in
      if exchange.path.hasSuffix("check_pin") { usleep(.random(in: 0...40_000)) }
      return nil
    }
    var engines: [Engine] = []
    var inFlight = 0
    var duringAnUnlock = 0
    var round = 0
    // Take-overs after the end of the unlock are not counted.
    while duringAnUnlock < takeOvers, round < 4 * takeOvers {
      round += 1
      let engine = Engine(blocking: round % 5 == 0 ? 30_000 : 0)
      engines.append(engine)
      XCTAssertEqual(
        wallet_core_set_event_callback(
          host.client, Engine.onEvent, engine.context, Engine.onDestroy, nil, nil), WALLET_CORE_OK)
      _ = try host.begin(wallet_core_unlock, "142032")
      usleep(.random(in: 0...200_000))

      try host.attach()
      duringAnUnlock += engine.noteTakeOver() ? 0 : 1
      XCTAssertTrue(host.isLocked, "round \(round)")
      // All current values are available at once; a missing one makes this throw.
      for kind in [
        WALLET_CORE_EVENT_CONFIGURATION, WALLET_CORE_EVENT_LOCK_STATE,
        WALLET_CORE_EVENT_VERSION_STATE,
      ] {
        var event: OpaquePointer?
        XCTAssertEqual(
          wallet_core_client_next_event(host.client, 0, &event, nil), WALLET_CORE_OK,
          "round \(round)")
        XCTAssertEqual(wallet_core_event_kind(event), kind, "round \(round)")
        if kind == WALLET_CORE_EVENT_LOCK_STATE {
          XCTAssertEqual(wallet_core_event_is_locked(event), 1, "round \(round)")
        }
        wallet_core_event_free(event)
      }
      if round % 10 == 9 {
        // The old unlock has ended by now, with any result, and must not have opened the wallet.
        usleep(200_000)
        XCTAssertTrue(host.isLocked, "round \(round)")
        var event: OpaquePointer?
        while wallet_core_client_next_event(host.client, 0, &event, nil) == WALLET_CORE_OK {
          XCTAssertEqual(wallet_core_event_is_locked(event), 1, "round \(round)")
          wallet_core_event_free(event)
        }
      }
    }
    usleep(300_000)
    for engine in engines {
      XCTAssertEqual(engine.lateCalls, 0, "called after the take-over")
      XCTAssertEqual(engine.destroys, 0, "the context of a taken-over client is never touched")
      inFlight += engine.callsOnTheirWay
    }
    middle.answer(with: nil)
    XCTAssertTrue(host.isLocked)
    let guess = try host.unlock("142033")
    XCTAssertEqual(guess.outcome, WALLET_CORE_PIN_OUTCOME_WRONG)
    if round < 99 {
      XCTAssertGreaterThanOrEqual(
        Int(guess.attemptsLeft), 99 - round, "a take-over costs one attempt at most")
    }
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(duringAnUnlock, takeOvers)
    print(
      "stress: \(duringAnUnlock) take-overs during slow unlocks,",
      "\(inFlight) callbacks were on their way")
  }

  func testTheAnswerOfAnUnlockThatWasTakenOverReachesNoClient() throws {
    let held = HeldAnswer(checkPinPath)
    middle.answer { held.rewrite($0) }
    let engine = Engine(blocking: 0)
    XCTAssertEqual(
      wallet_core_set_event_callback(
        host.client, Engine.onEvent, engine.context, Engine.onDestroy, nil, nil), WALLET_CORE_OK)
    _ = try host.begin(wallet_core_unlock, "142032")
    try held.waitUntilHeld()
    try host.attach()
    assertStillWaits(checkPinPath)
    XCTAssertFalse(engine.noteTakeOver())
    held.letGo()
    // Requests run one after the other, so the old unlock has ended once the next one is answered.
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    XCTAssertEqual(engine.lateCompletions, 0)
  }

  func testLockQuestionsAndStreamsNeverWaitForASlowProvider() throws {
    let held = HeldAnswer(checkPinPath)
    middle.answer { held.rewrite($0) }
    let request = try host.begin(wallet_core_unlock, "142032")
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertTrue(host.isLocked)
    XCTAssertTrue(host.isRegistered)
    var second: wallet_core_client = 0
    XCTAssertEqual(wallet_core_client_attach("second", 0, &second, nil), WALLET_CORE_OK)
    let engine = Engine(blocking: 0)
    XCTAssertEqual(
      wallet_core_set_lock_stream(
        second, Engine.onEvent, engine.context, Engine.onDestroy, nil, nil), WALLET_CORE_OK)
    XCTAssertEqual(wallet_core_clear_lock_stream(second, 0, nil), WALLET_CORE_OK)
    XCTAssertEqual(engine.destroys, 1)
    XCTAssertEqual(wallet_core_client_detach(second, nil), WALLET_CORE_OK)
    assertStillWaits(checkPinPath)
    held.letGo()
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_CANCELLED)
    XCTAssertTrue(host.isLocked)
  }

  func testACancelledRequestThatWaitedItsTurnDoesNoWork() throws {
    let start = Self.work
    XCTAssertEqual(try host.unlock("142032"), .valid)
    let ofOne = Self.work - start
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let before = Self.work
    let requests = try (0..<40).map { _ in try host.begin(wallet_core_unlock, "142032") }
    var wipe: UInt64 = 0
    XCTAssertEqual(wallet_core_wipe(host.client, &wipe, nil), WALLET_CORE_OK)
    for request in requests {
      XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_CANCELLED)
    }
    XCTAssertEqual(try host.complete(wipe), .done)
    XCTAssertLessThan(Self.work - before, 10 * ofOne, "no PIN key was derived for it")
  }

  /// The CPU time of this process in seconds, which does not depend on other load.
  private static var work: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}

/// The callbacks of an engine that will be taken over, as a context. Never freed.
private final class Engine: @unchecked Sendable {
  // Sendable: all but `pause` is touched only with `lock` held.
  private let lock = NSLock()
  private let pause: UInt32
  private var isTakenOver = false
  private var counts = (after: 0, completionsAfter: 0, destroys: 0)
  private var hasEnded = false

  init(blocking pause: UInt32) { self.pause = pause }

  var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
  /// At most one call after the take-over: it does not wait for a thread that is about to call
  /// back.
  var callsOnTheirWay: Int { lock.withLock { min(counts.after, 1) } }
  /// Other calls after the take-over had returned.
  var lateCalls: Int { lock.withLock { max(counts.after - 1, 0) } }
  var lateCompletions: Int { lock.withLock { counts.completionsAfter } }
  var destroys: Int { lock.withLock { counts.destroys } }
  /// Whether the unlock had ended before.
  func noteTakeOver() -> Bool {
    lock.withLock {
      isTakenOver = true
      return hasEnded
    }
  }

  private func enter(_ kind: wallet_core_kind) {
    lock.withLock {
      if kind == WALLET_CORE_EVENT_COMPLETION { hasEnded = true }
      guard isTakenOver else { return }
      counts.after += 1
      if kind == WALLET_CORE_EVENT_COMPLETION { counts.completionsAfter += 1 }
    }
    if pause > 0 { usleep(pause) }
  }

  static let onEvent: @Sendable @convention(c) (UnsafeMutableRawPointer?, OpaquePointer) -> Void = {
    from($0)?.enter(wallet_core_event_kind($1))
    wallet_core_event_free($1)
  }

  static let onDestroy: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
    guard let engine = from(context) else { return }
    engine.lock.withLock { engine.counts.destroys += 1 }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Engine? {
    context.map { Unmanaged<Engine>.fromOpaque($0).takeUnretainedValue() }
  }
}
