import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletTransport
import XCTest

@testable import WalletAccount

/// Only an answer that the provider has signed for exactly this request is accepted; every other
/// answer is refused and changes nothing.
final class AnswerAcceptanceTests: XCTestCase {
  private var resultKey: Ed25519.SigningKey!
  private var bed: TestBed!

  override func setUpWithError() throws {
    resultKey = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "result-1")
    bed = try TestBed(resultKey: resultKey)
  }

  private func result(
    to request: InstructionClient.Prepared,
    outcome: InstructionOutcome = .blockedPermanently(counted: true),
    by key: Ed25519.SigningKey? = nil, type: SignedMessageType = .instructionResult,
    change: (inout InstructionResultClaims) -> Void = { _ in }
  ) throws -> HTTPResponse {
    var claims = InstructionResultClaims(
      issuer: "provider", answering: request.claims, requestHash: request.requestHash,
      outcome: outcome)
    change(&claims)
    let compact = try SignedMessage.sign(claims, type: type, signer: key ?? resultKey)
    return HTTPResponse(
      status: 200, headers: ["content-type": "application/json"],
      body: try WireJSON.encode(InstructionAnswer(result: compact)))
  }

  private func exchange(
    _ answer: (InstructionClient.Prepared) throws -> HTTPResponse
  ) throws -> InstructionClient.Answer {
    let request = try bed.request()
    bed.transport.answers = [.success(try answer(request))]
    return try bed.client.exchange(request, cancellation: Cancellation())
  }

  private func assertRefused(
    _ kind: WalletError.Kind = .serverRefused, file: StaticString = #filePath, line: UInt = #line,
    _ answer: (InstructionClient.Prepared) throws -> HTTPResponse
  ) {
    XCTAssertThrowsError(try exchange(answer), file: file, line: line) { error in
      XCTAssertEqual((error as? WalletError)?.kind, kind, file: file, line: line)
    }
  }

  func testAProviderThatHasTooMuchToDoIsUnreachableForAWhileAndSaysForHowLong() throws {
    for (status, kind, tries) in [
      (429, ProblemKind.tooManyRequests, 1), (503, .unavailable, 2), (408, .requestTimeout, 1),
    ] {
      let request = try bed.request(.pinState)
      let answer = HTTPResponse(
        status: status,
        headers: ["content-type": "application/problem+json", "retry-after": "7"],
        body: try WireJSON.encode(Problem(kind, title: "later")))
      bed.transport.answers = [.success(answer), .success(answer)]
      let sent = bed.transport.requests.count
      XCTAssertThrowsError(try bed.client.exchange(request, cancellation: Cancellation())) {
        XCTAssertEqual(($0 as? WalletError)?.kind, .serverUnreachable)
        XCTAssertEqual(($0 as? WalletError)?.data["retry_after_s"], .number(7))
      }
      XCTAssertEqual(bed.transport.requests.count, sent + tries, "\(status)")
    }
  }

  func testBothTriesTogetherTakeLittleLongerThanOneMay() throws {
    for (spent, left) in [(0, 30_000), (20_000, 10_000), (30_000, 5_000), (600_000, 5_000)] {
      let bed = try TestBed(resultKey: resultKey)
      bed.clock.stop()
      bed.transport.whenAsked = { bed.clock.advance(by: Milliseconds(spent)) }
      XCTAssertThrowsError(
        try bed.client.exchange(bed.request(), cancellation: Cancellation())
      ) {
        XCTAssertEqual(($0 as? WalletError)?.kind, .serverUnreachable)
      }
      XCTAssertEqual(bed.transport.timeouts, [30_000, Milliseconds(left)])
    }
  }

  func testTheAnswerToThisRequestIsAccepted() throws {
    guard case .outcome(.blockedPermanently(counted: true)) = try exchange({ try result(to: $0) })
    else {
      return XCTFail("refused")
    }
  }

  func testAReplayedAnswerToAnEarlierRequestIsRefused() throws {
    let earlier = try bed.request()
    assertRefused { _ in try result(to: earlier) }
  }

  func testAnAnswerForAnotherWalletInstructionChallengeSequenceOrIssuerIsRefused() {
    assertRefused { try result(to: $0) { $0.wallet = "other" } }
    assertRefused { try result(to: $0) { $0.instruction = .deleteWallet } }
    assertRefused { try result(to: $0) { $0.challenge = "AAAA" } }
    assertRefused { try result(to: $0) { $0.challenge = nil } }
    assertRefused { try result(to: $0) { $0.sequence += 1 } }
    assertRefused { try result(to: $0) { $0.issuer = "other" } }
    assertRefused { try result(to: $0) { $0.version = 3 } }
    assertRefused { try result(to: $0) { $0.requestHash = "AAAA" } }
  }

  func testAnAnswerByAnotherKeyOrOfAnotherTypeIsRefused() throws {
    let stranger = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "result-1")
    let unknown = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "result-2")
    assertRefused { try result(to: $0, by: stranger) }
    assertRefused { try result(to: $0, by: unknown) }
    assertRefused { try result(to: $0, type: .certificate) }
  }

  func testAKeyThatIsNotKnownIsLookedUpInAFreshConfigurationOnce() throws {
    let next = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "result-2")
    assertRefused { try result(to: $0, by: next) }
    XCTAssertEqual(bed.configurations.refreshes, 1)
    var configuration = bed.configurations.current
    configuration.resultKeys.append(
      PublishedKey(id: "result-2", key: Base64URL.encode(next.publicKey)))
    bed.configurations.next = configuration
    for _ in 1...2 {
      guard case .outcome = try exchange({ try result(to: $0, by: next) }) else {
        return XCTFail("refused")
      }
    }
    XCTAssertEqual(bed.configurations.refreshes, 2)
    // A wrong signature under the id of a known key does not refresh the configuration.
    assertRefused {
      try result(to: $0, by: Ed25519.SigningKey(seed: .random(count: 32), keyID: "result-1"))
    }
    XCTAssertEqual(bed.configurations.refreshes, 2)
  }

  func testAlgNoneIsRefused() throws {
    assertRefused { request in
      let claims = InstructionResultClaims(
        issuer: "provider", answering: request.claims, requestHash: request.requestHash,
        outcome: .blockedPermanently(counted: true))
      let header = Array(
        #"{"alg":"none","kid":"result-1","typ":"wallet-instruction-result+jwt"}"#.utf8)
      let signature = Base64URL.encode([UInt8](repeating: 0, count: 64))
      let compact =
        "\(Base64URL.encode(header)).\(Base64URL.encode(try WireJSON.encode(claims))).\(signature)"
      return HTTPResponse(
        status: 200, body: try WireJSON.encode(InstructionAnswer(result: compact)))
    }
  }

  func testAnUnsignedBlockedIsAProblemAndNeverAnOutcome() throws {
    let body = Array(#"{"result":{"kind":"blocked_permanently"}}"#.utf8)
    assertRefused { _ in HTTPResponse(status: 200, body: body) }
    assertRefused { _ in HTTPResponse(status: 403, body: Array(#"{"type":"blocked"}"#.utf8)) }
    assertRefused(.serverUnreachable) { _ in HTTPResponse(status: 503, body: body) }
    let problem = try WireJSON.encode(Problem(.challengeRefused, title: "x"))
    guard
      case .problem(.challengeRefused) = try exchange({ _ in
        HTTPResponse(status: 403, body: problem)
      })
    else { return XCTFail("not a problem") }
  }

  func testRubbishIsRefused() {
    for body in ["", "{}", "null", "[", #"{"result":""}"#, #"{"result":"a.b.c"}"#, "\u{0}"] {
      assertRefused { _ in HTTPResponse(status: 200, body: Array(body.utf8)) }
    }
  }

  /// The second request has what is left of the time of both.
  private func assertTheSameBytes(line: UInt = #line) {
    guard let first = bed.transport.requests.first, let last = bed.transport.requests.last else {
      return XCTFail("no request", line: line)
    }
    XCTAssertLessThanOrEqual(last.timeout, first.timeout, line: line)
    XCTAssertEqual(last.method, first.method, line: line)
    XCTAssertEqual(last.path, first.path, line: line)
    XCTAssertEqual(last.headers, first.headers, line: line)
    XCTAssertEqual(last.body, first.body, line: line)
  }

  func testALostAnswerIsAskedForOnceMoreWithTheSameBytes() throws {
    let request = try bed.request()
    let lost = WalletError(.serverUnreachable, "lost")
    bed.transport.answers = [.failure(lost), .success(try result(to: request))]
    _ = try bed.client.exchange(request, cancellation: Cancellation())
    XCTAssertEqual(bed.transport.requests.count, 2)
    assertTheSameBytes()
    bed.transport.answers = [.failure(lost), .failure(lost)]
    XCTAssertThrowsError(try bed.client.exchange(request, cancellation: Cancellation()))
    XCTAssertEqual(bed.transport.requests.count, 4)
  }

  func testARequestThatTheProviderOrAProxyFailedIsSentOnceMoreWithTheSameBytes() throws {
    for status in [500, 502, 503, 504] {
      bed = try TestBed(resultKey: resultKey)
      let request = try bed.request()
      let failed = HTTPResponse(status: status)
      bed.transport.answers = [.success(failed), .success(try result(to: request))]
      guard
        case .outcome = try bed.client.exchange(request, cancellation: Cancellation())
      else { return XCTFail("\(status)") }
      XCTAssertEqual(bed.transport.requests.count, 2)
      assertTheSameBytes()
      // Whatever fails, there are two tries in all.
      let lost = WalletError(.serverUnreachable, "lost")
      for answers: [Result<HTTPResponse, WalletError>] in [
        [.success(failed), .failure(lost)], [.failure(lost), .success(failed)],
      ] {
        bed.transport.answers = answers + [.success(try result(to: request))]
        XCTAssertThrowsError(try bed.client.exchange(request, cancellation: Cancellation())) {
          XCTAssertEqual(($0 as? WalletError)?.kind, .serverUnreachable)
        }
        XCTAssertEqual(bed.transport.answers.count, 1)
      }
    }
    XCTAssertEqual(bed.transport.requests.count, 6)
  }

  func testWhatIsCancelledAfterAFailureIsNotSentAgain() throws {
    let request = try bed.request()
    bed.transport.answers = [
      .success(HTTPResponse(status: 503)), .success(try result(to: request)),
    ]
    let cancellation = Cancellation()
    bed.transport.whenAsked = { cancellation.cancel() }
    XCTAssertThrowsError(try bed.client.exchange(request, cancellation: cancellation)) {
      XCTAssertEqual(($0 as? WalletError)?.kind, .cancelled)
    }
    XCTAssertEqual(bed.transport.requests.count, 1)
  }
}
