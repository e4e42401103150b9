import Foundation
import TestSupport
import XCTest

/// A wallet before a verifier that nobody of ours wrote: its right answers are accepted, by two
/// judges, and with any fault in them they are not.
final class LiveVerifierTests: VerifiedTestCase {
  /// Shares what is asked for. Both judges must accept it, and see these claims and no others.
  @discardableResult
  private func assertAccepted(
    _ options: [String: Any], ages: [String: Bool]? = nil, line: UInt = #line
  ) throws -> JudgedAnswer {
    let asked = try ask(options)
    try share(line: line)
    let answer = try judge.verdict(line: line)
    XCTAssertEqual(answer.verdict, "authentic", "\(answer)", line: line)
    XCTAssertEqual(answer.second, "accepted", "\(answer)", line: line)
    XCTAssertEqual(answer.status, 200, line: line)
    XCTAssertEqual(answer.session, asked.session, line: line)
    XCTAssertEqual(answer.count, 1, "an answer was sent again", line: line)
    try flow.expect("UC5.1 1.6", line: line)
    let names = options["claims"] as? [String] ?? []
    let card = try XCTUnwrap(flow.host.cards().get().first)
    for name in ["family_name", "given_name", "birthdate"] {
      XCTAssertEqual(
        answer.claims[name] as? String, names.contains(name) ? card.claims[name] : nil, name,
        line: line)
    }
    // The object itself is always seen, and empty.
    XCTAssertEqual(
      answer.claims["age_equal_or_over"] as? [String: Bool] ?? [:], ages ?? [:], line: line)
    try returnToWebsite(line: line)
    return answer
  }

  // MARK: Right answers

  func testAnswersToRequestsByPOSTAreAcceptedHoweverTheyAreToBeEncrypted() throws {
    for (offered, chosen) in [
      (["A128GCM"], "A128GCM"), (["A256GCM"], "A256GCM"), (["A128GCM", "A256GCM"], "A256GCM"),
    ] {
      let answer = try assertAccepted([
        "claims": ["given_name"], "enc": offered, "name": "post-\(offered.joined(separator: "-"))",
      ])
      XCTAssertEqual(answer.enc, chosen)
      XCTAssertEqual(answer.fetches.count, 1)
      let fetch = try XCTUnwrap(answer.fetches.first)
      XCTAssertEqual(fetch["method"] as? String, "POST")
      XCTAssertEqual(fetch["encrypted"] as? Bool, true, "the request was not encrypted")
      let metadata = try XCTUnwrap(fetch["wallet_metadata"] as? String)
      XCTAssertTrue(metadata.contains("\"jwks\""), metadata)
      XCTAssertEqual((fetch["wallet_nonce"] as? String)?.count, 43)
    }
  }

  func testAnswersToRequestsByGETAreAcceptedWhetherHostOrCertificateSaysWhoAsks() throws {
    for (method, client) in [("get", "x509_hash"), (NSNull(), "x509_san_dns")] as [(Any, String)] {
      let answer = try assertAccepted([
        "claims": ["family_name"], "method": method, "client": client,
      ])
      XCTAssertEqual(answer.fetches.compactMap { $0["method"] as? String }, ["GET"])
      XCTAssertEqual(answer.fetches.first?["encrypted"] as? Bool, false)
    }
  }

  func testOnlyWhatIsAskedForIsShown() throws {
    try assertAccepted(
      ["claims": ["age_equal_or_over.18=true"], "method": "get", "name": "get-nested"],
      ages: ["18": true])
    try assertAccepted(
      ["claims": ["given_name", "family_name", "birthdate", "age_equal_or_over.21"]],
      ages: ["21": true])
    try assertAccepted(["claims": [String]()])
  }

  func testWhatTheVerifierIsRegisteredForIsRead() throws {
    for (registered, warnings) in [("given_name", []), ("family_name", ["asks-for-more"])] {
      let options: [String: Any] = [
        "claims": ["given_name"], "registered": [[registered]], "client": "x509_san_dns",
        "name": "registered-\(registered)",
      ]
      let asked = try ask(options)
      try flow.expect("UC5.1 1.4")
      let sharing = try XCTUnwrap(flow.document["sharing"] as? [String: Any])
      XCTAssertEqual(sharing["warnings"] as? [String], warnings)
      let registrations = sharing["registrations"] as? [[String: Any]] ?? []
      XCTAssertEqual(registrations.map { $0["registrar"] as? String }, ["Example Register"])
      flow.choose("share")
      try flow.expect("PF2.4 1.1")
      flow.enter(pin)
      try flow.expect("UC5.1 1.6")
      let answer = try judge.verdict()
      XCTAssertEqual(answer.session, asked.session)
      XCTAssertEqual([answer.verdict, answer.second], ["authentic", "accepted"], "\(answer)")
      try returnToWebsite()
    }
  }

  // MARK: Refusals by the wallet

  func testTransactionsAreRefusedAndTheVerifierIsToldByTheUsersHand() throws {
    let asked = try ask([
      "claims": ["given_name"],
      "transaction_data": [["type": "urn:example:payment", "credential_ids": ["pid"]]],
    ])
    try expectKnownVerifier("UC5.1 1.1", "unsupported")
    XCTAssertFalse(judge.hasVerdict, "the verifier was told before the user has closed")
    flow.choose("close")
    try flow.expect("UC7.1 1.1")
    try assertWalletError("invalid_transaction_data", asked)
  }

  func testStoppingDeniesAccess() throws {
    let asked = try ask(["claims": ["given_name"]])
    try flow.expect("UC5.1 1.4")
    flow.choose("stop")
    try flow.expect("UC5.1 2.1")
    XCTAssertFalse(judge.hasVerdict)
    flow.choose("confirm-stop")
    try flow.expect("UC5.1 2.2")
    try assertWalletError("access_denied", asked)
  }

  private func assertWalletError(
    _ code: String, _ asked: VerifierJudge.Asked, line: UInt = #line
  ) throws {
    let answer = try judge.verdict(line: line)
    XCTAssertEqual(answer.verdict, "wallet_error", "\(answer)", line: line)
    XCTAssertEqual(answer.session, asked.session, line: line)
    XCTAssertTrue(answer.detail.hasPrefix("\(code) "), answer.detail, line: line)
    XCTAssertEqual(answer.status, 200, line: line)
  }

  // MARK: Refusals by the verifier

  /// What polaris-oid4vp and openvc-core say of an answer with a fault. The second leaves `state`,
  /// the claims that were asked for and repetition to its caller.
  private let faults: [(fault: String, verdict: String, second: String)] = [
    ("no state", "invalid_request", "accepted"),
    ("an entry more", "invalid_request", "refused"),
    ("two presentations", "invalid_request", "refused"),
    ("no binding", "kb_missing", "refused"),
    ("a disclosure dropped", "sd_hash", "refused"),
    ("disclosures reordered", "sd_hash", "refused"),
    ("a foreign disclosure", "disclosure", "refused"),
    ("another signature of the binding", "kb_signature", "refused"),
    ("another signature of the card", "issuer_signature", "refused"),
    ("another nonce", "nonce", "refused"),
    ("an audience without prefix", "audience", "refused"),
    ("a claim more", "claims", "accepted"),
    ("a claim less", "claims", "accepted"),
    ("another type", "vct", "refused"),
    ("another issuer", "issuer_key", "refused"),
    ("an hour later", "kb_freshness", "refused"),
    ("answered before", "invalid_request", "accepted"),
  ]

  /// What was said of an answer with this fault when it was recorded: Tests/Vectors/Presentations.
  private func recorded(_ fault: String) throws -> JudgedAnswer {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Vectors/Presentations/\(transcriptName(fault)).json")
      .standardizedFileURL
    let transcript = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let answers = (transcript as? [String: Any])?["answers"] as? [[String: Any]] ?? []
    return JudgedAnswer(try XCTUnwrap(answers.first, fault))
  }

  private func transcriptName(_ fault: String) -> String {
    "refused-\(fault.replacing(" ", with: "-"))"
  }

  /// Checks that both judges say the same as when their answer was recorded.
  private func assertRecorded(_ fault: String, _ answer: JudgedAnswer, line: UInt = #line) throws {
    XCTAssertEqual(answer.verdicts, try recorded(fault).verdicts, fault, line: line)
  }

  func testEachFaultInARightAnswerHasItsRefusalAndTheUserIsToldThatDataMayBeShared() throws {
    for (fault, verdict, second) in faults {
      try shareWithFault(fault)
      try expectKnownVerifier("UC5.1 1.5.1", "may-have-been-shared")
      let answer = try judge.verdict()
      XCTAssertEqual(
        [answer.unfaulted?.verdict, answer.unfaulted?.second], ["authentic", "accepted"],
        "\(fault): \(answer)")
      XCTAssertEqual([answer.verdict, answer.second], [verdict, second], "\(fault): \(answer)")
      XCTAssertEqual(answer.status, 400, fault)
      try assertRecorded(fault, answer)
      XCTAssertEqual(answer.count, 1, "\(fault): the answer was sent again")
      flow.choose("close")
      try flow.expect("UC7.1 1.1")
      XCTAssertFalse(judge.hasVerdict, "\(fault): the verifier has heard more")
    }
  }

  /// polaris-oid4vp takes a text for an array of one, so the second judge has to hold us to arrays
  /// (OpenID4VP 1.0 section 8.1).
  func testATextInPlaceOfAnArrayIsRefusedByTheSecondJudgeAlone() throws {
    try shareWithFault("a text in place of an array")
    try flow.expect("UC5.1 1.6")
    let answer = try judge.verdict()
    XCTAssertEqual(
      [answer.unfaulted?.verdict, answer.unfaulted?.second], ["authentic", "accepted"])
    XCTAssertEqual([answer.verdict, answer.second], ["authentic", "refused"], "\(answer)")
    try assertRecorded("a text in place of an array", answer)
  }

  private func shareWithFault(_ fault: String) throws {
    try ask([
      "claims": ["given_name", "age_equal_or_over.18=true"], "fault": fault,
      "name": transcriptName(fault),
    ])
    try share()
  }
}
