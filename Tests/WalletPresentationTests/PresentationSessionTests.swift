import TestSupport
import WalletCredentials
import WalletJOSE
import WalletProtocol
import WalletTrust
import XCTest

@testable import WalletPresentation

/// The state machine of one request: what follows what, and that nothing is posted twice.
final class PresentationSessionTests: XCTestCase {
  private var party: TestParty!
  private var object = ""
  private var link: PresentationLink!
  private var anchors: TrustAnchors!

  override func setUpWithError() throws {
    party = try TestParty()
    anchors = try party.anchors()
    let key = try KeyAgreementKey()
    let clientID = "x509_san_dns:verifier.example"
    object = try party.object(
      TestParty.members(clientID, key: key.publicKey), chain: party.chain())
    link = try PresentationLink(
      parsing: "openid4vp://?client_id=\(clientID)&request_uri=https://verifier.example/r")
  }

  private let card = QueriedCard(id: "pid", types: ["a"], claims: .object([:]))

  private func begin(_ session: inout PresentationSession) throws -> PresentationSession.Next? {
    session.begin(nonce: [UInt8](repeating: 7, count: 32), key: try KeyAgreementKey())
  }

  private func answer(
    _ session: inout PresentationSession, _ status: Int, _ type: String?, _ body: String
  ) -> PresentationSession.Next? {
    session.receive(
      status: status, mediaType: type, body: Array(body.utf8), anchors: anchors,
      ownHosts: [], now: TestParty.now)
  }

  private func fetched(
    _ session: inout PresentationSession, _ body: String? = nil
  ) -> PresentationSession.Next? {
    answer(&session, 200, PresentationRequest.mediaType, body ?? object)
  }

  /// A session in which the user decides.
  private func deciding() throws -> PresentationSession {
    var session = PresentationSession(link)
    _ = try begin(&session)
    _ = fetched(&session)
    guard case .decide(_, let answer) = session.match([card]) else {
      XCTFail("the sample request is not answered")
      return session
    }
    XCTAssertTrue(answer.isPossible)
    return session
  }

  private func ending(_ next: PresentationSession.Next?) -> PresentationSession.Ending? {
    if case .end(let ending) = next { ending } else { nil }
  }

  private func post(_ next: PresentationSession.Next?) -> PresentationResponse? {
    if case .post(let response) = next { response } else { nil }
  }

  func testAnAnswerIsPostedOnceAndItsReplyEndsTheSession() throws {
    var session = try deciding()
    XCTAssertNotNil(post(try session.share(["p": ["c~"]], now: TestParty.now)))
    XCTAssertNil(try session.share(["p": ["c~"]], now: TestParty.now))
    XCTAssertNil(session.deny())
    let reply = #"{"redirect_uri":"https://verifier.example/done"}"#
    XCTAssertEqual(
      ending(answer(&session, 200, "application/json", reply)),
      .taken(redirectURI: "https://verifier.example/done"))
    XCTAssertNil(answer(&session, 200, "application/json", reply))
    XCTAssertNil(session.tell())
  }

  func testAfterALostReplyNothingIsPostedAgain() throws {
    // Also a success that says nothing, or not what it has to say.
    for (status, type, body) in [(200, nil, ""), (200, "text/html", "{}")]
      as [(Int, String?, String)]
    {
      var session = try deciding()
      _ = try session.share(["p": ["c~"]], now: TestParty.now)
      XCTAssertEqual(ending(answer(&session, status, type, body)), .unknown)
      XCTAssertNil(try session.share(["p": ["c~"]], now: TestParty.now))
    }
    for status in [nil, 400, 500, 302] as [Int?] {
      var session = try deciding()
      _ = try session.share(["p": ["c~"]], now: TestParty.now)
      let next =
        status.map { answer(&session, $0, "application/json", "{}") }
        ?? session.fail(wasSent: true)
      XCTAssertEqual(ending(next), .unknown)
      XCTAssertNil(try session.share(["p": ["c~"]], now: TestParty.now))
      XCTAssertNil(session.deny())
    }
  }

  func testWhatWasNotSentMayBeTriedOnceMore() throws {
    var session = try deciding()
    _ = try session.share(["p": ["c~"]], now: TestParty.now)
    XCTAssertEqual(ending(session.fail(wasSent: false)), .unreachable)
    XCTAssertNotNil(post(try session.share(["p": ["c~"]], now: TestParty.now)))
  }

  func testARequestThatIsOverIsNotAnswered() throws {
    var session = try deciding()
    XCTAssertEqual(
      ending(try session.share(["p": ["c~"]], now: TestParty.now + 300)), .expired)
    XCTAssertNil(try session.share(["p": ["c~"]], now: TestParty.now))
  }

  func testARequestThatIsGoneIsExpiredAndAnyOtherStatusIsRefused() throws {
    for (status, expected) in [(404, true), (410, true), (302, false), (500, false), (204, false)] {
      var session = PresentationSession(link)
      _ = try begin(&session)
      let end = ending(answer(&session, status, PresentationRequest.mediaType, object))
      XCTAssertEqual(end == .expired, expected, "\(status)")
      XCTAssertNil(session.tell(), "an unauthenticated party is told something")
    }
  }

  func testAnAnswerThatIsRefusedUnreadIsAnAnswer() throws {
    var session = PresentationSession(link)
    XCTAssertNil(session.refuseAnswer())
    _ = try begin(&session)
    guard case .refused(let refusal)? = ending(session.refuseAnswer()) else {
      return XCTFail("the fetch is not refused")
    }
    XCTAssertEqual(refusal.reason, .objectMalformed)
    XCTAssertNil(session.tell())
    session = try deciding()
    XCTAssertNil(session.refuseAnswer())
    _ = try session.share(["p": ["c~"]], now: TestParty.now)
    XCTAssertEqual(ending(session.refuseAnswer()), .unknown)
    session = try deciding()
    _ = session.deny()
    XCTAssertEqual(ending(session.refuseAnswer()), .failed)
    XCTAssertNil(session.refuseAnswer())
  }

  func testOnlyTheMediaTypeOfRequestObjectsIsRead() throws {
    for type in [nil, "text/plain", "application/json", "application/jwt"] as [String?] {
      var session = PresentationSession(link)
      _ = try begin(&session)
      XCTAssertNotNil(ending(answer(&session, 200, type, object)))
    }
  }

  func testAnAuthenticatedPartyIsToldOfItsErrorOnceAndByTheCallerOnly() throws {
    let key = try KeyAgreementKey()
    var members = TestParty.members("x509_san_dns:verifier.example", key: key.publicKey)
    members["transaction_data"] = .array([.string("x")])
    let object = try party.object(members, chain: party.chain())
    var session = PresentationSession(link)
    _ = try begin(&session)
    guard case .refused(let refusal)? = ending(fetched(&session, object)) else {
      return XCTFail("it was not refused")
    }
    XCTAssertEqual(refusal.reason, .transactionData)
    XCTAssertEqual(refusal.party?.host, "verifier.example")
    let told = try XCTUnwrap(post(session.tell()))
    XCTAssertTrue(
      String(decoding: told.body, as: UTF8.self).contains("error=invalid_transaction_data"))
    XCTAssertNil(session.tell())
    XCTAssertEqual(
      ending(answer(&session, 200, "application/json", "{}")), .taken(redirectURI: nil))
    XCTAssertNil(session.tell())
  }

  func testAFetchWithoutAnAnswerMayBeRepeatedWithOtherNonces() throws {
    var session = PresentationSession(link)
    XCTAssertNotNil(try begin(&session))
    XCTAssertNil(try begin(&session))
    XCTAssertEqual(ending(session.fail(wasSent: true)), .unreachable)
    XCTAssertNotNil(try begin(&session))
  }

  /// Random events in random order: at most one answer with data is ever handed out unless nothing
  /// of it was sent, and no event out of turn does anything.
  func testNoOrderOfEventsPostsDataTwice() throws {
    var generator = SeededGenerator(seed: 20_261_127)
    for _ in 0..<2_000 {
      var session = PresentationSession(link)
      var (posted, wasTold) = (0, false)
      for _ in 0..<12 {
        let next: PresentationSession.Next?
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: next = try begin(&session)
        case 1: next = fetched(&session)
        case 2: next = session.match([card])
        case 3:
          next = try session.share(["p": ["c~"]], now: TestParty.now)
          if post(next) != nil { posted += 1 }
        case 4:
          next = session.deny()
          if post(next) != nil {
            XCTAssertFalse(wasTold)
            wasTold = true
          }
        case 5: next = session.fail(wasSent: true)
        case 6:
          let wasPosting = posted > 0
          next = session.fail(wasSent: false)
          if wasPosting, next != nil { posted = 0 }
        case 7: next = answer(&session, 200, "application/json", "{}")
        case 8: next = session.refuseAnswer()
        default: next = answer(&session, 500, nil, "")
        }
        XCTAssertLessThanOrEqual(posted, 1)
        XCTAssertFalse(posted > 0 && wasTold, "data and a refusal were posted")
        _ = next
      }
    }
  }
}
