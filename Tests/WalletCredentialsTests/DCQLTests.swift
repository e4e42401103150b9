import WalletCredentials
import WalletProtocol
import XCTest

/// What a wallet answers to queries (OpenID4VP 1.0 section 6).
final class DCQLTests: XCTestCase {
  /// A PID, a card of another type, a second one of that type, and a PID that has expired.
  private var wallet: [QueriedCard] {
    get throws {
      let person = """
        {"given_name":"Erika","family_name":"Mustermann","birthdate":"1964-08-12",
        "age_equal_or_over":{"16":true,"18":true,"21":true},"nationalities":["DE","NL"],
        "address":{"locality":"Köln","postal_code":"51147"}}
        """
      return [
        QueriedCard(
          id: "P", types: ["urn:eudi:pid:1"], claims: try json(person), authorities: ["aXNzdWVy"]),
        QueriedCard(
          id: "Q", types: ["urn:example:card:1"],
          claims: try json(#"{"given_name":"Erika","level":3}"#)),
        QueriedCard(id: "R", types: ["urn:example:card:1"], claims: try json(#"{"level":5}"#)),
        QueriedCard(
          id: "X", types: ["urn:eudi:pid:1"], claims: try json(person), isUsable: false),
      ]
    }
  }

  private func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8), profile: .foreign)
  }

  private func query(_ text: String) throws -> CredentialsQuery {
    try CredentialsQuery(parsing: try json(text))
  }

  /// A query for a PID; `more` are its further members.
  private func pid(_ more: String = "", id: String = "p") -> String {
    #"{"id":"\#(id)","format":"dc+sd-jwt","meta":{"vct_values":["urn:eudi:pid:1"]}\#(more)}"#
  }

  /// A query for the other type.
  private func card(_ more: String = "", id: String = "q") -> String {
    #"{"id":"\#(id)","format":"dc+sd-jwt","meta":{"vct_values":["urn:example:card:1"]}\#(more)}"#
  }

  private func answer(_ credentials: String..., sets: String = "") throws -> QueryAnswer {
    let text = #"{"credentials":[\#(credentials.joined(separator: ","))]\#(sets)}"#
    return QueryAnswer(try query(text), cards: try wallet)
  }

  /// What is sent if the user just agrees: the query, the card and the paths of each presentation.
  private func sent(_ answer: QueryAnswer) -> [String]? {
    answer.presentations(answer.suggestion)?.map { presentation in
      ([presentation.query, presentation.card]
        + presentation.paths.map { String(decoding: $0.json.encoded, as: UTF8.self) })
        .joined(separator: " ")
    }
  }

  private func claims(_ claims: String) -> String { #","claims":[\#(claims)]"# }

  func testClaimsAreShownWithEachOtherOrNotAtAll() throws {
    let cases: [(String, [String]?)] = [
      ("", ["p P"]),
      (claims(#"{"path":["given_name"]}"#), [#"p P ["given_name"]"#]),
      (claims(#"{"path":["address","postal_code"]}"#), [#"p P ["address","postal_code"]"#]),
      (claims(#"{"path":["nationalities",null]}"#), [#"p P ["nationalities",null]"#]),
      (claims(#"{"path":["nationalities",1]}"#), [#"p P ["nationalities",1]"#]),
      (claims(#"{"path":["nationalities",7]}"#), nil),
      (claims(#"{"path":["given_name",0]}"#), nil),
      (claims(#"{"path":["nationalities","x"]}"#), nil),
      (claims(#"{"path":["age_equal_or_over",null]}"#), nil),
      (claims(#"{"path":["birthdate"]},{"path":["ssn"]}"#), nil),
      (
        claims(#"{"path":["given_name"]},{"path":["given_name"]}"#), [#"p P ["given_name"]"#]
      ),
      (
        claims(#"{"path":["given_name"],"later":1}"#) + #","later":{}"#, [#"p P ["given_name"]"#]
      ),
    ]
    for (more, expected) in cases { XCTAssertEqual(sent(try answer(pid(more))), expected, more) }
  }

  func testValuesAreComparedWithTheirType() throws {
    let cases: [(String, String, Bool)] = [
      (#"["age_equal_or_over","18"]"#, "true", true),
      (#"["age_equal_or_over","18"]"#, #""true""#, false),
      (#"["age_equal_or_over","18"]"#, "1", false),
      (#"["given_name"]"#, #""Erika""#, true), (#"["given_name"]"#, #""erika""#, false),
      (#"["given_name"]"#, #""Max","Erika""#, true),
      (#"["nationalities",null]"#, #""NL""#, true), (#"["nationalities",0]"#, #""NL""#, false),
      (#"["address","locality"]"#, #""Köln""#, true),
      // The same to the eye, other bytes.
      (#"["address","locality"]"#, "\"Ko\u{308}ln\"", false),
    ]
    for (path, values, isAnswered) in cases {
      let answer = try answer(pid(claims(#"{"path":\#(path),"values":[\#(values)]}"#)))
      XCTAssertEqual(answer.isPossible, isAnswered, "\(path) \(values)")
    }
    XCTAssertEqual(
      sent(try answer(card(claims(#"{"path":["level"],"values":[5]}"#)))), [#"q R ["level"]"#])
    XCTAssertFalse(try answer(card(claims(#"{"path":["level"],"values":["5"]}"#))).isPossible)
  }

  func testTheFirstClaimSetThatCanBeMetIsTaken() throws {
    func sets(_ first: String) -> String {
      claims(
        #"{"id":"a","path":["address","\#(first)"]},{"id":"b","path":["address","region"]},"#
          + #"{"id":"c","path":["address","locality"]}"#)
    }
    let order = #","claim_sets":[["a"],["b","c"]]"#
    XCTAssertEqual(
      sent(try answer(pid(sets("postal_code") + order))), [#"p P ["address","postal_code"]"#])
    XCTAssertNil(sent(try answer(pid(sets("street") + order))))
    XCTAssertEqual(
      sent(try answer(pid(sets("postal_code") + #","claim_sets":[["b","a"],["c"],["a"]]"#))),
      [#"p P ["address","locality"]"#])
  }

  func testEachQueryIsAnsweredByACardOfItsKind() throws {
    let both = try answer(pid(), card())
    XCTAssertEqual(sent(both), ["p P", "q Q"])
    XCTAssertEqual(both.matches["q"]?.map(\.card), ["Q", "R"], "the user may choose")
    XCTAssertEqual(both.matches["p"]?.map(\.card), ["P"], "an expired card answers nothing")
    XCTAssertEqual(
      sent(try answer(pid(), pid(claims(#"{"path":["birthdate"]}"#), id: "p2"))),
      ["p P", #"p2 P ["birthdate"]"#], "one card answers two queries")
    XCTAssertNil(sent(try answer(pid(), #"{"id":"u","format":"unknown_x","meta":{"a":[]}}"#)))
    let any = try answer(#"{"id":"a","format":"dc+sd-jwt","meta":{}}"#)
    XCTAssertEqual(any.matches["a"]?.map(\.card), ["P", "Q", "R"])
  }

  func testACardNeedsABindingUnlessTheVerifierSaysOtherwise() throws {
    let unbound = QueriedCard(
      id: "U", types: ["urn:eudi:pid:1"], claims: .object([:]), isBound: false)
    for (more, isAnswered) in [
      ("", false), (#","require_cryptographic_holder_binding":true"#, false),
      (#","require_cryptographic_holder_binding":false"#, true),
    ] {
      let answer = QueryAnswer(
        try query(#"{"credentials":[\#(pid(more))]}"#), cards: [unbound])
      XCTAssertEqual(answer.isPossible, isAnswered, more)
    }
  }

  func testTrustedAuthoritiesAreTheAuthoritiesOfTheCard() throws {
    for (entries, isAnswered) in [
      (#"{"type":"aki","values":["aXNzdWVy"]}"#, true),
      (#"{"type":"aki","values":["b3RoZXI","aXNzdWVy"]}"#, true),
      (#"{"type":"aki","values":["b3RoZXI"]}"#, false),
      (#"{"type":"etsi_tl","values":["aXNzdWVy"]}"#, false),
      (#"{"type":"later","values":["a"]},{"type":"aki","values":["aXNzdWVy"]}"#, true),
    ] {
      XCTAssertEqual(
        try answer(pid(#","trusted_authorities":[\#(entries)]"#)).isPossible, isAnswered, entries)
    }
  }

  func testSetsSayWhichCombinationsWillDo() throws {
    let missing = #"{"id":"m","format":"dc+sd-jwt","meta":{"vct_values":["urn:no:1"]}}"#
    func sets(_ sets: String) -> String { #","credential_sets":[\#(sets)]"# }
    XCTAssertEqual(
      sent(try answer(pid(), card(), sets: sets(#"{"options":[["p"],["q"]]}"#))), ["p P"])
    XCTAssertEqual(
      sent(try answer(missing, card(), sets: sets(#"{"options":[["m"],["q"]]}"#))), ["q Q"])
    XCTAssertEqual(
      sent(
        try answer(
          missing, pid(),
          sets: sets(#"{"options":[["m"]],"required":false},{"options":[["p"]]}"#))), ["p P"])
    XCTAssertNil(sent(try answer(missing, sets: sets(#"{"options":[["m"]]}"#))))
    XCTAssertNil(
      sent(try answer(missing, pid(), sets: sets(#"{"options":[["m","p"]]},{"options":[["p"]]}"#))))
    XCTAssertEqual(
      sent(
        try answer(
          pid(), card(), sets: sets(#"{"options":[["p"]]},{"options":[["q"]],"required":false}"#))),
      ["p P"], "what is not required is sent only if the user wants it")
    XCTAssertEqual(
      sent(try answer(card(), sets: sets(#"{"options":[["q"]],"required":false}"#))), ["q Q"])
    XCTAssertEqual(
      sent(try answer(pid(), card(), sets: sets(#"{"options":[["q","p"]]},{"options":[["p"]]}"#))),
      ["p P", "q Q"], "each query once, in the order of the queries")
  }

  func testTheUserChoosesAmongWhatTheVerifierAccepts() throws {
    let answer = try answer(
      pid(), card(#","multiple":true"#),
      sets: #","credential_sets":[{"options":[["p"],["q"]]},{"options":[["q"]],"required":false}]"#)
    func chosen(_ options: [Int?], _ cards: [String: [String]]) -> [String]? {
      answer.presentations(.init(options: options, cards: cards))?.map { "\($0.query) \($0.card)" }
    }
    XCTAssertEqual(chosen([0, nil], ["p": ["P"]]), ["p P"])
    XCTAssertEqual(chosen([1, nil], ["q": ["R"]]), ["q R"])
    XCTAssertEqual(chosen([0, 0], ["p": ["P"], "q": ["R", "Q"]]), ["p P", "q R", "q Q"])
    XCTAssertNil(chosen([nil, 0], ["q": ["Q"]]), "the first set is required")
    XCTAssertNil(chosen([0], ["p": ["P"]]))
    XCTAssertNil(chosen([2, nil], ["p": ["P"]]))
    XCTAssertNil(chosen([-1, nil], ["p": ["P"]]))
    XCTAssertNil(chosen([0, nil], ["q": ["Q"]]), "without a card for p")
    XCTAssertNil(chosen([0, nil], ["p": ["X"]]), "an expired card")
    XCTAssertNil(chosen([0, nil], ["p": ["Q"]]), "a card of another type")
    XCTAssertNil(chosen([0, nil], ["p": ["P", "P"]]))
    XCTAssertNil(chosen([1, nil], ["q": ["Q", "Q"]]))
    let one = try self.answer(card())
    XCTAssertNil(
      one.presentations(.init(options: [0], cards: ["q": ["Q", "R"]])), "one card was asked for")
  }

  func testMalformedQueriesAreRefused() throws {
    func credentials(_ text: String) -> String { #"{"credentials":[\#(text)]}"# }
    let path = #"{"path":["a"]}"#
    let malformed = [
      "[]", "{}", #"{"credentials":{}}"#, #"{"credentials":[]}"#, credentials("1"),
      credentials(#"{"format":"dc+sd-jwt","meta":{}}"#),
      credentials(#"{"id":"a","meta":{}}"#), credentials(#"{"id":"a","format":"dc+sd-jwt"}"#),
      credentials(#"{"id":"a","format":"dc+sd-jwt","meta":[]}"#),
      credentials(#"{"id":"a b","format":"dc+sd-jwt","meta":{}}"#),
      credentials(#"{"id":"","format":"dc+sd-jwt","meta":{}}"#),
      credentials(#"{"id":"ä","format":"dc+sd-jwt","meta":{}}"#),
      credentials(#"{"id":"a","format":"dc+sd-jwt","meta":{"vct_values":[]}}"#),
      credentials(#"{"id":"a","format":"dc+sd-jwt","meta":{"vct_values":"a"}}"#),
      credentials(#"{"id":"a","format":"dc+sd-jwt","meta":{"vct_values":[1]}}"#),
      credentials("\(pid()),\(pid())"), credentials(pid(#","multiple":1"#)),
      credentials(pid(#","multiple":"true""#)),
      credentials(pid(#","require_cryptographic_holder_binding":null"#)),
      credentials(pid(#","claims":[]"#)), credentials(pid(#","claims":{}"#)),
      credentials(pid(#","claims":[{}]"#)), credentials(pid(#","claims":[{"path":[]}]"#)),
      credentials(pid(#","claims":[{"path":[-1]}]"#)),
      credentials(pid(#","claims":[{"path":[true]}]"#)),
      credentials(pid(#","claims":[{"path":["a"],"values":[]}]"#)),
      credentials(pid(#","claims":[{"path":["a"],"values":[null]}]"#)),
      credentials(pid(#","claims":[{"path":["a"],"values":[1.5]}]"#)),
      credentials(pid(#","claims":[{"path":["a"],"values":[["a"]]}]"#)),
      credentials(pid(#","claims":[{"id":"b c","path":["a"]}]"#)),
      credentials(pid(#","claims":[{"id":"b","path":["a"]},{"id":"b","path":["c"]}]"#)),
      credentials(pid(#","claim_sets":[["b"]]"#)),
      credentials(pid(#","claims":[\#(path)],"claim_sets":[["b"]]"#)),
      credentials(pid(#","claims":[{"id":"b","path":["a"]},\#(path)],"claim_sets":[["b"]]"#)),
      credentials(pid(#","claims":[{"id":"b","path":["a"]}],"claim_sets":[]"#)),
      credentials(pid(#","claims":[{"id":"b","path":["a"]}],"claim_sets":[[]]"#)),
      credentials(pid(#","claims":[{"id":"b","path":["a"]}],"claim_sets":[["c"]]"#)),
      credentials(pid(#","trusted_authorities":[]"#)),
      credentials(pid(#","trusted_authorities":[{"type":"aki"}]"#)),
      credentials(pid(#","trusted_authorities":[{"type":"aki","values":[]}]"#)),
      credentials(pid(#","trusted_authorities":[{"type":1,"values":["a"]}]"#)),
    ]
    let sets = [
      "[]", "{}", "[1]", "[{}]", #"[{"options":[]}]"#, #"[{"options":[[]]}]"#,
      #"[{"options":[["x"]]}]"#, #"[{"options":["p"]}]"#, #"[{"options":[["p"]],"required":1}]"#,
    ].map { #"{"credentials":[\#(pid())],"credential_sets":\#($0)}"# }
    for text in malformed + sets {
      XCTAssertThrowsError(try query(text), text) {
        XCTAssertEqual($0 as? QueryError, .malformed, text)
      }
    }
  }

  func testAQueryHasLimits() throws {
    func many(_ count: Int, _ one: (Int) -> String) -> String {
      (0..<count).map(one).joined(separator: ",")
    }
    for (count, isRead) in [(16, true), (17, false)] {
      let text = #"{"credentials":[\#(many(count) { pid(id: "p\($0)") })]}"#
      XCTAssertEqual((try? query(text)) != nil, isRead)
    }
    for (count, isRead) in [(64, true), (65, false), (10_000, false)] {
      let list = many(count) { #"{"path":["c\#($0)"]}"# }
      XCTAssertEqual((try? query(#"{"credentials":[\#(pid(claims(list)))]}"#)) != nil, isRead)
    }
    for (count, isRead) in [(16, true), (17, false)] {
      let path = many(count) { "\"c\($0)\"" }
      let one = pid(claims(#"{"path":[\#(path)]}"#))
      XCTAssertEqual((try? query(#"{"credentials":[\#(one)]}"#)) != nil, isRead)
    }
  }

  // MARK: What is seen with what was asked for

  func testWhatTheCardStatesOfItselfIsFoundAndIsNothingToShow() throws {
    let card = QueriedCard(
      id: "c", types: ["urn:eudi:pid:1"], claims: try json(#"{"level":3}"#),
      terms: ["vct": .string("urn:eudi:pid:1"), "exp": .integer(5)])
    for (asked, shown) in [
      (#"{"path":["vct"]},{"path":["exp"]}"#, []),
      (#"{"path":["level"]},{"path":["exp"],"values":[5]}"#, [#"["level"]"#]),
      (#"{"path":["vct"],"values":["urn:example:card:1"]}"#, nil),
      (#"{"path":["exp",0]}"#, nil), (#"{"path":["iss"]}"#, nil),
    ] as [(String, [String]?)] {
      let match = try query(#"{"credentials":[\#(pid(#","claims":[\#(asked)]"#))]}"#)
        .credentials.first?.match(card)
      XCTAssertEqual(
        match?.paths.map { String(decoding: $0.json.encoded, as: UTF8.self) }, shown, asked)
    }
  }

  /// An address that is shown whole or not at all, one whose parts can be withheld on their own but for
  /// the country, and a list that is shown whole.
  func testAMatchTellsWhatIsSeenWithThePartThatWasAskedFor() throws {
    let claims = #"{"street":"Domstr. 1","locality":"Köln","country":"DE"}"#
    let card = QueriedCard(
      id: "c", types: ["urn:eudi:pid:1"],
      claims: try json(#"{"whole":\#(claims),"split":\#(claims),"list":["DE","NL"],"level":3}"#),
      disclosable: try [
        #"["whole"]"#, #"["split"]"#, #"["split","street"]"#, #"["split","locality"]"#,
        #"["list"]"#,
      ].map { try ClaimsPath(parsing: json($0)) })
    for (asked, shown) in [
      ([#"["whole","street"]"#], [#"["whole"]"#]),
      ([#"["whole","street"]"#, #"["whole","country"]"#], [#"["whole"]"#]),
      ([#"["split","street"]"#], [#"["split","street"]"#, #"["split","country"]"#]),
      ([#"["split","country"]"#], [#"["split","country"]"#]),
      ([#"["split"]"#], [#"["split"]"#]),
      ([#"["list",0]"#, #"["level"]"#], [#"["level"]"#, #"["list"]"#]),
      ([#"["list",null]"#], [#"["list",null]"#]),
      ([#"["list",1]"#, #"["list",0]"#], [#"["list",1]"#, #"["list",0]"#]),
      ([#"["level"]"#], [#"["level"]"#]),
    ] {
      let paths = asked.map { #"{"path":\#($0)}"# }.joined(separator: ",")
      let match = try query(#"{"credentials":[\#(pid(#","claims":[\#(paths)]"#))]}"#)
        .credentials.first?.match(card)
      XCTAssertEqual(
        match?.paths.map { String(decoding: $0.json.encoded, as: UTF8.self) }, shown, "\(asked)")
    }
  }
}
