import WalletCredentials
import WalletPresentation
import WalletProtocol
import WalletTrust
import XCTest

/// What relying parties ask for beyond their registrations, and what of `verifier_info` counts.
final class RegistrationExcessTests: XCTestCase {
  private let world = Result { try RegistrationWorld() }

  /// A registration for `credentials`, or for the name in cards of type "a".
  private func certificate(
    _ credentials: String? = nil, purpose: String? = nil
  ) throws -> String {
    var members = try TestRegistrar.members()
    members["purpose"] = purpose.map { .string($0) }
    if let credentials {
      members["credentials"] = try JSONValue(
        parsing: Array(credentials.utf8), profile: .foreign)
    }
    return try world.get().registrar.certificate(members)
  }

  private func query(
    _ id: String = "p", format: String = "dc+sd-jwt", meta: String = #"{"vct_values":["a"]}"#,
    paths: String...
  ) -> String {
    let claims = paths.map { #"{"path":\#($0)}"# }.joined(separator: ",")
    return #"{"id":"\#(id)","format":"\#(format)","meta":\#(meta)"#
      + (paths.isEmpty ? "}" : #","claims":[\#(claims)]}"#)
  }

  /// What a request for `queries` asks for beyond a registration: "id" for a card, "id path".
  private func excess(_ credentials: String, _ queries: String...) throws -> [String] {
    let request = try world.get().request(
      [RegistrationWorld.entry(certificate(credentials))],
      query: #"{"credentials":[\#(queries.joined(separator: ","))]}"#)
    XCTAssertEqual(
      request.exceedsRegistration, request.registration?.excess(of: request.query))
    return texts(request)
  }

  private func texts(_ request: PresentationRequest) -> [String] {
    request.exceedsRegistration.map { excess in
      ([excess.query]
        + (excess.path.map { [String(decoding: $0.json.encoded, as: UTF8.self)] } ?? []))
        .joined(separator: " ")
    }
  }

  private func entry(
    _ claims: String, format: String = "dc+sd-jwt", meta: String = #"{"vct_values":["a"]}"#
  ) -> String {
    #"{"format":"\#(format)","meta":\#(meta),"claim":[\#(claims)]}"#
  }

  /// The claim `address` can only be shown whole, and so can the list.
  func testWhatIsShownBeyondTheRegistrationCountsThoughItIsNotAskedFor() throws {
    let request = try world.get().request(
      [
        RegistrationWorld.entry(
          certificate(
            "[\(entry(#"{"path":["address","street"]},{"path":["list",null]}"#))]"))
      ],
      query:
        #"{"credentials":[\#(query(paths: #"["address","street"]"#, #"["list",0]"#))]}"#)
    XCTAssertEqual(request.exceedsRegistration, [])
    for (shown, isBeyond) in [
      ([#"["address","street"]"#], false), ([#"["address"]"#], true),
      ([#"["list",0]"#], false), ([#"["list"]"#], false), ([], false),
    ] {
      let match = QueryMatch(
        card: "c",
        paths: try shown.map {
          try ClaimsPath(parsing: JSONValue(parsing: Array($0.utf8), profile: .foreign))
        })
      XCTAssertEqual(request.exceedsRegistration(by: match, of: "p"), isBeyond, "\(shown)")
    }
  }

  func testAPathIsCoveredByItselfAndByWhatItLiesIn() throws {
    for (registered, asked, isCovered) in [
      (#"["a"]"#, #"["a"]"#, true), (#"["a"]"#, #"["a","b"]"#, true),
      (#"["a"]"#, #"["a",null]"#, true), (#"["a","b"]"#, #"["a"]"#, false),
      (#"["a"]"#, #"["b"]"#, false), (#"["a"]"#, #"["A"]"#, false),
      (#"["a",null]"#, #"["a",null]"#, true), (#"["a",null]"#, #"["a",1]"#, true),
      (#"["a",null]"#, #"["a","b"]"#, false), (#"["a",1]"#, #"["a",1,"b"]"#, true),
      (#"["a",1]"#, #"["a",2]"#, false), (#"["a",1]"#, #"["a",null]"#, false),
      (#"["a",0]"#, #"["a","0"]"#, false),
      // Alike for the eye, and other bytes.
      (#"["\u00e9"]"#, #"["e\u0301"]"#, false),
    ] {
      let found = try excess("[\(entry(#"{"path":\#(registered)}"#))]", query(paths: asked))
      XCTAssertEqual(found.isEmpty, isCovered, "\(registered) for \(asked)")
    }
  }

  func testPathsThatCannotBeReadCoverNothing() throws {
    for claim in [
      #"{"path":[]}"#, #"{"path":"a"}"#, #"{"path":[true]}"#, #"{"path":[-1]}"#, "{}", "null",
      #"["a"]"#, #"{"values":["a"]}"#,
    ] {
      XCTAssertEqual(
        try excess("[\(entry(claim))]", query(paths: #"["a"]"#)), [#"p ["a"]"#], claim)
    }
    let misnamed = #"{"format":"dc+sd-jwt","meta":{"vct_values":["a"]},"claims":[{"path":["a"]}]}"#
    XCTAssertEqual(try excess("[\(misnamed)]", query(paths: #"["a"]"#)), [#"p ["a"]"#])
  }

  func testAnEntryWithoutClaimsIsForTheCardAlone() throws {
    for entry in [entry(""), #"{"format":"dc+sd-jwt","meta":{"vct_values":["a"]}}"#] {
      XCTAssertEqual(try excess("[\(entry)]", query()), [])
      // Everyone sees these.
      XCTAssertEqual(try excess("[\(entry)]", query(paths: #"["vct"]"#, #"["exp"]"#)), [])
      XCTAssertEqual(try excess("[\(entry)]", query(paths: #"["a"]"#)), [#"p ["a"]"#])
    }
  }

  func testTypesAreCoveredByAnEntryThatNamesThemAll() throws {
    let claim = #"{"path":["x"]}"#
    let any = "{}"
    for (registered, asked, isCovered) in [
      (#"{"vct_values":["a"]}"#, #"{"vct_values":["a"]}"#, true),
      (#"{"vct_values":["a","b"]}"#, #"{"vct_values":["b"]}"#, true),
      (#"{"vct_values":["a"]}"#, #"{"vct_values":["a","b"]}"#, false),
      (#"{"vct_values":["a"]}"#, any, false), (any, any, true),
      (any, #"{"vct_values":["a"]}"#, false),
      // A limit that cannot be read is not no limit.
      (#"{"vct_values":"a"}"#, any, false), (#"{"vct_values":[]}"#, any, false),
      (#"{"vct_values":[1]}"#, any, false), (#""text""#, any, false),
      (#"{"vct_values":["\u00e9"]}"#, #"{"vct_values":["e\u0301"]}"#, false),
    ] {
      let found = try excess(
        "[\(entry(claim, meta: registered))]", query(meta: asked, paths: #"["x"]"#))
      XCTAssertEqual(found, isCovered ? [] : ["p", #"p ["x"]"#], "\(registered) for \(asked)")
    }
    let mdoc = #"{"doctype_value":"a"}"#
    XCTAssertEqual(
      try excess(
        "[\(entry(claim, format: "mso_mdoc", meta: mdoc))]",
        query(format: "mso_mdoc", meta: mdoc, paths: #"["x"]"#)), ["p", #"p ["x"]"#],
      "what this meta says is not known here")
    XCTAssertEqual(
      try excess("[\(entry(claim, format: "vc+sd-jwt"))]", query()), ["p"])
  }

  func testEntriesOfOneKindCoverTogetherAndOthersNothing() throws {
    let entries = [
      entry(#"{"path":["x"]}"#), entry(#"{"path":["y"]}"#),
      entry(#"{"path":["z"]}"#, meta: #"{"vct_values":["b"]}"#), "null", "1",
    ].joined(separator: ",")
    XCTAssertEqual(
      try excess(
        "[\(entries)]", query(paths: #"["x"]"#, #"["y"]"#, #"["z"]"#),
        query("q", meta: #"{"vct_values":["b"]}"#, paths: #"["z"]"#),
        query("r", meta: #"{"vct_values":["c"]}"#, paths: #"["x"]"#)),
      [#"p ["z"]"#, "r", #"r ["x"]"#])
    XCTAssertEqual(try excess("{}", query(paths: #"["x"]"#)), ["p", #"p ["x"]"#])
  }

  func testWithoutARegistrationThereIsNothingToExceed() throws {
    for info in [nil, .array([]), .null, .string("a"), .object([:])] as [JSONValue?] {
      let request = try world.get().request(info)
      XCTAssertNil(request.registration)
      XCTAssertEqual(request.registrations, [])
      XCTAssertEqual(request.exceedsRegistration, [])
    }
  }

  func testEntriesThatAreNoRegistrationsAreIgnored() throws {
    let text = try certificate(purpose: "good")
    let good = RegistrationWorld.entry(text)
    let ignored: [JSONValue] = [
      .null, .string(text), .object([:]), RegistrationWorld.entry(text, format: "jwt"),
      RegistrationWorld.entry(text, format: "rc-wrp+jwt"),
      RegistrationWorld.entry(text, format: "registrar_dataset"), RegistrationWorld.entry(""),
      RegistrationWorld.entry(text + "A"), RegistrationWorld.entry(text, ["data": .object([:])]),
    ]
    for entry in ignored {
      XCTAssertNil(try world.get().request([entry]).registration)
    }
    let all = try world.get().request(ignored + [good])
    XCTAssertEqual(all.registrations.map { $0.purposes["und"] }, ["good"])
    let tooMany = [JSONValue](repeating: .null, count: 16) + [good]
    XCTAssertNil(try world.get().request(tooMany).registration)
    // An object where an array belongs.
    XCTAssertNil(try world.get().request(good).registration)
  }

  func testAnEntryMayBeForSomeQueriesOnly() throws {
    let world = try world.get()
    let credentials = "[\(entry(#"{"path":["x"]}"#))]"
    let asked =
      #"{"credentials":[\#(query(paths: #"["x"]"#)),\#(query("q", paths: #"["x"]"#))]}"#
    for (ids, queries) in [
      (#"["p"]"#, ["p"]), (#"["q","r"]"#, ["q"]), (#"["p","q"]"#, ["p", "q"]),
    ] as [(String, Set<String>)] {
      for member in ["credential_ids", "credentials_ids"] {
        let entry = RegistrationWorld.entry(
          try certificate(credentials),
          [member: try JSONValue(parsing: Array(ids.utf8), profile: .foreign)])
        let request = try world.request([entry], query: asked)
        XCTAssertEqual(request.registration?.queries, queries)
        XCTAssertEqual(
          Set(request.exceedsRegistration.map(\.query)), Set(["p", "q"]).subtracting(queries))
      }
    }
    for ids in [#"["r"]"#, "[]", "[1]", #""p""#, "null", "{}"] {
      let entry = RegistrationWorld.entry(
        try certificate(credentials),
        ["credential_ids": try JSONValue(parsing: Array(ids.utf8), profile: .foreign)])
      XCTAssertNil(try world.request([entry], query: asked).registration, ids)
    }
  }

  func testTwoRegistrationsAreNotCombinedIntoAThirdUse() throws {
    let world = try world.get()
    let (one, two) = (
      RegistrationWorld.entry(
        try certificate("[\(entry(#"{"path":["x"]}"#))]", purpose: "one")),
      RegistrationWorld.entry(
        try certificate("[\(entry(#"{"path":["y"]}"#))]", purpose: "two"))
    )
    let asked = #"{"credentials":[\#(query(paths: #"["x"]"#, #"["y"]"#))]}"#
    let request = try world.request([one, two], query: asked)
    XCTAssertEqual(request.registrations.map { $0.purposes["und"] }, ["one"])
    XCTAssertEqual(texts(request), [#"p ["y"]"#])
    // Each for a query of its own.
    let split =
      #"{"credentials":[\#(query(paths: #"["x"]"#)),\#(query("q", paths: #"["y"]"#))]}"#
    func narrowed(_ entry: JSONValue, _ id: String) -> JSONValue {
      .object((entry.object ?? [:]).merging(["credential_ids": .array([.string(id)])]) { $1 })
    }
    let both = try world.request([narrowed(one, "p"), narrowed(two, "q")], query: split)
    XCTAssertEqual(both.registrations.map(\.queries), [["p"], ["q"]])
    XCTAssertEqual(texts(both), [])
    let crossed = try world.request([narrowed(one, "q"), narrowed(two, "p")], query: split)
    XCTAssertEqual(texts(crossed), [#"p ["x"]"#, #"q ["y"]"#])
  }
}
