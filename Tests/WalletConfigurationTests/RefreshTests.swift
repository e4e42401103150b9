import TestSupport
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletTransport
import XCTest

@testable import WalletConfiguration

/// A transport whose answers about the update policy are held back until the test lets them go.
private final class HeldTransport: Transport, Sendable {
  private struct State {
    var policy = ""
    var asked = 0
    var allowed = 0
  }

  private let state = Monitor(State())
  private let clock = SystemBootClock()

  /// How often the policy was asked for.
  var asked: Int { state.withLock { $0.asked } }

  /// Lets `count` more requests for the policy be answered with `policy`.
  func allow(_ count: Int, policy: String) {
    state.update { state in
      state.allowed += count
      state.policy = policy
    }
  }

  /// Waits until the policy was asked for `count` times.
  func waitUntilAsked(_ count: Int) -> Bool {
    state.wait(until: clock.now() + Patience.milliseconds, clock: clock) { state in
      state.asked >= count ? true : nil
    } ?? false
  }

  func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    guard request.path == Route.updatePolicy else { return HTTPResponse(status: 304) }
    let number = state.update { state in
      state.asked += 1
      return state.asked
    }
    let policy = cancellation.whileCancellable(onCancel: { [state] in state.update { _ in } }) {
      state.wait(clock: clock) { state -> String? in
        if cancellation.isCancelled { return "" }
        return number <= state.allowed ? state.policy : nil
      }
    }
    guard let policy, !policy.isEmpty else { throw WalletError(.cancelled, "cancelled") }
    return HTTPResponse(status: 200, body: Array(policy.utf8))
  }
}

/// The refresh that a host asks for.
final class RefreshTests: XCTestCase {
  private var publisher: Publisher!
  private var transport: HeldTransport!
  private var updatePolicy: UpdatePolicyRepository!
  private var refresher: ConfigurationRefresher!
  private let ended = Monitor<[String]>([])

  override func setUpWithError() throws {
    publisher = try Publisher()
    let anchor = try ConfigurationAnchor(document: publisher.document(), pinnedKeys: [])
    var environment = SystemEnvironment()
    environment.calendarSeconds = { 1000 }
    updatePolicy = UpdatePolicyRepository(
      anchor: anchor, appVersion: try XCTUnwrap(AppVersion("1.0.0")), environment: environment,
      log: .silent, onChange: { _ in })
    let transport = HeldTransport()
    self.transport = transport
    refresher = ConfigurationRefresher(
      repository: ConfigurationRepository(anchor: anchor, log: .silent, onChange: { _ in }),
      updatePolicy: updatePolicy, clock: SystemBootClock(), log: .silent,
      makeTransport: { transport })
  }

  override func tearDown() { refresher.shutDown() }

  private func policy(_ rules: UpdateRule...) throws -> String {
    try SignedMessage.sign(
      UpdatePolicyClaims(providerID: "provider", issuedAt: 1000, rules: rules),
      type: .updatePolicy, signer: publisher.online)
  }

  /// Asks for a refresh, whose end is recorded as "NAME: STATUS".
  private func refresh(_ name: String, _ cancellation: Cancellation = Cancellation()) {
    refresher.refresh(cancellation: cancellation) { [ended] failure in
      ended.update { $0.append("\(name): \(failure?.kind.statusName ?? "OK")") }
    }
  }

  /// Returns the ends after `count` of them, sorted.
  private func ends(_ count: Int) -> [String] {
    let clock = SystemBootClock()
    let ends = ended.wait(until: clock.now() + Patience.milliseconds, clock: clock) { ended in
      ended.count >= count ? ended : nil
    }
    return (ends ?? ended.withLock { $0 }).sorted()
  }

  func testCallsDuringAFetchShareTheNextOneWhichHasWhatWasPublishedBeforeThem() throws {
    refresher.start()
    XCTAssertTrue(transport.waitUntilAsked(1), "the first fetch is running")
    for name in ["a", "b", "c"] { refresh(name) }
    transport.allow(1, policy: try policy())
    XCTAssertTrue(transport.waitUntilAsked(2))
    XCTAssertEqual(ends(0), [], "a fetch that began before the calls does not count for them")
    transport.allow(1, policy: try policy(UpdateRule(grade: .recommend)))
    XCTAssertEqual(ends(3), ["a: OK", "b: OK", "c: OK"])
    XCTAssertEqual(updatePolicy.current.value, .recommend)
    XCTAssertEqual(transport.asked, 2)
  }

  func testACancellationEndsOneCallAtOnceAndNoOther() throws {
    refresher.start()
    XCTAssertTrue(transport.waitUntilAsked(1))
    let cancellation = Cancellation()
    refresh("a", cancellation)
    refresh("b")
    cancellation.cancel()
    cancellation.cancel()
    XCTAssertEqual(ends(1), ["a: CANCELLED"])
    refresh("c", cancellation)
    XCTAssertEqual(ends(2), ["a: CANCELLED", "c: CANCELLED"])
    transport.allow(2, policy: try policy())
    XCTAssertEqual(ends(3), ["a: CANCELLED", "b: OK", "c: CANCELLED"])
  }

  func testTheEndOfTheRefresherEndsEveryCall() throws {
    refresher.start()
    XCTAssertTrue(transport.waitUntilAsked(1))
    refresh("a")
    refresher.shutDown()
    refresh("b")
    XCTAssertEqual(ends(2), ["a: CANCELLED", "b: OUT_OF_RESOURCES"])
  }

  func testAPolicyThatDoesNotVerifyIsAFailure() throws {
    transport.allow(9, policy: "a.b.c")
    refresh("a")
    XCTAssertEqual(ends(1), ["a: SERVER_UNREACHABLE"])
  }
}

/// A transport that has nothing to send requests with until the test lets it.
private final class MissingTransport: Transport, Sendable {
  private struct State {
    var asked = 0
    var isThere = false
    var isHeld = false
  }

  private let state = Monitor(State())
  private let clock = SystemBootClock()

  /// How many requests there were.
  var asked: Int { state.withLock { $0.asked } }

  /// From now on requests have an answer.
  func come() { state.update { $0.isThere = true } }

  /// Keeps requests from ending until it is called with false.
  func hold(_ isHeld: Bool) { state.update { $0.isHeld = isHeld } }

  func waitUntilAsked(_ count: Int) -> Bool {
    state.wait(until: clock.now() + Patience.milliseconds, clock: clock) { state in
      state.asked >= count ? true : nil
    } ?? false
  }

  func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    let isThere = state.update { state in
      state.asked += 1
      return state.isThere
    }
    _ = state.wait(clock: clock) { $0.isHeld && !cancellation.isCancelled ? nil : true }
    guard isThere else { throw WalletError(.transportMissing, "there is none") }
    return HTTPResponse(status: 404)
  }
}

/// What the refresh does when there is something to send requests with at last. The clock stands,
/// so that no pause ends by itself.
final class LateTransportTests: XCTestCase {
  private var transport: MissingTransport!
  private var refresher: ConfigurationRefresher!
  /// The requests of one round: the update policy and the configuration.
  private let round = 2

  override func setUpWithError() throws {
    let anchor = try ConfigurationAnchor(document: Publisher().document(), pinnedKeys: [])
    let clock = AdjustableClock()
    clock.stop()
    let transport = MissingTransport()
    self.transport = transport
    refresher = ConfigurationRefresher(
      repository: ConfigurationRepository(anchor: anchor, log: .silent, onChange: { _ in }),
      updatePolicy: UpdatePolicyRepository(
        anchor: anchor, appVersion: try XCTUnwrap(AppVersion("1.0.0")),
        environment: SystemEnvironment(), log: .silent, onChange: { _ in }),
      clock: clock, log: .silent, makeTransport: { transport })
  }

  override func tearDown() {
    transport.hold(false)
    refresher.shutDown()
  }

  /// Waits for the end of a round, after which no other begins by itself. Returns its status.
  private func refreshed() -> String? {
    let (ended, clock) = (Monitor<String?>(nil), SystemBootClock())
    refresher.refresh(cancellation: Cancellation()) { failure in
      ended.update { $0 = failure?.kind.statusName ?? "OK" }
    }
    return ended.wait(until: clock.now() + Patience.milliseconds, clock: clock) { $0 }
  }

  func testWhatFailedForWantOfATransportIsTriedAgainAtOnce() {
    XCTAssertEqual(refreshed(), "TRANSPORT_MISSING")
    let before = transport.asked
    transport.come()
    refresher.transportIsReady()
    XCTAssertTrue(transport.waitUntilAsked(before + round), "it waits for the end of its pause")
  }

  func testARoundThatHasBegunWithoutATransportIsRepeated() {
    transport.hold(true)
    refresher.start()
    XCTAssertTrue(transport.waitUntilAsked(1))
    transport.come()
    refresher.transportIsReady()
    transport.hold(false)
    XCTAssertTrue(transport.waitUntilAsked(2 * round), "the round that failed was the last one")
  }

  func testAfterAnyOtherEndNothingIsAskedAgain() {
    transport.come()
    XCTAssertEqual(refreshed(), "SERVER_UNREACHABLE")
    let before = transport.asked
    refresher.transportIsReady()
    XCTAssertEqual(refreshed(), "SERVER_UNREACHABLE")
    XCTAssertEqual(transport.asked, before + round)
  }
}
