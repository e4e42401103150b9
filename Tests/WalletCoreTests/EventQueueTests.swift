import CWalletCore
import WalletModel
import WalletRuntime
import XCTest

@testable import wallet_core

/// The rules of the queue that a host cannot trigger without a provider.
final class EventQueueTests: XCTestCase {
  private func take(_ queue: inout EventQueue) -> EventObject? {
    queue.take(isLocked: { false }, where: { _ in true })?.event
  }

  private func lockState(_ state: LockState) -> EventObject { EventObject(.lockState(state)) }

  func testALockAfterAnUnlockReplacesIt() {
    var queue = EventQueue()
    queue.offer(.lockState, lockState(.locked), version: 1)
    XCTAssertNotNil(take(&queue))
    queue.offer(.lockState, lockState(.unlocked()), version: 2)
    queue.offer(.lockState, lockState(.locked), version: 3)
    guard case .lockState(.locked) = take(&queue)?.content else { return XCTFail("not locked") }
    XCTAssertNil(take(&queue))
  }

  func testAnUnlockThatArrivesLateIsIgnored() {
    var queue = EventQueue()
    queue.offer(.lockState, lockState(.locked), version: 3)
    queue.offer(.lockState, lockState(.unlocked()), version: 2)
    queue.offer(.lockState, lockState(.unlocked()), version: 3)
    guard case .lockState(.locked) = take(&queue)?.content else { return XCTFail("not locked") }
    XCTAssertNil(take(&queue))
  }

  func testAChangeMovesBehindAnEarlierCompletion() {
    var queue = EventQueue()
    queue.offer(.lockState, lockState(.locked), version: 1)
    queue.append(EventObject(.completion(request: 5, .success(.pin(.valid)))))
    queue.offer(.lockState, lockState(.unlocked()), version: 2)
    XCTAssertEqual(take(&queue)?.request, 5)
    XCTAssertNotNil(take(&queue))
    XCTAssertNil(take(&queue))
  }

  func testCompletionsAreNeverDroppedAndKeepTheirOrder() {
    var queue = EventQueue()
    for request in 1...200 {
      queue.append(EventObject(.completion(request: UInt64(request), .success(.nothing))))
    }
    XCTAssertEqual(queue.completions, 200)
    for request in 1...200 { XCTAssertEqual(take(&queue)?.request, UInt64(request)) }
    XCTAssertEqual(queue.completions, 0)
  }

  func testWhyNothingWasSharedIsWithheldFromALockedWallet() {
    for isLocked in [true, false] {
      for kind in [WalletError.Kind.requestRefused, .requestExpired] {
        var state = ClientState(isLocked: { isLocked })
        let error = WalletError(kind, "refused", data: ["organisation": .text("Example Shop")])
        state.queue.append(EventObject(.completion(request: 1, .failure(error))))
        XCTAssertEqual(
          state.pull()?.error?.code, (isLocked ? WalletError.Kind.locked : kind).status)
      }
    }
  }

  func testCardsAreWithheldBeforeTheLockEventArrives() {
    for isLocked in [true, false] {
      var state = ClientState(isLocked: { isLocked })
      state.queue.append(EventObject(.completion(request: 1, .success(.pin(.valid)))))
      state.queue.append(EventObject(.completion(request: 2, .success(.cards([])))))
      XCTAssertNil(state.pull()?.error)
      XCTAssertEqual(state.pull()?.error?.code, isLocked ? WalletError.Kind.locked.status : nil)
      XCTAssertNil(state.pull())
    }
  }

  func testUC9_7ProtectedStepIsWithheldBeforeTheLockEventArrives() {
    for (isLocked, isProtected) in [(true, true), (true, false), (false, true)] {
      var state = ClientState(isLocked: { isLocked })
      var step = makeStep(7) { $0.isProtected = isProtected }
      state.queue.offer(.step, EventObject(.step(step)), version: 7)
      state.queue.append(EventObject(.completion(request: 1, .success(.nothing))))
      let isShown = !(isLocked && isProtected)
      if isShown { XCTAssertEqual(state.pull()?.step?.serial, 7) }
      XCTAssertEqual(state.pull()?.request, 1)
      XCTAssertNil(state.pull())
      // A new subscriber does not receive it either, but receives the next one.
      state.queue.replay(.step)
      XCTAssertEqual(state.pull() != nil, isShown)
      step.isProtected = false
      step.serial = 8
      state.queue.offer(.step, EventObject(.step(step)), version: 8)
      XCTAssertEqual(state.pull()?.step?.serial, 8)
    }
  }

  func testALockWithholdsTheWrongPinsOfACompletionThatNobodyHasTaken() {
    let failures = PinFailures(count: 2, lastAt: 1, total: 2, wallet: "wallet")
    let notices = OwnerNotices(failures: failures)
    var queue = EventQueue()
    queue.append(EventObject(.completion(request: 1, .success(.pin(.valid, notices)))))
    queue.offer(.lockState, lockState(.locked), version: 2)
    let answer = take(&queue)?.pinAnswer
    XCTAssertEqual(answer?.code, WALLET_CORE_PIN_OUTCOME_VALID)
    XCTAssertNil(answer?.failures)
  }

  func testWrongPinsThatAnUnlockedWalletWasToldOfAreWithheldBeforeTheLockEventArrives() {
    let failures = PinFailures(count: 2, lastAt: 1, total: 2, wallet: "wallet")
    for isLocked in [true, false] {
      var state = ClientState(isLocked: { isLocked })
      let told = OwnerNotices(failures: failures)
      let pinState = PinState.notBlocked(attemptsLeft: 2, finalRound: false)
      state.queue.append(EventObject(.completion(request: 1, .success(.pinState(pinState, told)))))
      state.queue.append(EventObject(.completion(request: 2, .success(.pin(.valid, told)))))
      for _ in 1...2 {
        let answer = state.pull()?.pinAnswer
        XCTAssertNotNil(answer)
        XCTAssertEqual(answer?.failures, isLocked ? nil : failures)
      }
    }
  }

  func testALockWithholdsQueuedCardsAndPresentations() {
    var queue = EventQueue()
    queue.append(EventObject(.completion(request: 1, .success(.cards([])))))
    queue.append(EventObject(.completion(request: 2, .success(.pin(.valid)))))
    queue.append(EventObject(.completion(request: 3, .success(.presentations(["a.b.c~"])))))
    queue.offer(.lockState, lockState(.locked), version: 2)
    let statuses = (1...3).map { _ in take(&queue)?.error?.code }
    XCTAssertEqual(statuses, [WalletError.Kind.locked.status, nil, WalletError.Kind.locked.status])
    XCTAssertEqual(queue.completions, 0)
    // A late event of a lock before the unlock in which these were requested.
    queue.append(EventObject(.completion(request: 4, .success(.cards([])))))
    queue.offer(.lockState, lockState(.locked), version: 1)
    XCTAssertNil(
      queue.take(isLocked: { false }, where: { if case .completion = $0 { true } else { false } })?
        .event.error)
  }

  func testACompletionContainsTheProvidersAnswer() {
    let wrong = EventObject(
      .completion(request: 9, .success(.pin(.wrong(attemptsLeft: 2, finalRound: true)))))
    XCTAssertEqual(
      String(cString: wrong.json.start),
      #"{"kind":"completion","pin":{"attempts_left":2,"is_final_round":true,"outcome":"wrong"},"#
        + #""request":9,"schema":1,"status":0,"status_name":"OK"}"#)
  }

  func testEveryKindOfErrorHasItsOwnCodeAndName() {
    let kinds = WalletError.Kind.allCases
    XCTAssertEqual(Set(kinds.map(\.status)).count, kinds.count)
    XCTAssertEqual(Set(kinds.map(\.statusName)).count, kinds.count)
    XCTAssertTrue(kinds.allSatisfy { (-999..<0).contains($0.status.rawValue) })
    XCTAssertTrue(kinds.allSatisfy { (1...8).contains($0.category.rawValue) })
  }
}
