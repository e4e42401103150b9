import TestSupport
import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

/// What is refused in a card of another issuer, and why (RFC 9901 sections 7.1 and 8.1).
final class CredentialRefusalTests: XCTestCase {
  private let issuer = CardIssuer()

  private func assertRefused(
    _ expected: CredentialError, _ members: [String: JSONValue], _ disclosures: [String] = [],
    _ message: String = "", line: UInt = #line
  ) {
    WalletCredentialsTests.assertRefused(expected, message, line: line) {
      try issuer.read(members, disclosures)
    }
  }

  func testWhatIsNotTheCompactForm() throws {
    let card = try issuer.card(issuer.payload())
    let tooMany = Credential.maximumDisclosures + 1
    for text in [
      "", String(card.dropLast()), "a.b.c", String(repeating: "~", count: tooMany + 1),
      String(repeating: "A", count: Credential.maximumLength) + "~",
    ] {
      WalletCredentialsTests.assertRefused(CredentialError.malformed) {
        try Credential(parsing: text)
      }
    }
    for text in ["~", "..~", "a.b.c~", "é.é.é~", String(card.dropFirst(3))] {
      XCTAssertThrowsError(try Credential(parsing: text), text) {
        guard case .issuerJWSRefused? = $0 as? CredentialError else { return XCTFail("\($0)") }
      }
    }
    XCTAssertNoThrow(try issuer.read(card))
  }

  func testAKeyBindingOfTheIssuer() throws {
    let card = try issuer.card(issuer.payload())
    for end in ["x", "a.b.c", try issuer.sign([])] {
      WalletCredentialsTests.assertRefused(CredentialError.keyBindingUnexpected) {
        try issuer.read(card + end)
      }
    }
  }

  func testHeaders() throws {
    let headers: [(String, JOSEError)] = [
      (#"{"alg":"ES256","typ":"vc+sd-jwt"}"#, .typeRefused),
      (#"{"alg":"ES256","typ":"DC+SD-JWT"}"#, .typeRefused),
      (#"{"alg":"ES256","typ":"application/dc+sd-jwt"}"#, .typeRefused),
      (#"{"alg":"ES256"}"#, .typeRefused),
      (#"{"alg":"none","typ":"dc+sd-jwt"}"#, .algorithmRefused),
      (#"{"alg":"EdDSA","typ":"dc+sd-jwt"}"#, .algorithmRefused),
      (#"{"alg":"ES384","typ":"dc+sd-jwt"}"#, .algorithmRefused),
      (#"{"alg":"ES256","typ":"dc+sd-jwt","crit":["exp"]}"#, .criticalHeader),
      (#"{"alg":"ES256","typ":"dc+sd-jwt","crit":[]}"#, .criticalHeader),
      (#"{"alg":"ES256","alg":"ES256","typ":"dc+sd-jwt"}"#, .headerMalformed),
      (#"{"alg":"ES256","typ":"dc+sd-jwt","x5c":["AQI_"]}"#, .chainMalformed),
      (#"{"alg":"ES256","typ":"dc+sd-jwt","x5c":[]}"#, .chainMalformed),
    ]
    for (header, reason) in headers {
      WalletCredentialsTests.assertRefused(CredentialError.issuerJWSRefused(reason), header) {
        try issuer.read(issuer.card(issuer.payload(), header: header))
      }
    }
  }

  func testAnotherSignature() throws {
    let (first, second) = try (
      issuer.card(issuer.payload()), issuer.card(issuer.payload(["a": .null]))
    )
    let parts = [first, second].map { $0.dropLast().split(separator: ".") }
    let reason = CredentialError.issuerJWSRefused(.signatureInvalid)
    WalletCredentialsTests.assertRefused(reason) {
      try issuer.read([parts[0][0], parts[1][1], parts[0][2]].joined(separator: ".") + "~")
    }
    WalletCredentialsTests.assertRefused(reason) {
      try issuer.read(parts[0][0...1].joined(separator: ".") + ".~")
    }
    WalletCredentialsTests.assertRefused(reason) { try CardIssuer().read(first) }
  }

  func testADigestTwice() {
    let (name, element) = (disclosure("name", "1"), disclosure(element: "1"))
    let inner = disclosure("outer", #"{"_sd":["\#(digest(name).string ?? "")"]}"#)
    assertRefused(.digestRepeated, ["_sd": .array([digest(name), digest(name)])], [name])
    assertRefused(.digestRepeated, ["_sd": .array([digest("decoy"), digest("decoy")])])
    assertRefused(
      .digestRepeated,
      ["_sd": .array([digest(name)]), "other": .object(["_sd": .array([digest(name)])])], [name])
    assertRefused(.digestRepeated, ["list": .array([hidden(element), hidden(element)])], [element])
    assertRefused(
      .digestRepeated, ["_sd": .array([digest("x")]), "list": .array([hidden("x")])])
    assertRefused(
      .digestRepeated, ["_sd": .array([digest(name), digest(inner)])], [name, inner])
  }

  func testADisclosureThatNothingRefersTo() {
    let (name, other) = (disclosure("name", "1"), disclosure("other", "1"))
    assertRefused(.disclosureUnreferenced, [:], [name])
    assertRefused(.disclosureUnreferenced, ["_sd": .array([digest(name)])], [name, other])
    assertRefused(.disclosureUnreferenced, ["name": digest(name)], [name])
    // Its parent is not there.
    let parent = disclosure("parent", #"{"_sd":["\#(digest(name).string ?? "")"]}"#)
    assertRefused(.disclosureUnreferenced, ["_sd": .array([digest(parent)])], [name])
    // The digest covers the text, not the JSON.
    let spaced = Base64URL.encode(#"["salt of name",  "name", 1]"#.utf8)
    assertRefused(.disclosureUnreferenced, ["_sd": .array([digest(name)])], [spaced])
  }

  func testADisclosureTwice() {
    let name = disclosure("name", "1")
    assertRefused(.disclosureRepeated, ["_sd": .array([digest(name)])], [name, name])
  }

  func testReservedNames() {
    for name in ["_sd", "...", "_sd_alg"] {
      let text = disclosure(name, "[]")
      assertRefused(.nameReserved, ["_sd": .array([digest(text)])], [text], name)
      assertRefused(.nameReserved, ["a": .object(["_sd": .array([digest(text)])])], [text], name)
    }
    assertRefused(.nameReserved, ["...": .string("x")])
    assertRefused(.nameReserved, ["a": .object(["...": .string("x")])])
    // `_sd_alg` below the top, open and in a disclosure.
    assertRefused(.nameReserved, ["a": .object(["_sd_alg": .string("sha-256")])])
    assertRefused(.nameReserved, ["a": .array([.object(["_sd_alg": .string("sha-256")])])])
    let text = disclosure("a", #"{"_sd_alg":"sha-256"}"#)
    assertRefused(.nameReserved, ["_sd": .array([digest(text)])], [text])
  }

  func testAClaimThatExistsAlready() {
    let (first, second) = (disclosure("name", "1"), disclosure("name", "2"))
    assertRefused(.claimRepeated, ["_sd": .array([digest(first)]), "name": .null], [first])
    assertRefused(
      .claimRepeated, ["_sd": .array([digest(first), digest(second)])], [first, second])
    // The same name elsewhere is another claim.
    XCTAssertNoThrow(
      try issuer.read(
        ["_sd": .array([digest(first)]), "a": .object(["_sd": .array([digest(second)])])],
        [first, second]))
  }

  func testADisclosureOfTheOtherKind() {
    let (member, element) = (disclosure("name", "1"), disclosure(element: "1"))
    assertRefused(.disclosureMisplaced, ["_sd": .array([digest(element)])], [element])
    assertRefused(.disclosureMisplaced, ["list": .array([hidden(member)])], [member])
  }

  func testOtherHashes() {
    for value in [JSONValue.string("sha-512"), .string("SHA-256"), .string(""), .null, .integer(1)]
    {
      assertRefused(.digestAlgorithmRefused, ["_sd_alg": value])
    }
  }

  func testHiddenClaimsThatMustBeVisible() {
    for name in ["iss", "nbf", "exp", "cnf", "vct", "vct#integrity", "aka_vcts", "status"] {
      let text = disclosure(name, "1")
      assertRefused(.registeredClaimHidden, ["_sd": .array([digest(text)])], [text], name)
    }
    // No part of them, not even a decoy.
    let decoy = JSONValue.array([digest("decoy")])
    assertRefused(.registeredClaimHidden, ["status": .object(["_sd": decoy])])
    assertRefused(
      .registeredClaimHidden, ["status": .object(["status_list": .object(["_sd": decoy])])])
    assertRefused(.registeredClaimHidden, ["aka_vcts": .array([hidden("decoy")])])
    assertRefused(.registeredClaimHidden, ["cnf": .object(["jwk": .object(["_sd": decoy])])])
  }

  func testMalformedDigests() {
    for value in [
      JSONValue.null, .string("x"), .object([:]), .array([.null]), .array([.integer(1)]),
      .array([digest("decoy"), .array([])]),
    ] {
      assertRefused(.digestMalformed, ["_sd": value])
      assertRefused(.digestMalformed, ["a": .array([.object(["_sd": value])])])
    }
    for value in [JSONValue.null, .integer(1), .array([]), .object([:])] {
      assertRefused(.digestMalformed, ["list": .array([.object(["...": value])])])
    }
    let more = JSONValue.object(["...": digest("decoy"), "more": .null])
    assertRefused(.digestMalformed, ["list": .array([more])])
    // A hidden element is not itself hidden once more.
    let element = disclosure(element: #"{"...":"x"}"#)
    assertRefused(.nameReserved, ["list": .array([hidden(element)])], [element])
  }

  func testMalformedDisclosures() throws {
    let malformed = [
      "", "[]", "{}", "null", #"["s"]"#, #"["s","n",1,2]"#, #"["s",1,2]"#, #"[1,"n",2]"#,
      #"[null,2]"#, #"[["s"],2]"#, #"["s","n",01]"#, #"["s","n",{"a":1,"a":2}]"#,
      #"["s","n",1] x"#, #"["s","n","\ud800"]"#,
    ]
    for json in malformed {
      let text = Base64URL.encode(json.utf8)
      assertRefused(.disclosureMalformed, ["_sd": .array([digest(text)])], [text], json)
    }
    let good = disclosure("name", "1")
    for text in [good + "=", " " + good, good + "\n", good + "A", "é"] {
      assertRefused(.disclosureMalformed, ["_sd": .array([digest(text)])], [text], text)
    }
  }

  func testDepth() throws {
    XCTAssertEqual(Credential.maximumDepth, 8)
    // The claim `a` is at depth 1, so it may hold seven arrays in each other and a scalar.
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    }
    let depth = Credential.maximumDepth - 1
    XCTAssertNoThrow(try issuer.read(["a": json(nested(depth))]))
    XCTAssertNoThrow(try issuer.read(["a": json(nested(depth)), "b": .array([])]))
    assertRefused(.tooDeep, ["a": .array([try json(nested(depth))])])
    // The reader of the payload stops first.
    let deepest = try json(String(repeating: "[", count: 31) + String(repeating: "]", count: 31))
    assertRefused(.tooDeep, ["a": deepest])
    assertRefused(.contentMalformed, ["a": .array([.array([deepest])])])
    // Depth is counted through disclosures.
    func chain(_ length: Int) -> ([String: JSONValue], [String]) {
      var disclosures = [disclosure(element: "1", salt: "0")]
      for salt in 1..<length {
        let inner = digest(disclosures[salt - 1]).string ?? ""
        disclosures.append(disclosure(element: #"[{"...":"\#(inner)"}]"#, salt: "\(salt)"))
      }
      return (["a": .array([hidden(disclosures[length - 1])])], disclosures)
    }
    let (fitting, fits) = chain(depth)
    XCTAssertNoThrow(try issuer.read(fitting, fits))
    let (deep, tooDeep) = chain(depth + 1)
    assertRefused(.tooDeep, deep, tooDeep)
    let (longest, all) = chain(Credential.maximumDisclosures)
    assertRefused(.tooDeep, longest, all)
  }

  func testTheNumberOfDisclosures() throws {
    XCTAssertEqual(Credential.maximumDisclosures, 512)
    let disclosures = (0...Credential.maximumDisclosures).map { disclosure("n\($0)", "1") }
    let most = Array(disclosures.dropLast())
    let card = try issuer.read(["_sd": .array(most.map(digest))], most)
    XCTAssertEqual(card.disclosable.count, Credential.maximumDisclosures)
    assertRefused(.malformed, ["_sd": .array(disclosures.map(digest))], disclosures)
  }

  func testPayloadsThatAreNoObject() throws {
    for text in ["", "[]", "null", "{", #"{"vct":"x","vct":"x"}"#, #"{"vct":"x"} x"#, "\u{FEFF}{}"]
    {
      WalletCredentialsTests.assertRefused(CredentialError.contentMalformed, text) {
        try issuer.read(issuer.sign(Array(text.utf8)) + "~")
      }
    }
  }

  func testMutatedCardsNeverTrap() throws {
    struct Gullible: Verifier {
      let algorithm = SignatureAlgorithm.es256
      func isValid(signature: [UInt8], for message: [UInt8]) -> Bool { true }
    }
    let seed = Sample.stressSeed
    print("mutated cards: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Sample.rounds(300, of: 10_000) {
      let issued = RandomCard(&random, small: true)
      var parts = [JSONValue.object(issued.payload).encoded]
      parts += issued.disclosures.compactMap { Base64URL.decode($0) }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let part = Int.random(in: parts.indices, using: &random)
        guard let place = parts[part].indices.randomElement(using: &random) else { continue }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: parts[part][place] = Array(#"{}[]",:0._sd"#.utf8).randomElement(using: &random) ?? 0
        case 1: parts[part].remove(at: place)
        default: parts[part].insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      let jws = try issuer.sign(parts[0])
      let text = ([jws] + parts.dropFirst().map { Base64URL.encode($0) }).joined(separator: "~")
      _ = try? Credential(parsing: text + "~").verify(by: Gullible())
    }
  }
}
