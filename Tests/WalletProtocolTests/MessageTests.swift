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
        + #""instruction":"check_pin","payload_hash":"h","sequence":7,"version":2,"wallet":"w"}"#)
    try assertRoundTrip(
      claims {
        $0.challenge = nil
        $0.sequence = SequenceNumber.limit - 1
      },
      #"{"audience":"p","instruction":"check_pin","payload_hash":"h","#
        + #""sequence":9007199254740991,"version":2,"wallet":"w"}"#)
    try assertRoundTrip(
      claims {
        $0.evaluation = "e"
        $0.blinded = "b"
        $0.newBlinded = "n"
      },
      #"{"audience":"p","blinded":"b","challenge":"c","evaluation":"e","#
        + #""instruction":"check_pin","new_blinded":"n","payload_hash":"h","sequence":7,"#
        + #""version":2,"wallet":"w"}"#)
    try assertRoundTrip(
      claims { $0.pinKeyCommitment = "m" },
      #"{"audience":"p","challenge":"c","instruction":"check_pin","payload_hash":"h","#
        + #""pin_key_commitment":"m","sequence":7,"version":2,"wallet":"w"}"#)
    try assertRoundTrip(
      InstructionEnvelope(signature: "a.b.c", payload: "p"),
      #"{"payload":"p","signature":"a.b.c"}"#)
    try assertRoundTrip(
      SealedInstruction(signature: "a.b.c", payload: "p", pinPublicKey: "k", pinKeyOpening: "o"),
      #"{"payload":"p","pin_key_opening":"o","pin_public_key":"k","signature":"a.b.c"}"#)
    try assertRoundTrip(
      SealedInstruction(signature: "s", payload: "p"), #"{"payload":"p","signature":"s"}"#)
    try assertRoundTrip(
      ChallengePayload(instruction: .confirmRegistration),
      #"{"instruction":"confirm_registration"}"#)
    try assertRoundTrip(
      ChallengePayload(instruction: .checkPin, key: "k", blinded: "b"),
      #"{"blinded":"b","instruction":"check_pin","key":"k"}"#)
    try assertRoundTrip(
      PinPayload(shareRecipient: "r", attestation: "a", registrationState: "s"),
      #"{"attestation":"a","registration_state":"s","share_recipient":"r"}"#)
    try assertRoundTrip(PinPayload(shareRecipient: "r"), #"{"share_recipient":"r"}"#)
    try assertRoundTrip(EmptyPayload(), "{}")
    for other in ["[]", "null", "1", "\"\""] {
      XCTAssertThrowsError(try WireJSON.decode(EmptyPayload.self, from: Array(other.utf8)), other)
    }
    try assertRoundTrip(PinChangeReference(change: "c"), #"{"change":"c"}"#)
    try assertRoundTrip(
      PinChangeBeginning(shareRecipient: "r", change: "c"),
      #"{"change":"c","share_recipient":"r"}"#)
    try assertRoundTrip(
      NewPinKeyProof(
        audience: "p", wallet: "w", challenge: "h", change: "c", evaluation: "e", blinded: "b"),
      #"{"audience":"p","blinded":"b","challenge":"h","change":"c","evaluation":"e","#
        + #""version":2,"wallet":"w"}"#)
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
      { $0.version = 3 }, { $0.audience = "q" }, { $0.wallet = "v" },
      { $0.instruction = .register },
      { $0.challenge = "d" }, { $0.challenge = nil }, { $0.sequence = 8 },
    ]
    for change in changes { XCTAssertFalse(claims().describesSameInstruction(as: claims(change))) }
  }

  func testAnAttemptIsWhatComesWithAnEvaluationThatIsCounted() {
    XCTAssertEqual(
      InstructionName.allCases.filter(\.isAttempt),
      [.checkPin, .beginPinChange, .decideReplacement, .authorizeUse])
  }

  private let half = HalfEvaluation(key: "k", evaluation: "e", element: "x", proof: "y")
  private let halfJSON = #"{"element":"x","evaluation":"e","key":"k","proof":"y"}"#

  func testEvaluations() throws {
    try assertRoundTrip(half, halfJSON)
    try assertRoundTrip(
      PinEvaluation(evaluator: half, element: "z", proof: "q"),
      #"{"element":"z","evaluator":\#(halfJSON),"proof":"q"}"#)
    var granted = half
    granted.grant = "a.b.c"
    try assertRoundTrip(
      PinEvaluation(evaluator: granted, element: "z", proof: "q", publicValue: "v"),
      #"{"element":"z","evaluator":{"element":"x","evaluation":"e","grant":"a.b.c","key":"k","#
        + #""proof":"y"},"proof":"q","public_value":"v"}"#)
    try assertRoundTrip(
      EvaluatorGrant(key: "k", publicValue: "v", hardwareKeyHash: "h", grantKey: "g"),
      #"{"grant_key":"g","hardware_key_hash":"h","key":"k","public_value":"v","version":2}"#)
    try assertRoundTrip(
      EvaluatorGrant(
        key: "k", publicValue: "v", hardwareKeyHash: "h", replaces: "r", grantKey: "g"),
      #"{"grant_key":"g","hardware_key_hash":"h","key":"k","public_value":"v","replaces":"r","#
        + #""version":2}"#)
    for lacking in ["key", "evaluation", "element", "proof"] {
      let json = halfJSON.replacing(#""\#(lacking)""#, with: #""other""#)
      XCTAssertThrowsError(try WireJSON.decode(HalfEvaluation.self, from: Array(json.utf8)))
    }
  }

  func testTheMessagesToTheEvaluatorAndItsAnswers() throws {
    let envelope = InstructionEnvelope(signature: "a.b.c", payload: "p")
    let request = #"{"request":{"payload":"p","signature":"a.b.c"}}"#
    let requests: [(EvaluatorRequest, String)] = [
      (.open(request: envelope), #"{"open":\#(request)}"#),
      (.evaluate(request: envelope), #"{"evaluate":\#(request)}"#),
      (
        .adopt(
          key: "k",
          adoption: PinKeyAdoption(signature: "s", message: "m", publicKey: "p", opening: "o")),
        #"{"adopt":{"adoption":{"message":"m","opening":"o","public_key":"p","signature":"s"},"#
          + #""key":"k"}}"#
      ),
      (
        .adopt(
          key: "k",
          adoption: PinKeyAdoption(
            signature: "s", message: "m", payload: "c", publicKey: "p", opening: "o")),
        #"{"adopt":{"adoption":{"message":"m","opening":"o","payload":"c","public_key":"p","#
          + #""signature":"s"},"key":"k"}}"#
      ),
      (.prove(key: "k", message: "m"), #"{"prove":{"key":"k","message":"m"}}"#),
      (.commit(key: "k"), #"{"commit":{"key":"k"}}"#),
      (.cancel(key: "k"), #"{"cancel":{"key":"k"}}"#),
      (.delete(key: "k"), #"{"delete":{"key":"k"}}"#),
    ]
    for (message, json) in requests { try assertRoundTrip(message, json) }
    let free = AttemptStanding(
      attempts: 3, blockedMilliseconds: nil, isBlockedPermanently: false)
    let freeJSON = #"{"attempts":3,"blocked_permanently":false}"#
    let blocked = AttemptStanding(
      attempts: 4, blockedMilliseconds: 60_000, isBlockedPermanently: true)
    let answers: [(EvaluatorAnswer, String)] = [
      (
        .evaluated(evaluation: half, standing: free),
        #"{"evaluated":{"evaluation":\#(halfJSON),"standing":\#(freeJSON)}}"#
      ),
      (
        .blocked(standing: blocked),
        #"{"blocked":{"standing":{"attempts":4,"blocked_for_ms":60000,"blocked_permanently":true}}}"#
      ),
      (.proven(standing: free, next: nil), #"{"proven":{"standing":\#(freeJSON)}}"#),
      (
        .proven(standing: free, next: half),
        #"{"proven":{"next":\#(halfJSON),"standing":\#(freeJSON)}}"#
      ),
      (.adopted(receipt: "u.v.w"), #"{"adopted":{"receipt":"u.v.w"}}"#),
      (.done, #"{"done":{}}"#),
      (.sequenceRefused(current: 9), #"{"sequence_refused":{"current":9}}"#),
      (.unknownKey, #"{"unknown_key":{}}"#), (.refused, #"{"refused":{}}"#),
    ]
    for (message, json) in answers { try assertRoundTrip(message, json) }
    for json in ["{}", #"{"done":{},"refused":{}}"#, #"{"other":{}}"#, "null"] {
      XCTAssertThrowsError(try WireJSON.decode(EvaluatorAnswer.self, from: Array(json.utf8)), json)
    }
  }

  func testOutcomes() throws {
    let outcomes: [(InstructionOutcome, String)] = [
      (
        .challenge("c", expiresInMilliseconds: 60_000),
        #"{"challenge":"c","expires_in_ms":60000,"kind":"challenge"}"#
      ),
      (
        .challenge(
          "c", expiresInMilliseconds: 1,
          evaluation: PinEvaluation(evaluator: half, element: "z", proof: "q"), registration: "r"),
        #"{"challenge":"c","evaluation":{"element":"z","evaluator":\#(halfJSON),"proof":"q"},"#
          + #""expires_in_ms":1,"kind":"challenge","registration_state":"r"}"#
      ),
      (
        .valid(
          share: "s", evaluation: PinEvaluation(evaluator: half, element: "z", proof: "q")),
        #"{"evaluation":{"element":"z","evaluator":\#(halfJSON),"proof":"q"},"#
          + #""kind":"valid","share":"s"}"#
      ),
      (
        .registered(certificate: "x.y.z", share: "s", receipt: "u.v.w"),
        #"{"certificate":"x.y.z","kind":"registered","receipt":"u.v.w","share":"s"}"#
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
        + #""request_hash":"r","sequence":7,"version":2,"wallet":"w"}"#)
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
    newer.version = 3
    XCTAssertFalse(newer.answers(claims(), requestHash: "r", issuer: "p"))
  }

  func testAnswersCertificatesAndProblems() throws {
    try assertRoundTrip(InstructionAnswer(result: "a.b.c"), #"{"result":"a.b.c"}"#)
    try assertRoundTrip(
      CertificateClaims(
        issuer: "p", wallet: "w", registration: "r", hardwareKeyHash: "h", attested: false,
        issuedAt: 3),
      #"{"attested":false,"hardware_key_hash":"h","iat":3,"issuer":"p","registration":"r","#
        + #""version":2,"wallet":"w"}"#)
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
    XCTAssertEqual(Route.of(.checkPin), Route.instruction(.checkPin))
    XCTAssertEqual(Route.of(.register), "/v2/registrations")
    XCTAssertEqual(Route.registrationChallenge, "/v2/registrations/challenge")
    let routes = InstructionName.allCases.map(Route.instruction)
    XCTAssertEqual(Set(routes).count, InstructionName.allCases.count)
  }
}
