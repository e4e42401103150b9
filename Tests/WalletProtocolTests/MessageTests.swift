import WalletProtocol
import XCTest

final class MessageTests: XCTestCase {
  private func assertRoundTrip<Message: Codable & Equatable>(
    _ message: Message, _ json: String, line: UInt = #line
  ) throws {
    let bytes = try WireJSON.encode(message)
    XCTAssertEqual(String(decoding: bytes, as: UTF8.self), json, line: line)
    XCTAssertEqual(try WireJSON.decode(Message.self, from: bytes), message, line: line)
  }

  private func claims(_ change: (inout InstructionClaims) -> Void = { _ in }) -> InstructionClaims {
    var claims = InstructionClaims(
      audience: "p", wallet: "w", instruction: .checkPin, payloadHash: "h", challenge: "c",
      sequence: 7)
    change(&claims)
    return claims
  }

  func testInstructions() throws {
    try assertRoundTrip(
      claims {
        $0.hardwareKey = "k"
        $0.encryptionKey = "e"
      },
      #"{"audience":"p","challenge":"c","encryption_key":"e","hardware_key":"k","#
        + #""instruction":"check_pin","payload_hash":"h","sequence":7,"version":1,"wallet":"w"}"#)
    try assertRoundTrip(
      claims {
        $0.challenge = nil
        $0.sequence = SequenceNumber.limit - 1
      },
      #"{"audience":"p","instruction":"check_pin","payload_hash":"h","#
        + #""sequence":9007199254740991,"version":1,"wallet":"w"}"#)
    try assertRoundTrip(
      InstructionEnvelope(signature: "a.b.c", payload: "p"),
      #"{"payload":"p","signature":"a.b.c"}"#)
    try assertRoundTrip(
      SealedInstruction(signature: "a.b.c", payload: "p", pinPublicKey: "k"),
      #"{"payload":"p","pin_public_key":"k","signature":"a.b.c"}"#)
    try assertRoundTrip(
      SealedInstruction(signature: "s", payload: "p"), #"{"payload":"p","signature":"s"}"#)
    try assertRoundTrip(
      ChallengePayload(instruction: .confirmRegistration),
      #"{"instruction":"confirm_registration"}"#)
    try assertRoundTrip(
      PinPayload(shareRecipient: "r", attestation: "a"),
      #"{"attestation":"a","share_recipient":"r"}"#)
    try assertRoundTrip(PinPayload(shareRecipient: "r"), #"{"share_recipient":"r"}"#)
    try assertRoundTrip(EmptyPayload(), "{}")
    for other in ["[]", "null", "1", "\"\""] {
      XCTAssertThrowsError(try WireJSON.decode(EmptyPayload.self, from: Array(other.utf8)), other)
    }
    try assertRoundTrip(PinChangeReference(change: "c"), #"{"change":"c"}"#)
    try assertRoundTrip(
      NewPinKeyProof(audience: "p", wallet: "w", challenge: "h", change: "c"),
      #"{"audience":"p","challenge":"h","change":"c","version":1,"wallet":"w"}"#)
    let change = PinChangePayload(
      shareRecipient: "r", change: "c", newPinPublicKey: "k", proof: "a.b.c")
    XCTAssertEqual(
      String(decoding: try WireJSON.encode(change), as: UTF8.self),
      #"{"change":"c","new_pin_public_key":"k","proof":"a.b.c","share_recipient":"r"}"#)
    // What reads any PIN instruction reads this one.
    XCTAssertEqual(
      try WireJSON.decode(PinPayload.self, from: WireJSON.encode(change)),
      PinPayload(shareRecipient: "r"))
    XCTAssertFalse("\(change)".contains("a.b.c"))
  }

  func testTheInnerAndOuterClaimsMustAgreeInAllTheyShare() {
    XCTAssertTrue(claims().describesSameInstruction(as: claims { $0.payloadHash = "other" }))
    XCTAssertTrue(claims().describesSameInstruction(as: claims { $0.hardwareKey = "k" }))
    let changes: [(inout InstructionClaims) -> Void] = [
      { $0.version = 2 }, { $0.audience = "q" }, { $0.wallet = "v" },
      { $0.instruction = .register },
      { $0.challenge = "d" }, { $0.challenge = nil }, { $0.sequence = 8 },
    ]
    for change in changes { XCTAssertFalse(claims().describesSameInstruction(as: claims(change))) }
  }

  func testOutcomes() throws {
    let outcomes: [(InstructionOutcome, String)] = [
      (
        .challenge("c", expiresInMilliseconds: 60_000),
        #"{"challenge":"c","expires_in_ms":60000,"kind":"challenge"}"#
      ),
      (
        .registered(certificate: "x.y.z", share: "s"),
        #"{"certificate":"x.y.z","kind":"registered","share":"s"}"#
      ),
      (.confirmed, #"{"kind":"confirmed"}"#), (.deleted, #"{"kind":"deleted"}"#),
      (.valid(share: "s"), #"{"kind":"valid","share":"s"}"#),
      (
        .valid(share: "s", failures: FailedAttempts(count: 3, lastAt: 1_700_000_000)),
        #"{"failures":{"count":3,"last_at":1700000000},"kind":"valid","share":"s"}"#
      ),
      (
        .wrong(attemptsLeft: 3, finalRound: true),
        #"{"attempts_left":3,"final_round":true,"kind":"wrong"}"#
      ),
      (
        .blocked(milliseconds: 5, counted: true),
        #"{"blocked_for_ms":5,"counted":true,"kind":"blocked"}"#
      ),
      (
        .blockedPermanently(counted: false),
        #"{"counted":false,"kind":"blocked_permanently"}"#
      ),
      (
        .notBlocked(attemptsLeft: 4, finalRound: true),
        #"{"attempts_left":4,"final_round":true,"kind":"not_blocked"}"#
      ),
      (.sequenceRefused(current: 9), #"{"current":9,"kind":"sequence_refused"}"#),
      (.unknownWallet, #"{"kind":"unknown_wallet"}"#),
      (.pinChangeCommitted, #"{"kind":"pin_change_committed"}"#),
      (.pinChangeCancelled, #"{"kind":"pin_change_cancelled"}"#),
      (.unknownPinChange, #"{"kind":"unknown_pin_change"}"#),
    ]
    for (outcome, json) in outcomes { try assertRoundTrip(outcome, json) }
  }

  func testOutcomesThatLackSomethingAreRefused() {
    let refused = [
      "{}", #"{"kind":"other"}"#, #"{"kind":"valid"}"#, #"{"kind":"wrong","attempts_left":3}"#,
      #"{"kind":"wrong","attempts_left":-1,"final_round":false}"#, #"{"kind":"blocked"}"#,
      #"{"kind":"blocked","blocked_for_ms":-1}"#, #"{"kind":"sequence_refused"}"#,
      #"{"kind":"registered","share":"s"}"#, #"{"kind":"challenge","challenge":"c"}"#, "null",
    ]
    for json in refused {
      XCTAssertThrowsError(try WireJSON.decode(InstructionOutcome.self, from: Array(json.utf8))) {
        XCTAssertEqual($0 as? WireError, .contentMalformed)
      }
    }
  }

  func testAResultAnswersItsOwnRequestOnly() throws {
    let result = InstructionResultClaims(
      issuer: "p", answering: claims(), requestHash: "r", outcome: .confirmed)
    try assertRoundTrip(
      result,
      #"{"challenge":"c","instruction":"check_pin","issuer":"p","outcome":{"kind":"confirmed"},"#
        + #""request_hash":"r","sequence":7,"version":1,"wallet":"w"}"#)
    XCTAssertTrue(result.answers(claims(), requestHash: "r", issuer: "p"))
    XCTAssertFalse(result.answers(claims(), requestHash: "q", issuer: "p"))
    XCTAssertFalse(result.answers(claims(), requestHash: "r", issuer: "q"))
    let changes: [(inout InstructionClaims) -> Void] = [
      { $0.wallet = "v" }, { $0.instruction = .register }, { $0.challenge = "d" },
      { $0.challenge = nil }, { $0.sequence = 8 },
    ]
    for change in changes {
      XCTAssertFalse(result.answers(claims(change), requestHash: "r", issuer: "p"))
    }
    var newer = result
    newer.version = 2
    XCTAssertFalse(newer.answers(claims(), requestHash: "r", issuer: "p"))
  }

  func testAnswersCertificatesAndProblems() throws {
    try assertRoundTrip(InstructionAnswer(result: "a.b.c"), #"{"result":"a.b.c"}"#)
    try assertRoundTrip(
      EnrolmentChallenge(challenge: "c", expiresInMilliseconds: 1),
      #"{"challenge":"c","expires_in_ms":1}"#)
    try assertRoundTrip(
      CertificateClaims(
        issuer: "p", wallet: "w", registration: "r", hardwareKeyHash: "h", attested: false,
        issuedAt: 3),
      #"{"attested":false,"hardware_key_hash":"h","iat":3,"issuer":"p","registration":"r","#
        + #""version":1,"wallet":"w"}"#)
    for kind in ProblemKind.allCases {
      let problem = Problem(kind, title: "t")
      try assertRoundTrip(
        problem,
        #"{"status":\#(kind.status),"title":"t","type":"urn:wallet-provider:problem:\#(kind.rawValue)"}"#
      )
      XCTAssertEqual(problem.kind, kind)
      XCTAssertTrue((400...599).contains(kind.status))
    }
    let unknown = #"{"status":400,"title":"t","type":"urn:wallet-provider:problem:new"}"#
    XCTAssertNil(try WireJSON.decode(Problem.self, from: Array(unknown.utf8)).kind)
  }

  func testConfigurations() throws {
    let key = PublishedKey(id: "k1", key: "a")
    let configuration = ConfigurationClaims(
      configurationVersion: 4, providerID: "p", resultKeys: [key], certificateKeys: [key],
      encryptionKeys: [key])
    let bytes = try WireJSON.encode(configuration)
    XCTAssertEqual(try WireJSON.decode(ConfigurationClaims.self, from: bytes), configuration)
    XCTAssertTrue(String(decoding: bytes, as: UTF8.self).contains(#""pin_key_passes":3"#))
    try assertRoundTrip(
      ClientConfiguration(
        providerURL: "https://p", certificateAuthority: "pem", allowLoopbackHTTP: false,
        configurationSigningKeys: [key], configuration: "a.b.c"),
      #"{"allow_loopback_http":false,"certificate_authority":"pem","configuration":"a.b.c","#
        + #""configuration_signing_keys":[{"id":"k1","key":"a"}],"provider_url":"https://p","#
        + #""schema":1}"#)
  }

  func testMembersThatAreNotKnownAreIgnored() throws {
    let json = #"{"result":"r","later":{"a":[1]}}"#
    let answer = try WireJSON.decode(InstructionAnswer.self, from: Array(json.utf8))
    XCTAssertEqual(answer, InstructionAnswer(result: "r"))
  }

  func testEveryInstructionHasItsRoute() {
    XCTAssertEqual(Route.instruction(.checkPin), "/v2/instructions/check_pin")
    let routes = InstructionName.allCases.map(Route.instruction)
    XCTAssertEqual(Set(routes).count, InstructionName.allCases.count)
  }
}
