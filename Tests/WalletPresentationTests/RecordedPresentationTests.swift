import Foundation
import WalletJOSE
import WalletPresentation
import WalletProtocol
import WalletTrust
import XCTest

/// Presentations that polaris-oid4vp and openvc-core have accepted, message by message: what was
/// right before them once stays as it was.
final class RecordedPresentationTests: XCTestCase {
  /// A transcript, with what the core makes of its link and request.
  private struct Replayed {
    let name: String
    let transcript: Transcript
    let fetch: Transcript.Fetch
    let answer: Transcript.Answer
    let link: PresentationLink
    let request: PresentationRequest
  }

  private func replayed() throws -> [Replayed] {
    try Transcript.all(refused: false).map { name, transcript in
      let fetch = try XCTUnwrap(transcript.fetches.first, name)
      let link = try PresentationLink(parsing: transcript.link)
      return Replayed(
        name: name, transcript: transcript, fetch: fetch,
        answer: try XCTUnwrap(transcript.answers.first, name), link: link,
        request: try PresentationRequest(
          parsing: fetch.signed, calledBy: link, walletNonce: fetch.walletNonce,
          anchors: transcript.trustAnchors(), now: transcript.now))
    }
  }

  func testRecordedRequestsAreThoseOfTheVerifier() throws {
    let all = try replayed()
    XCTAssertEqual(
      all.map(\.name), ["get-nested.json", "post-A128GCM.json", "registered-given_name.json"])
    for one in all {
      XCTAssertEqual(one.transcript.fetches.count, 1, one.name)
      XCTAssertEqual(one.transcript.answers.count, 1, one.name)
      let verdicts = one.answer.verdicts
      XCTAssertEqual([verdicts.verdict, verdicts.second], ["authentic", "accepted"], one.name)
      XCTAssertEqual(one.request.party.name, "Example Verifier", one.name)
      XCTAssertEqual(one.request.party.host, "verifier.localhost", one.name)
      XCTAssertEqual(one.request.party.clientID, one.transcript.clientId, one.name)
      XCTAssertEqual(one.link.usesPOST, one.fetch.method == "POST", one.name)
      XCTAssertEqual(one.request.registration != nil, one.name.hasPrefix("registered"), one.name)
      XCTAssertEqual(one.request.exceedsRegistration, [], one.name)
      XCTAssertThrowsError(
        try PresentationRequest(
          parsing: one.fetch.signed, calledBy: one.link, walletNonce: one.fetch.walletNonce,
          anchors: TrustAnchors([]), now: one.transcript.now), one.name)
    }
  }

  func testTheWalletAsksForThemAsItDid() throws {
    for one in try replayed() {
      let fetch = RequestFetch(
        one.link, nonce: Array(repeating: 1, count: 32), key: try KeyAgreementKey())
      guard let recorded = one.fetch.walletMetadata else {
        XCTAssertEqual(fetch.body, [], one.name)
        continue
      }
      let sent = try members(form(fetch.body)["wallet_metadata"])
      XCTAssertEqual(without("jwks", sent), without("jwks", try members(recorded)), one.name)
    }
  }

  func testTheWalletAnswersThemAsItDid() throws {
    for one in try replayed() {
      XCTAssertEqual(one.request.state, one.answer.sent.state, one.name)
      let presentations = one.answer.sent.vpToken
      XCTAssertEqual(presentations.mapValues(\.count), ["pid": 1], one.name)
      let binding = try XCTUnwrap(presentations["pid"]?.first?.split(separator: "~").last)
      let bound = try part(1, of: String(binding))
      XCTAssertEqual(bound["nonce"]?.string, one.request.nonce, one.name)
      XCTAssertEqual(bound["aud"]?.string, one.request.party.clientID, one.name)
      let answer = try PresentationResponse(to: one.request, presentations: presentations)
      let sent = try XCTUnwrap(form(answer.body)["response"])
      let recorded = try XCTUnwrap(one.answer.form?.response.first)
      XCTAssertEqual(
        without("epk", try part(0, of: sent)), without("epk", try part(0, of: recorded)), one.name)
      XCTAssertEqual(try part(0, of: sent)["enc"]?.string, one.answer.enc, one.name)
    }
  }

  func testTheReplyOfTheVerifierLeadsToItsPage() throws {
    for one in try replayed() {
      let address = try XCTUnwrap(one.answer.reply.redirectUri)
      let reply = JSONValue.object(["redirect_uri": .string(address)]).encoded
      XCTAssertEqual(
        PresentationReceipt(
          status: 200, mediaType: "application/json", body: reply, ownHosts: ["wallet.example"]),
        .taken(redirectURI: address), one.name)
    }
  }

  // MARK: Reading

  private func members(_ json: String?) throws -> [String: JSONValue] {
    try XCTUnwrap(
      JSONValue(parsing: Array(XCTUnwrap(json).utf8), profile: .foreign).object)
  }

  private func without(_ name: String, _ members: [String: JSONValue]) -> [String: JSONValue] {
    members.filter { $0.key != name }
  }

  /// A part of a compact token.
  private func part(_ index: Int, of token: String) throws -> [String: JSONValue] {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    let content = try XCTUnwrap(Base64URL.decode(parts[index]))
    return try members(String(decoding: content, as: UTF8.self))
  }

  private func form(_ body: [UInt8]) throws -> [String: String] {
    var components = URLComponents()
    components.percentEncodedQuery = String(decoding: body, as: UTF8.self)
    return Dictionary(
      uniqueKeysWithValues: try XCTUnwrap(components.queryItems).map { ($0.name, $0.value ?? "") })
  }
}
