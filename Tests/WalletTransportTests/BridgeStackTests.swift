import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

/// A host that reports what a test says.
private struct ReportingHost: HTTPBridge {
  let result: Result<HTTPReply, BridgeFailure>

  var isPresent: Bool { true }

  func send(
    _ call: HTTPCall, cancellation: Cancellation
  ) throws(BridgeFailure) -> HTTPReply { try result.get() }
}

/// What the core believes of what a host's HTTP bridge reports.
final class BridgeStackTests: XCTestCase {
  private let url = "https://verifier.invalid/a"

  private func perform(
    _ result: Result<HTTPReply, BridgeFailure>, reach: HTTPCall.Reach
  ) -> Result<HTTPResponse, HTTPFailure> {
    let call = HTTPCall(
      .get, url, headers: [], body: [], certificateAuthorities: nil, oldestTLS: .v12, reach: reach,
      sharesConnections: false, connectTimeout: 1_000, timeout: 1_000, largestHeaders: 20,
      largestBody: 10)
    return Result { () throws(HTTPFailure) in
      try AvailableStack(ReportingHost(result: result)).perform(
        call, of: .other, cancellation: Cancellation())
    }
  }

  /// Reports a good answer that `change` has changed.
  private func report(
    reach: HTTPCall.Reach = .publicAddresses(orLoopback: false),
    _ change: (inout HTTPReply) -> Void = { _ in }
  ) -> Result<HTTPResponse, HTTPFailure> {
    var reply = HTTPReply(
      .answered, wasSent: true, status: 200, headers: [.init("ETag", "1"), .init("etag", "2")],
      body: [1, 2], url: url, remoteAddress: "8.8.8.8")
    change(&reply)
    return perform(.success(reply), reach: reach)
  }

  private func assertRefused(
    _ result: Result<HTTPResponse, HTTPFailure>, _ reason: String, line: UInt = #line
  ) {
    guard case .failure(let failure) = result else { return XCTFail("accepted", line: line) }
    XCTAssertEqual(failure.error.kind, .serverRefused, line: line)
    XCTAssertTrue(failure.error.message.contains(reason), failure.error.message, line: line)
    XCTAssertTrue(failure.wasSent, line: line)
  }

  func testAnAnswerIsHandedOn() throws {
    let answer = try report().get()
    XCTAssertEqual(answer.status, 200)
    XCTAssertEqual(answer.headers, ["etag": "1, 2"])
    XCTAssertEqual(answer.body, [1, 2])
  }

  func testAnAnswerOfAnotherURLIsRefused() {
    for other in [
      "https://verifier.invalid/b", "https://verifier.invalid/a/", "https://verifier.invalid/A",
      "http://verifier.invalid/a", "https://verifier.invalid/a?", "",
    ] {
      assertRefused(report { $0.url = other }, "another URL")
      assertRefused(report(reach: .anyAddress) { $0.url = other }, "another URL")
    }
  }

  func testAnAnswerOfAPrivateAddressIsRefused() throws {
    for address in ["127.0.0.1", "10.0.0.1", "::1", "fe80::1%wlan0", "", "verifier.invalid"] {
      assertRefused(report { $0.remoteAddress = address }, "not public")
    }
    let development = HTTPCall.Reach.publicAddresses(orLoopback: true)
    _ = try report(reach: development) { $0.remoteAddress = "127.0.0.1" }.get()
    assertRefused(report(reach: development) { $0.remoteAddress = "10.0.0.1" }, "not public")
    // The provider may be anywhere: its answers are signed.
    _ = try report(reach: .anyAddress) { $0.remoteAddress = "" }.get()
  }

  func testAnAnswerBeyondTheLimitsIsRefused() throws {
    _ = try report { $0.body = [UInt8](repeating: 0, count: 10) }.get()
    assertRefused(report { $0.body = [UInt8](repeating: 0, count: 11) }, "larger than 10")
    _ = try report { $0.headers = [.init("a", String(repeating: "b", count: 19))] }.get()
    assertRefused(
      report { $0.headers = [.init("a", String(repeating: "b", count: 20))] }, "larger than 20")
    for status in [-1, 0, 100, 101, 199, 600, 1000] {
      assertRefused(report { $0.status = status }, "status")
    }
  }

  func testEveryOutcomeHasAnErrorAndTellsWhetherAByteWasSent() {
    let kinds: [(HTTPReply.Outcome, WalletError.Kind)] = [
      (.noNetwork, .noInternet), (.notConnected, .serverUnreachable),
      (.timedOut, .serverUnreachable), (.tlsRefused, .serverUnreachable),
      (.incomplete, .serverUnreachable), (.tooLarge, .serverRefused),
      (.addressRefused, .serverRefused),
    ]
    for (outcome, kind) in kinds {
      for wasSent in [false, true] {
        let reply = HTTPReply(outcome, wasSent: wasSent, message: "gateway 7")
        guard case .failure(let failure) = perform(.success(reply), reach: .anyAddress) else {
          XCTFail("\(outcome) is an answer")
          continue
        }
        XCTAssertEqual(failure.error.kind, kind)
        XCTAssertEqual(failure.wasSent, wasSent)
      }
    }
  }

  func testABridgeThatDoesNotAnswerMayHaveSentTheRequest() {
    let kinds: [(BridgeFailure, WalletError.Kind, Bool)] = [
      (.timedOut, .serverUnreachable, true), (.cancelled, .cancelled, true),
      // The host has taken it away at this moment: libcurl finds no such name.
      (.missing, .noInternet, false),
    ]
    for (bridge, kind, wasSent) in kinds {
      guard case .failure(let failure) = perform(.failure(bridge), reach: .anyAddress) else {
        XCTFail("\(bridge) is an answer")
        continue
      }
      XCTAssertEqual(failure.error.kind, kind)
      XCTAssertEqual(failure.wasSent, wasSent)
    }
  }
}
