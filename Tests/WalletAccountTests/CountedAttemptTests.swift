import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletTransport
import XCTest

@testable import WalletAccount

/// An attempt at the PIN that the provider has counted is completed although it asks to wait.
final class CountedAttemptTests: XCTestCase {
  private typealias Scripted = Result<HTTPResponse, WalletError>

  private let lost = Scripted.failure(WalletError(.serverUnreachable, "lost"))

  private func later(_ status: Int, seconds: Int = 1) -> Scripted {
    .success(HTTPResponse(status: status, headers: ["retry-after": "\(seconds)"]))
  }

  /// An answer that ends the exchange.
  private func refused() throws -> Scripted {
    .success(
      HTTPResponse(
        status: 403, body: try WireJSON.encode(Problem(.challengeRefused, title: "x"))))
  }

  private func bed() throws -> TestBed {
    let bed = try TestBed(resultKey: Ed25519.SigningKey(seed: .random(count: 32)))
    bed.clock.stop()
    return bed
  }

  /// Sends a request that gets `answers`, and then one that ends the exchange. Asserts how often it
  /// was sent, always with the same bytes. Returns the waits.
  @discardableResult
  private func assertSent(
    _ times: Int, _ name: InstructionName, beginsAttempt: Bool = false, _ answers: [Scripted],
    line: UInt = #line
  ) throws -> [Milliseconds] {
    let bed = try bed()
    bed.transport.answers = answers + [try refused()]
    let answer = try? bed.client.exchange(
      bed.request(name), cancellation: Cancellation(), beginsAttempt: beginsAttempt)
    XCTAssertEqual(bed.transport.requests.count, times, line: line)
    XCTAssertEqual(Set(bed.transport.requests.map(\.body)).count, 1, line: line)
    if times > answers.count {
      guard case .problem(.challengeRefused)? = answer else {
        XCTFail("no answer", line: line)
        return []
      }
    } else {
      XCTAssertNil(answer, line: line)
    }
    return bed.waits.withLock { $0 }
  }

  func testAnAnswerToAnAttemptIsSentAgainWhenTheProviderSays() throws {
    try assertSent(2, .checkPin, [later(429)])
    try assertSent(3, .authorizeUse, [later(429), later(429)])
    try assertSent(3, .beginPinChange, [later(503), later(503)])
    try assertSent(3, .decideReplacement, [lost, later(429)])
  }

  func testALostAnswerAfterAWaitIsAskedForOnceMore() throws {
    try assertSent(3, .checkPin, [later(429), lost])
    try assertSent(4, .checkPin, [later(429), lost, later(503)])
    try assertSent(3, .checkPin, [later(429), lost, lost])
  }

  func testAChallengeIsSentAgainOnlyIfTheAttemptMayHaveBeenCounted() throws {
    try assertSent(1, .challenge, beginsAttempt: true, [later(429)])
    try assertSent(3, .challenge, beginsAttempt: true, [lost, later(429)])
    try assertSent(3, .challenge, beginsAttempt: true, [later(503), later(503)])
    try assertSent(2, .challenge, [lost, later(429)])
  }

  func testWhatIsNoAttemptDoesNotWait() throws {
    try assertSent(1, .pinState, [later(429)])
    try assertSent(2, .preparePinChange, [later(503), later(503)])
  }

  func testEachWaitIsAsLongAsTheProviderAsksAndTwiceTheOneBeforeAndRandom() throws {
    for _ in 1...20 {
      let waits = try assertSent(
        4, .checkPin, [later(429, seconds: 0), later(429), later(429, seconds: 7)])
      for (wait, asked) in zip(waits, [1_000, 2_000, 7_000] as [Milliseconds]) {
        XCTAssertTrue((asked...asked * 3 / 2).contains(wait), "\(waits)")
      }
    }
    let firsts = try (1...20).map { _ in try assertSent(2, .checkPin, [later(429)]) }
    XCTAssertGreaterThan(Set(firsts).count, 1)
  }

  func testNobodyWaitsWithoutBeingAsked() throws {
    try assertSent(1, .checkPin, [.success(HTTPResponse(status: 429))])
    try assertSent(1, .checkPin, [later(408)])
  }

  func testNobodyWaitsForLongerThanTheRequestMayTake() throws {
    for seconds in [26, 86_400, Int.max] {
      XCTAssertEqual(try assertSent(1, .checkPin, [later(429, seconds: seconds)]), [])
    }
    let bed = try bed()
    bed.transport.answers = Array(repeating: later(503), count: 60)
    XCTAssertThrowsError(try bed.client.exchange(bed.request(), cancellation: Cancellation()))
    let waits = bed.waits.withLock { $0 }
    XCTAssertLessThanOrEqual(waits.reduce(0, +), 25_000)
    XCTAssertTrue(waits.allSatisfy { $0 >= 1_000 }, "\(waits)")
  }

  /// The time that remains is used: it is shorter than the next wait would be, but long enough for the
  /// provider.
  func testAWaitThatTheProviderAsksForIsNotGivenUpForItsRandomPart() throws {
    for _ in 1...20 {
      let waits = try assertSent(2, .checkPin, [later(429, seconds: 24)])
      XCTAssertTrue(waits.allSatisfy { (24_000...25_000).contains($0) }, "\(waits)")
      let bed = try bed()
      bed.transport.answers = Array(repeating: later(503), count: 60)
      XCTAssertThrowsError(try bed.client.exchange(bed.request(), cancellation: Cancellation()))
      XCTAssertGreaterThan(bed.waits.withLock { $0 }.reduce(0, +), 24_000)
    }
  }

  /// A decision that takes effect only with this message may be given up.
  func testACancellationEndsTheWaitOfADecisionWhoseSendingItDoesNotEnd() throws {
    let bed = try bed()
    bed.transport.answers = [later(429), try refused()]
    let user = Cancellation()
    bed.transport.whenAsked = { user.cancel() }
    XCTAssertThrowsError(
      try bed.client.exchange(
        bed.request(.decideReplacement), cancellation: Cancellation(), waitingUntil: user,
        ifStill: { () throws(WalletError) in throw WalletError(.cancelled, "cancelled") }))
    XCTAssertEqual(bed.transport.requests.count, 1)
    XCTAssertEqual(bed.waits.withLock { $0 }, [])
  }

  func testAllTriesTogetherTakeLittleLongerThanOneMay() throws {
    let bed = try bed()
    let (start, silent) = (bed.clock.now(), Milliseconds(5_000))
    // The provider asks for the longest wait that is possible, and then is silent.
    bed.transport.answers = [later(429, seconds: 16), lost, lost, lost]
    bed.transport.whenAsked = {
      if bed.transport.requests.count > 1 { bed.clock.advance(by: silent) }
    }
    XCTAssertThrowsError(try bed.client.exchange(bed.request(), cancellation: Cancellation()))
    XCTAssertEqual(bed.transport.requests.count, 3)
    XCTAssertLessThanOrEqual(bed.clock.now() - start, 35_000)
  }

  func testAfterAWaitInWhichTheDeviceSleptNothingIsSent() throws {
    let asleep = try TestBed(resultKey: Ed25519.SigningKey(seed: .random(count: 32))) { clock in
      clock.advance(by: 3_600_000)
    }
    asleep.transport.answers = [later(429), try refused()]
    XCTAssertThrowsError(
      try asleep.client.exchange(asleep.request(), cancellation: Cancellation())
    ) { XCTAssertEqual(($0 as? WalletError)?.kind, .serverUnreachable) }
    XCTAssertEqual(asleep.transport.requests.count, 1)
  }

  func testTheErrorOfTheLastTrySaysWhenToComeAgain() throws {
    let bed = try bed()
    bed.transport.answers = [later(429), later(429, seconds: 60)]
    XCTAssertThrowsError(
      try bed.client.exchange(bed.request(), cancellation: Cancellation())
    ) {
      XCTAssertEqual(($0 as? WalletError)?.kind, .serverUnreachable)
      XCTAssertEqual(($0 as? WalletError)?.data["retry_after_s"], .number(60))
    }
  }

  func testAfterAWaitNothingIsSentThatIsNotAllowedAnyMore() throws {
    let bed = try bed()
    bed.transport.answers = [later(429), try refused()]
    XCTAssertThrowsError(
      try bed.client.exchange(
        bed.request(.decideReplacement), cancellation: Cancellation(),
        ifStill: { () throws(WalletError) in throw WalletError(.locked, "locked") })
    ) { XCTAssertEqual(($0 as? WalletError)?.kind, .locked) }
    XCTAssertEqual(bed.transport.requests.count, 1)
  }

  func testWhatIsCancelledDuringAWaitIsNotSentAgain() throws {
    let bed = try bed()
    bed.transport.answers = [later(429), try refused()]
    let cancellation = Cancellation()
    bed.transport.whenAsked = { cancellation.cancel() }
    XCTAssertThrowsError(try bed.client.exchange(bed.request(), cancellation: cancellation)) {
      XCTAssertEqual(($0 as? WalletError)?.kind, .cancelled)
    }
    XCTAssertEqual(bed.transport.requests.count, 1)
    XCTAssertEqual(bed.waits.withLock { $0 }, [], "it waits for this cancellation")
  }
}
