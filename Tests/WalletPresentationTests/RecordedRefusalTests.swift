import WalletCredentials
import WalletJOSE
import WalletPresentation
import WalletProtocol
import XCTest

/// Presentations in which one thing was spoilt on the way to the verifier, so that polaris-oid4vp
/// or openvc-core refused them: what the wallet makes of such a request and of the reply.
/// LiveVerifierTests checks that both still say the same of each fault.
final class RecordedRefusalTests: XCTestCase {
  private let card = QueriedCard(
    id: "pid", types: ["urn:wallet-provider:pid:1"],
    claims: .object([
      "given_name": .string("Odalys"), "age_equal_or_over": .object(["18": .boolean(true)]),
    ]))

  func testEachWasRefusedForItsFaultAlone() throws {
    let all = try Transcript.all(refused: true)
    XCTAssertEqual(all.count, 18)
    for (name, transcript) in all {
      XCTAssertEqual(transcript.answers.count, 1, "\(name): an answer was sent again")
      let answer = try XCTUnwrap(transcript.answers.first, name)
      let fault = try XCTUnwrap(answer.fault, name)
      XCTAssertEqual(name, "refused-\(fault.replacing(" ", with: "-")).json")
      let unfaulted = try XCTUnwrap(answer.unfaulted, name)
      XCTAssertEqual([unfaulted.verdict, unfaulted.second], ["authentic", "accepted"], name)
      let (verdict, second) = (answer.verdicts.verdict, answer.verdicts.second)
      XCTAssertTrue(verdict != "authentic" || second.hasPrefix("refused: "), name)
      XCTAssertEqual(answer.status, verdict == "authentic" ? 200 : 400, name)
      XCTAssertEqual(answer.reply.error == nil, verdict == "authentic", name)
    }
  }

  func testARefusalEndsTheSessionAndTheAnswerMayHaveBeenShared() throws {
    for (name, transcript) in try Transcript.all(refused: true) {
      let answer = try XCTUnwrap(transcript.answers.first, name)
      var session = PresentationSession(try PresentationLink(parsing: transcript.link))
      let presentations = answer.sent.vpToken
      let response = try answered(&session, transcript, presentations, name)
      XCTAssertEqual(response?.url.hasPrefix("https://verifier.localhost:"), true, name)
      var reply: [String: JSONValue] = [:]
      reply["redirect_uri"] = answer.reply.redirectUri.map(JSONValue.string)
      reply["error"] = answer.reply.error.map(JSONValue.string)
      let next = session.receive(
        status: answer.status, mediaType: "application/json",
        body: JSONValue.object(reply).encoded, anchors: try transcript.trustAnchors(),
        ownHosts: ["wallet.example"], now: transcript.now)
      let isTaken = answer.verdicts.verdict == "authentic"
      guard case .end(let ending)? = next else {
        XCTFail("\(name): the session goes on")
        continue
      }
      XCTAssertEqual(
        ending, isTaken ? .taken(redirectURI: answer.reply.redirectUri) : .unknown, name)
      XCTAssertNil(try session.share(presentations, now: transcript.now), "\(name): sent again")
      XCTAssertNil(session.deny(), name)
      XCTAssertNil(session.tell(), name)
    }
  }

  /// Walks from the link to the answer, with what was recorded.
  private func answered(
    _ session: inout PresentationSession, _ transcript: Transcript,
    _ presentations: [String: [String]], _ name: String
  ) throws -> PresentationResponse? {
    let fetch = try XCTUnwrap(transcript.fetches.first, name)
    let nonce = try XCTUnwrap(fetch.walletNonce.flatMap { Base64URL.decode($0) }, name)
    guard case .fetch(let sent)? = session.begin(nonce: nonce, key: try KeyAgreementKey()) else {
      XCTFail("\(name): nothing is fetched")
      return nil
    }
    XCTAssertEqual(sent.walletNonce, fetch.walletNonce, name)
    let judged = session.receive(
      status: 200, mediaType: PresentationRequest.mediaType, body: Array(fetch.signed.utf8),
      anchors: try transcript.trustAnchors(), ownHosts: ["wallet.example"], now: transcript.now)
    guard case .match(let request)? = judged else {
      XCTFail("\(name): the request is refused: \(String(describing: judged))")
      return nil
    }
    guard case .decide(_, let answer)? = session.match([card]), answer.isPossible,
      case .post(let response)? = try session.share(presentations, now: transcript.now)
    else {
      XCTFail("\(name): it is not answered")
      return nil
    }
    XCTAssertEqual(response.url, request.responseURI, name)
    return response
  }
}
