import Foundation
import ServerTestSupport
import WalletCredentials
import WalletProtocol
import WalletProvider
import XCTest

/// The default vetting: the rules, the account, then the issuing source.
final class AccountVettingTests: XCTestCase {
  /// The verdict on evidence for the invented person's account.
  private func verdict(
    _ claims: LicenceClaims, person: AccountPerson? = nil,
    settings: ProofingSettings = .forDemonstration, source: any AuthoritativeSource = NoSource(),
    at now: Int64? = nil
  ) async throws -> ProofingStatus {
    var provider = ProviderSettings()
    provider.proofing = settings
    let harness = try ProviderHarness(
      settings: provider, vetting: AccountVetting(settings: settings, source: source),
      isDemonstration: settings.demonstration)
    if let now { harness.clock.advance(now - harness.clock.now) }
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try person ?? TestPerson.person())
    return try await wallet.submit(claims, try await wallet.claimed(code).id)
  }

  private func assert(
    _ claims: LicenceClaims, person: AccountPerson? = nil,
    settings: ProofingSettings = .forDemonstration, source: any AuthoritativeSource = NoSource(),
    is state: ProofingStatus.State, _ reason: ProofingStatus.Reason? = nil,
    at now: Int64? = nil, file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let status = try await verdict(
      claims, person: person, settings: settings, source: source, at: now)
    XCTAssertEqual(status.state, state, file: file, line: line)
    XCTAssertEqual(status.reason, reason, file: file, line: line)
  }

  func testRefusesUnknownIssuersAndOtherCountries() async throws {
    for issuer in ["000000", "999999", "63601", "0636014", "+36014", "", "636014 "] {
      try await assert(try TestPerson.claims(issuer: issuer), is: .resubmit, .document)
    }
    var settings = ProofingSettings.forDemonstration
    settings.countries = [.canada]
    try await assert(try TestPerson.claims(), settings: settings, is: .resubmit, .document)
    try await assert(try TestPerson.claims(issuer: "636012"), settings: settings, is: .proofed)
    try await assert(try TestPerson.claims(issuer: "636057"), is: .resubmit, .document)
  }

  func testRefusesDocumentKindsThatAreNotAccepted() async throws {
    var settings = ProofingSettings.forDemonstration
    settings.kinds = [.licence]
    try await assert(
      try TestPerson.claims(kind: .identityCard), settings: settings, is: .resubmit, .document)
    try await assert(try TestPerson.claims(kind: .identityCard), is: .proofed)
  }

  func testDocumentIsValidUntilItsLastDayEndsInTheIssuersLastTimeZone() async throws {
    let claims = try TestPerson.claims(expiry: "2023-11-14")
    // 2023-11-15 07:59:59 UTC is the last second of the day in California; 1,700,000,000 s is
    // 2023-11-14 22:13:20 UTC.
    let lastSecond: Int64 = (1_700_000_000 + 35_199) * 1000
    try await assert(claims, is: .proofed, at: lastSecond)
    try await assert(claims, is: .resubmit, .document, at: lastSecond + 1000)
  }

  func testRefusesAgesOutsideTheBounds() async throws {
    // At the time of the test's clock it is 2023-11-14 in California.
    let cases: [(String, ProofingStatus.State)] = [
      ("2005-11-14", .proofed), ("2005-11-15", .resubmit), ("1903-11-14", .proofed),
      ("1902-11-14", .resubmit), ("2024-01-01", .resubmit),
    ]
    for (birth, state) in cases {
      try await assert(
        try TestPerson.claims(birth: birth), person: try TestPerson.person(birth: birth), is: state,
        state == .resubmit ? .document : nil)
    }
  }

  func testRefusesEmptyAndOverlongValues() async throws {
    for claims in [
      try TestPerson.claims(family: ""), try TestPerson.claims(given: " - "),
      try TestPerson.claims(number: ""), try TestPerson.claims(number: "- -"),
      try TestPerson.claims(family: String(repeating: "A", count: 126)),
      try TestPerson.claims(number: String(repeating: "1", count: 65)),
      try TestPerson.claims(middle: "A\u{1E}DAQ"), try TestPerson.claims(family: "MUSTER\nMANN"),
    ] {
      try await assert(claims, is: .resubmit, .document)
    }
  }

  func testComparesNamesWithoutCaseDiacriticsAndSeparators() async throws {
    let same: [(account: (String, String), card: (String, String, String?))] = [
      (("Mustermann", "Erika Maria"), ("MUSTERMANN", "ERIKA", "MARIA")),
      (("Mustermann", "Erika"), ("MUSTERMANN", "ERIKA", "MARIA")),
      (("Mustermann", "Erika Maria"), ("MUSTERMANN", "ERIKA", nil)),
      (("Mustermann", "Erika Maria"), ("MUSTERMANN", "ERIKA MARIA", nil)),
      (("O'Brien-Smith", "Zoë"), ("OBRIEN SMITH", "ZOE", nil)),
      (("O’Brien Smith", "Mary-Ann"), ("O'BRIEN-SMITH", "MARYANN", nil)),
      (("Mustermann", "Jean-Luc"), ("MUSTERMANN", "JEAN LUC", nil)),
      (("Ó Súilleabháin", "Seán"), ("OSUILLEABHAIN", "SEAN", nil)),
      (("Łukasiewicz", "Zofia"), ("LUKASIEWICZ", "ZOFIA", nil)),
      (("Strauß", "Åse"), ("STRAUSS", "ASE", nil)),
      (("Nuñez", "José"), ("NUN\u{303}EZ", "JOSE\u{301}", nil)),
    ]
    for (account, card) in same {
      try await assert(
        try TestPerson.claims(family: card.0, given: card.1, middle: card.2),
        person: try TestPerson.person(family: account.0, given: account.1), is: .proofed)
    }
    let different: [(String, String)] = [
      ("MUSTERFRAU", "ERIKA"), ("MUSTERMAN", "ERIKA"), ("MUSTERMANN", "MARIA"),
      ("MUSTERMANN", "ERIK"), ("MUSTERMANN", "ERIKAS"), ("ERIKA", "MUSTERMANN"),
    ]
    for (family, given) in different {
      try await assert(
        try TestPerson.claims(family: family, given: given, middle: nil), is: .resubmit, .notMatched
      )
    }
    try await assert(try TestPerson.claims(birth: "1990-12-30"), is: .resubmit, .notMatched)
  }

  func testTruncatedNameMatchesOnlyIfTheCardSaysItIsTruncated() async throws {
    let person = try TestPerson.person(
      family: "Wolfeschlegelsteinhausenbergerdorff", given: "Maximiliana Alexandrina")
    let cut = "WOLFESCHLEGELSTEINHAUSEN"
    for (warnings, state) in [
      (["family_name_truncated"], ProofingStatus.State.proofed),
      (["truncation_unknown"], .resubmit),
      (["given_name_truncated"], .resubmit), ([], .resubmit),
    ] {
      try await assert(
        try TestPerson.claims(
          family: cut, given: "MAXIMILIANA", middle: nil, warnings: warnings), person: person,
        is: state, state == .resubmit ? .notMatched : nil)
    }
    try await assert(
      try TestPerson.claims(
        family: "WOLFESCHLEGELSTEINHAUSENBERGERDORFF", given: "MAXIMILIAN", middle: nil,
        warnings: ["given_name_truncated"]), person: person, is: .proofed)
    // 24 letters do not fill the field, so a card without a truncation warning has the complete
    // name. A name that continues differently is another name, truncated or not.
    try await assert(
      try TestPerson.claims(
        family: "WOLFESCHLEGELSTEINHAUSER", given: "MAXIMILIANA",
        warnings: ["family_name_truncated"]), person: person, is: .resubmit, .notMatched)
  }

  func testMatchesNamesTruncatedByTheStandard() async throws {
    let family = "Wolfeschlegelsteinhausen-Bergerdorff"
    let cases: [(family: String, state: ProofingStatus.State)] = [
      ("WOLFESCHLEGELSTEINHAUS-B", .proofed), ("WOLFESCHLEGELSTEINHAUS B", .proofed),
      ("WOLFESCHLEGELSTEINHAUSEN-BERG", .proofed), ("WOLFESCHLEGELSTEINHAUSEN", .proofed),
      // The last word is truncated before the first one, to its first letter and no further.
      ("WOLFESCHLEGELSTEINHAUS-BE", .resubmit), ("WOLFESCHLEGELSTEINHAUS-C", .resubmit),
      ("WOLFESCHLEGELSTEINHAUS-B-B", .resubmit), ("WOLFESCHLEGELSTEINHAUB", .resubmit),
      ("WOLFESCH-B", .resubmit),
    ]
    for (card, state) in cases {
      try await assert(
        try TestPerson.claims(family: card, warnings: ["family_name_truncated"]),
        person: try TestPerson.person(family: family), is: state,
        state == .resubmit ? .notMatched : nil)
    }
    let three = try TestPerson.person(given: "Jean-Maximilien O'Hara-Lefebvre")
    for (card, state) in [
      ("JEAN-MAXIMIL O-L", ProofingStatus.State.proofed), ("JEAN-MAXIMIL L", .resubmit),
      ("J-MAXIMILIEN OHARA-L", .resubmit),
    ] {
      try await assert(
        try TestPerson.claims(given: card, middle: nil, warnings: ["given_name_truncated"]),
        person: three, is: state, state == .resubmit ? .notMatched : nil)
    }
    try await assert(
      try TestPerson.claims(family: "WOLFESCHLEGELSTEINHAUS-B"),
      person: try TestPerson.person(family: family), is: .resubmit, .notMatched)
  }

  func testNameOfUnknownTruncationMatchesOnlyIfItFillsItsField() async throws {
    let person = try TestPerson.person(
      family: "Wolfeschlegelsteinhausenbergerdorffwelchevor",
      given: "Maximiliana-Alexandrina Wilhelmina Gertrud Adelheid")
    for (family, state) in [
      ("WOLFESCHLEGELSTEINHAUSENBERGERDORFFWELCH", ProofingStatus.State.proofed),
      ("WOLFESCHLEGELSTEINHAUSENBERGERDORFFWELC", .resubmit),
    ] {
      try await assert(
        try TestPerson.claims(
          family: family, given: "MAXIMILIANA-ALEXANDRINA WILHELMINA GER A",
          warnings: ["truncation_unknown"]), person: person, is: state,
        state == .resubmit ? .notMatched : nil)
    }
  }

  func testAFewLettersNeverMatchAsATruncatedName() async throws {
    for (family, given, warning) in [
      ("M", "ERIKA", "family_name_truncated"), ("MUSTERMAN", "ERIKA", "family_name_truncated"),
      ("MUSTERMANN", "E", "given_name_truncated"),
    ] {
      try await assert(
        try TestPerson.claims(
          family: family, given: given, middle: nil, warnings: [warning, "truncation_unknown"]),
        is: .resubmit, .notMatched)
    }
  }

  func testHyphensDoNotSplitGivenNamesWhichAreComparedInFull() async throws {
    for (account, card) in [
      ("Jean-Luc", "JEAN-PIERRE"), ("Jean", "JEAN-PIERRE"), ("Jean-Luc", "JEAN"),
      ("Jean Luc", "JEAN PIERRE"), ("Erika", "ERIKA ANYTHING AT ALL"),
    ] {
      try await assert(
        try TestPerson.claims(given: card, middle: nil),
        person: try TestPerson.person(given: account),
        is: .resubmit, .notMatched)
    }
  }

  /// Only what the operator entered is signed: a wallet's spelling of it is compared, and dropped.
  func testPIDContainsOnlyComparedNamesAsTheAccountSpellsThem() async throws {
    let cut = "WOLFESCHLEGELSTEINHAUSEN"
    let long = "Wolfeschlegelsteinhausenbergerdorff"
    let cases:
      [(account: (String, String), card: (String, String, String?), pid: (String, String))] =
        [
          (
            ("Mustermann", "Erika"), ("MUSTERMANN", "ERIKA", "ANYTHING AT ALL"),
            ("Mustermann", "Erika")
          ),
          (
            ("Mustermann", "Erika Maria"), ("MUSTERMANN", "ERIKA", "ANNA"), ("Mustermann", "Erika")
          ),
          (
            ("Mustermann", "Erika Maria Anna"), ("MUSTERMANN", "ERIKA", "M"),
            ("Mustermann", "Erika M")
          ),
          (
            ("Mustermann", "Erika M."), ("MUSTERMANN", "ERIKA", "MARIA"), ("Mustermann", "Erika M.")
          ),
          (
            ("Mustermann", "Erika Maria"), ("MUSTERMANN", "ERIKA", nil), ("Mustermann", "Erika")
          ),
          ((long, "Erika"), (cut, "ERIKA", nil), (long, "Erika")),
          (
            ("Mustermann", "Maximiliana Alexandrina"), ("MUSTERMANN", "MAXIMILIANA ALEX", nil),
            ("Mustermann", "Maximiliana Alexandrina")
          ),
          // However a wallet spells a name that matches, the PID has the operator's spelling.
          (
            ("O’Brien-Smith", "Zoë  Anne-Marie"), ("oBRIENSMITH", "Z.O.E.", "a.n.n.e.MARIE"),
            ("O’Brien-Smith", "Zoë Anne-Marie")
          ),
          (("Strauß", "Jean Luc"), ("S'T'R'A'U'S'S", "jEANlUC", nil), ("Strauß", "Jean Luc")),
        ]
    for (account, card, expected) in cases {
      let harness = try ProviderHarness()
      let wallet = try await TestWallet.confirmed(harness)
      let person = try TestPerson.person(family: account.0, given: account.1)
      let session = try await wallet.claimed(try await harness.accounts.create(person))
      let claims = try TestPerson.claims(
        family: card.0, given: card.1, middle: card.2,
        warnings: ["family_name_truncated", "given_name_truncated"])
      _ = try await wallet.submit(claims, session.id)
      let (pid, _, _) = try wallet.verified(try await wallet.issue(session.id, pidKey: .makeP256()))
      XCTAssertEqual(pid.familyName, expected.0)
      XCTAssertEqual(pid.givenName, expected.1)
    }
  }

  func testRefusesNamesWithUnusualCharacters() async throws {
    for name in ["MUSTERMANN\u{202E}", "MUSTERMANN<", "MUSTERMANN\u{200B}", "MUSTERMANN1"] {
      try await assert(try TestPerson.claims(family: name), is: .resubmit, .document)
      try await assert(try TestPerson.claims(middle: name), is: .resubmit, .document)
      XCTAssertThrowsError(try TestPerson.person(family: name))
    }
  }

  func testDocumentNumberIsASCII() async throws {
    for number in ["\u{212A}1234567", "D１234567", "D123\u{7F}", "Ｄ1"] {
      try await assert(try TestPerson.claims(number: number), is: .resubmit, .document)
    }
  }

  func testSourceAndDigestTreatBothNumbersOfAnIssuerAsOne() async throws {
    let json = """
      {"issuers":[{"number":604432}],"documents":[
        {"issuer":604432,"number":"D1234567","family_name":"Mustermann","given_name":"Erika",
         "birth_date":"1990-12-31","expiry_date":"2031-06-30"}]}
      """
    let path = NSTemporaryDirectory() + "source-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try json.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let source = try AuthoritativeSourceFile(path: path)
    try await assert(
      try TestPerson.claims(issuer: "990876"), source: source, is: .resubmit, .notMatched)
    let harness = try ProviderHarness()
    var states: [ProofingStatus.State] = []
    for issuer in ["604432", "990876"] {
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession()
      states.append(
        try await wallet.submit(try TestPerson.claims(issuer: issuer), session.id).state)
    }
    XCTAssertEqual(states, [.proofed, .resubmit])
  }

  func testIssuingSourceConfirmsRefusesOrDoesNotRespond() async throws {
    let json = """
      {"issuers":[{"number":636014},{"number":636015,"answers":false}],"documents":[
        {"issuer":636014,"number":"D123-4567","family_name":"Mustermann","given_name":"Erika",
         "birth_date":"1990-12-31","expiry_date":"2030-06-30"}]}
      """
    let path = NSTemporaryDirectory() + "source-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try json.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let source = try AuthoritativeSourceFile(path: path)
    try await assert(try TestPerson.claims(), source: source, is: .proofed)
    try await assert(
      try TestPerson.claims(number: "D7654321"), source: source, is: .resubmit, .notMatched)
    try await assert(
      try TestPerson.claims(expiry: "2031-06-30"), source: source, is: .resubmit, .notMatched)
    try await assert(
      try TestPerson.claims(issuer: "636015"), source: source, is: .sourceUnavailable)
    try await assert(try TestPerson.claims(issuer: "636016"), source: source, is: .proofed)
  }

  func testIssuingSourceConfirmsTheCompleteFormOfATruncatedName() async throws {
    let long = "Wolfeschlegelsteinhausen-Bergerdorff"
    let json = """
      {"issuers":[{"number":636014}],"documents":[
        {"issuer":636014,"number":"D1234567","family_name":"\(long)","given_name":"Maximiliana",
         "birth_date":"1990-12-31","expiry_date":"2030-06-30"}]}
      """
    let source = try AuthoritativeSourceFile(json: Array(json.utf8))
    let cut = "WOLFESCHLEGELSTEINHAUS-B"
    for (given, warnings, state) in [
      ("MAXIMILIANA", ["family_name_truncated"], ProofingStatus.State.proofed),
      ("MAXIMILIAN", ["family_name_truncated", "given_name_truncated"], .proofed),
      ("MAXIMILIAN", ["family_name_truncated"], .resubmit),
    ] {
      try await assert(
        try TestPerson.claims(family: cut, given: given, middle: nil, warnings: warnings),
        person: try TestPerson.person(
          family: long, given: state == .proofed ? "Maximiliana" : "Maximilian"),
        source: source, is: state, state == .resubmit ? .notMatched : nil)
    }
  }

  /// The truncated name is the beginning of both names, and the source has another person's.
  func testIssuingSourceDoesNotConfirmAnotherNameWithTheSameBeginning() async throws {
    let json = """
      {"issuers":[{"number":636014}],"documents":[
        {"issuer":636014,"number":"D1234567","family_name":"Rodriguez-Martinez",
         "given_name":"Maximiliana","birth_date":"1990-12-31","expiry_date":"2030-06-30"}]}
      """
    try await assert(
      try TestPerson.claims(
        family: "RODRIGUEZ-M", given: "MAXIMILIANA", middle: nil,
        warnings: ["family_name_truncated"]),
      person: try TestPerson.person(family: "Rodriguez-Morales", given: "Maximiliana"),
      source: try AuthoritativeSourceFile(json: Array(json.utf8)), is: .resubmit, .notMatched)
  }

  /// Evidence comes from a client, so it proves nobody by itself.
  func testOnlyAnAuthoritativeSourceProvesAPersonOutsideADemonstration() async throws {
    let settings = ProofingSettings()
    try await assert(try TestPerson.claims(), settings: settings, is: .declined)
    let json = """
      {"issuers":[{"number":636014}],"documents":[
        {"issuer":636014,"number":"D1234567","family_name":"Mustermann","given_name":"Erika",
         "birth_date":"1990-12-31","expiry_date":"2030-06-30"}]}
      """
    let source = try AuthoritativeSourceFile(json: Array(json.utf8))
    try await assert(try TestPerson.claims(), settings: settings, source: source, is: .proofed)
    // An issuer that the source does not cover.
    try await assert(
      try TestPerson.claims(issuer: "636015"), settings: settings, source: source, is: .declined)
    try await assert(try TestPerson.claims(issuer: "636015"), source: source, is: .proofed)
    // The condition holds for any vetting.
    let harness = try ProviderHarness(
      vetting: ScriptedVetting([.proofed(sourceMatched: false)]), isDemonstration: false)
    let wallet = try await TestWallet.confirmed(harness)
    let status = try await wallet.submit(
      try TestPerson.claims(), try await wallet.newSession().id)
    XCTAssertEqual(status.state, .declined)
    XCTAssertEqual(status.reference?.count, 8)
  }

  func testPIDSaysWhetherItWasADemonstration() async throws {
    for isDemonstration in [true, false] {
      let harness = try ProviderHarness(
        vetting: ScriptedVetting([.proofed(sourceMatched: true)]),
        isDemonstration: isDemonstration)
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession()
      _ = try await wallet.submit(try TestPerson.claims(), session.id)
      let (pid, verified, _) = try wallet.verified(
        try await wallet.issue(session.id, pidKey: .makeP256()))
      XCTAssertEqual(pid.verification.demonstration, isDemonstration)
      guard case .object(let members)? = verified.claims.object?["verification"] else {
        return XCTFail("no verification")
      }
      // What the provider has not seen, it does not say.
      XCTAssertEqual(members["barcode_claimed"], .boolean(true))
      XCTAssertNil(members["barcode_read"])
    }
  }

  func testPIDSaysWhetherTheSourceConfirmed() async throws {
    for matched in [true, false] {
      let harness = try ProviderHarness(
        vetting: ScriptedVetting([.proofed(sourceMatched: matched)]))
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession()
      let evidence = try TestPerson.claims(kind: .identityCard)
      _ = try await wallet.submit(evidence, session.id)
      let (pid, _, _) = try wallet.verified(try await wallet.issue(session.id, pidKey: .makeP256()))
      XCTAssertEqual(pid.verification.issuingSourceMatch, matched)
      XCTAssertEqual(pid.verification.evidence, .identityCard)
    }
  }

  func testStartFailsWithAnInvalidOrReadableSourceFile() throws {
    let path = NSTemporaryDirectory() + "source-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    XCTAssertThrowsError(try AuthoritativeSourceFile(path: path))
    let document = """
      {"issuer":636014,"number":"D1","family_name":"Secret","given_name":"B",\
      "birth_date":"1990-12-31","expiry_date":"2030-06-30"
      """
    let whole = #"{"issuers":[{"number":636014}],"documents":["# + document + "}]}"
    XCTAssertNoThrow(try AuthoritativeSourceFile(json: Array(whole.utf8)))
    let bad = [
      "", "[]", "{}", #"{"issuers":[]}"#, #"{"issuers":[{"number":1}],"documents":[]}"#,
      #"{"issuers":[],"documents":[],"more":1}"#,
      #"{"issuers":[],"documents":["# + document + #","more":1}]}"#,
      #"{"issuers":[],"documents":[{"issuer":636014}]}"#,
      // An issuer that is not listed, an issuer listed twice, and two documents with the same
      // number.
      #"{"issuers":[{"number":636015}],"documents":["# + document + "}]}",
      #"{"issuers":[{"number":636014},{"number":636014,"answers":false}],"documents":[]}"#,
      #"{"issuers":[{"number":604432},{"number":990876}],"documents":[]}"#,
      #"{"issuers":[{"number":636014}],"documents":["# + document + "},"
        + document.replacing("D1", with: "d-1") + "}]}",
    ]
    for json in bad {
      try json.write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      XCTAssertThrowsError(try AuthoritativeSourceFile(path: path), json) {
        XCTAssertTrue("\($0)".hasPrefix(path + " is not an authoritative source"), "\($0)")
        XCTAssertFalse("\($0)".contains("Secret"))
      }
    }
    try #"{"issuers":[],"documents":[]}"#.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    XCTAssertThrowsError(try AuthoritativeSourceFile(path: path)) {
      XCTAssertTrue("\($0)".contains("chmod 600"), "\($0)")
    }
  }
}
