import Foundation
import TestSupport
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// Identity proofing with processes: the command line while a server runs.
final class ProofingProcessTests: XCTestCase {
  /// A provider with the real time, so that processes on its directory have the same time.
  private func harness() throws -> ProviderHarness {
    try ProviderHarness(clock: TestClock(SystemWallClock().now))
  }

  private func post(_ url: String, _ body: String) throws -> ProgramResult {
    try Program.curl(
      url, "--header", "Content-Type: application/json", "--data-binary", body, "--max-time",
      "\(Int(Patience.seconds))")
  }

  private func send(
    _ request: TestWallet.Prepared, to server: ServerProcess, _ harness: ProviderHarness
  ) throws -> InstructionOutcome {
    let answer = try post(
      try server.url() + Route.instruction(request.instruction),
      String(decoding: request.body, as: UTF8.self))
    XCTAssertEqual(answer.status, 0, answer.errors)
    return try harness.result(
      try WireJSON.decode(InstructionAnswer.self, from: Array(answer.output.utf8)),
      to: request.body, claims: request.claims)
  }

  func testMostVerboseLogOfAProofingContainsNoPersonalData() async throws {
    try await assertLogNamesNobody("text") { "\($0)=\($1)" }
  }

  /// The secret keys of the provider, and the public keys derived from them, that are in `log` in
  /// any form.
  private func keysFound(in log: String, of harness: ProviderHarness) throws -> [String] {
    let directory = harness.path + "/keys"
    var found: [String] = []
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: directory)
    where !name.hasSuffix(".pem") {
      let text = try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
      let first = try XCTUnwrap(text.split(whereSeparator: \.isWhitespace).first)
      let bytes = try XCTUnwrap(Base64URL.decode(first))
      let forms = [
        String(first), Data(bytes).base64EncodedString().replacingOccurrences(of: "=", with: ""),
        bytes.map { String(format: "%02x", $0) }.joined(),
        bytes.map { String($0) }.joined(separator: ", "),
      ]
      found += forms.filter { log.contains($0) }.map { "\(name): \($0.prefix(12))" }
      count += 1
    }
    XCTAssertGreaterThan(count, 6)
    return found
  }

  func testMostVerboseJSONLogOfAProofingContainsNoPersonalData() async throws {
    try await assertLogNamesNobody("json") { #""\#($0)":"\#($1)""# }
  }

  /// - Parameter entry: the form in which the log writes metadata.
  private func assertLogNamesNobody(
    _ format: String, _ entry: (_ key: String, _ value: String) -> String
  ) async throws {
    let harness = try harness()
    let wallet = try await TestWallet.confirmed(harness)
    let server = try ServerProcess([
      "--data", harness.path, "--log-level", "trace", "--log-format", format, "--enrol-page",
      "--demonstration",
    ])
    let code = try await harness.accounts.create(try TestPerson.person())
    let claim = try await wallet.prepareClaim(code.secret)
    guard case .claimed(let session) = try send(claim, to: server, harness) else {
      return XCTFail("not claimed")
    }
    for family in ["OTHER", "MUSTERMANN"] {
      let submission = try await wallet.prepareSubmission(
        try TestPerson.claims(family: family), session.id)
      _ = try send(submission, to: server, harness)
    }
    let form = try Program.curl(
      try server.url() + "/enrol", "--interface", "127.0.0.9", "--header",
      "Sec-Fetch-Site: same-origin", "--data",
      "family_name=Mustermann&given_name=Erika&birth_date=1990-12-31&label=e%40example.org",
      "--dump-header", "-")
    let page = try XCTUnwrap(form.output.components(separatedBy: "/enrol/").last?.prefix(43))
    let looked = try Program.curl(
      try server.url() + "/enrol/" + page, "--output", "/dev/null", "--write-out",
      "%header{x-request-id}")
    XCTAssertEqual(Base64URL.decode(looked.output)?.count, 16, looked.output)
    // A browser without Sec-Fetch-Site sends the origin of the form.
    for (origin, status) in [(try server.url(), "400"), ("http://other.example", "403")] {
      let answer = try Program.curl(
        try server.url() + "/enrol", "--header", "Origin: \(origin)", "--data", "x=1", "--output",
        "/dev/null", "--write-out", "%{http_code}")
      XCTAssertEqual(answer.output, status)
    }
    XCTAssertEqual(server.end(), 0)
    let log = server.lastLog()
    XCTAssertTrue(log.contains(entry("result", "resubmit.not_matched")), log)
    XCTAssertTrue(log.contains(entry("result", "proofed")), log)
    let answers = log.split(separator: "\n").filter { $0.contains("proofing answered") }
    XCTAssertGreaterThan(answers.count, 2, log)
    for answer in answers {
      XCTAssertTrue(answer.contains(entry("demonstration", "true")), String(answer))
    }
    XCTAssertTrue(log.contains(entry("request", looked.output)), log)
    XCTAssertEqual(try keysFound(in: log, of: harness), [])
    for line in log.split(separator: "\n") where format == "json" {
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      XCTAssertTrue(["time", "level", "message"].allSatisfy { entry?[$0] is String }, String(line))
    }
    for secret in [
      "mustermann", "erika", "1990", "D1234567", "example.org", "OTHER", session.id, wallet.id,
      code.account, Base64URL.encode(code.secret), String(page), "127.0.0.9",
    ] {
      XCTAssertNil(log.range(of: secret, options: .caseInsensitive), "\(secret) in \(log)")
    }
  }

  func testEachActOfADemonstrationSaysSoInTheLog() async throws {
    let harness = try harness()
    let code = try await harness.accounts.create(try TestPerson.person())
    for says in [true, false] {
      let environment = ["WALLET_PROVIDER_DEMONSTRATION": "\(says)"]
      let options = ["--data", harness.path]
      for act in [["account", "close"], ["account", "reopen"]] {
        let result = try Program.run(
          Program.provider, act + options + [code.account], environment: environment)
        XCTAssertEqual(result.status, 0, result.errors)
        XCTAssertTrue(result.errors.contains(act.joined(separator: "-")), result.errors)
        XCTAssertEqual(result.errors.contains("demonstration=true"), says, result.errors)
      }
      let keys = try Program.run(
        Program.provider, ["keys", "rotate"] + options + [says ? "result" : "certificate"],
        environment: environment)
      XCTAssertTrue(keys.errors.contains("act="), keys.errors)
      XCTAssertEqual(keys.errors.contains("demonstration=true"), says, keys.errors)
    }
  }

  func testMakesAndShowsAccountsWhileAServerRuns() async throws {
    let harness = try harness()
    let server = try ServerProcess(["--data", harness.path, "--proofing-hosts", "id.example.org"])
    let image = harness.path + "/code.png"
    func account(_ arguments: String..., input: String? = nil) throws -> ProgramResult {
      try Program.run(
        Program.provider,
        ["account", arguments[0], "--data", harness.path] + arguments.dropFirst(), input: input)
    }
    let created = try account(
      "create", "--label", "erika@example.org", "--family-name", "Mustermann", "--given-name",
      "Erika", "--birth-date", "1990-12-31", "--qr", image)
    XCTAssertEqual(created.status, 0, created.errors)
    let lines = created.output.split(separator: "\n").map(String.init)
    XCTAssertEqual(lines.count, 2)
    let id = String(lines[0].dropFirst("account: ".count))
    let link = String(lines[1].dropFirst("link: ".count))
    XCTAssertTrue(link.hasPrefix("https://id.example.org/b#v=1&n="), link)
    XCTAssertTrue(link.hasSuffix("&m=link"), link)
    XCTAssertEqual(
      try QRReader.read(image), link.replacingOccurrences(of: "m=link", with: "m=qr"))
    let mode = try FileManager.default.attributesOfItem(atPath: image)[.posixPermissions]
    XCTAssertEqual(mode as? Int, 0o600)

    let wallet = try await TestWallet.confirmed(harness)
    let secret = try XCTUnwrap(
      Base64URL.decode(
        link.components(separatedBy: "&n=").last?.components(separatedBy: "&").first ?? ""))
    let claim = try await wallet.prepareClaim(secret)
    guard case .claimed = try send(claim, to: server, harness) else { return XCTFail("no claim") }

    XCTAssertEqual(try account("list").output, "\(id) open erika@example.org\n")
    XCTAssertEqual(
      try account("show", id).output,
      "account: \(id)\nlabel: erika@example.org\nstate: open\nwallet: no\nlatest code: claimed\n")
    let again = try account("code", id, "--qr", image, "--replace")
    XCTAssertNotEqual(again.output, created.output)
    XCTAssertTrue(again.output.hasPrefix("account: \(id)\nlink: https://"), again.output)
    let json =
      #"{"label":"z@example.org","family_name":"Ó","given_name":"Zoë","birth_date":"2000-02-29"}"#
    let piped = try account("create", "--from", "-", input: json)
    XCTAssertEqual(piped.status, 0, piped.errors)
    XCTAssertEqual(try account("close", id).status, 0)
    XCTAssertTrue(try account("list").output.contains("\(id) closed "))
    XCTAssertEqual(server.end(), 0)
  }

  func testMakesNoCodeThatCannotBeShown() async throws {
    let harness = try harness()
    let person = [
      "--label", "e@example.org", "--family-name", "A", "--given-name", "B", "--birth-date",
      "1990-12-31",
    ]
    let unnamed = try Program.run(
      Program.provider, ["account", "create", "--data", harness.path] + person)
    XCTAssertTrue(unnamed.errors.contains("no proofing host"), unnamed.errors)
    let server = try ServerProcess(["--data", harness.path, "--proofing-hosts", "id.example.org"])
    let (picture, link) = (harness.path + "/picture.png", harness.path + "/link.png")
    try Data("a picture".utf8).write(to: URL(fileURLWithPath: picture))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: picture)
    let refused: [([String], String)] = [
      ([harness.path + "/none/code.png"], "cannot be written"), ([harness.path], "no regular file"),
      ([harness.path, "--replace"], "no regular file"), ([""], "names no file"),
      ([harness.path + "/new/"], "names no file"), ([picture], "is there already"),
      ([link], "no regular file"), ([link, "--replace"], "no regular file"),
      (["/dev/null", "--replace"], "no regular file"),
    ]
    for (qr, reason) in refused {
      let result = try Program.run(
        Program.provider, ["account", "create", "--data", harness.path, "--qr"] + qr + person)
      XCTAssertNotEqual(result.status, 0, "\(qr)")
      XCTAssertTrue(result.errors.contains(reason), "\(qr): \(result.errors)")
    }
    XCTAssertEqual(try String(contentsOfFile: picture, encoding: .utf8), "a picture")
    XCTAssertEqual(server.end(), 0)
    let accounts = try await harness.accounts.accounts()
    XCTAssertEqual(accounts, [])
    let mistyped = harness.path + "-mistyped"
    let elsewhere = try Program.run(Program.provider, ["account", "list", "--data", mistyped])
    XCTAssertNotEqual(elsewhere.status, 0)
    XCTAssertFalse(FileManager.default.fileExists(atPath: mistyped))
  }

  func testPrintsAndLogsACodeWhoseQRCodeCannotBeWritten() async throws {
    let harness = try harness()
    let server = try ServerProcess(["--data", harness.path, "--proofing-hosts", "id.example.org"])
    XCTAssertEqual(server.end(), 0)
    // A name that is too long for a file fails only when the file is written.
    let result = try Program.run(
      Program.provider,
      [
        "account", "create", "--data", harness.path, "--label", "e@example.org", "--family-name",
        "A", "--given-name", "B", "--birth-date", "1990-12-31", "--qr",
        harness.path + "/" + String(repeating: "x", count: 300),
      ])
    XCTAssertNotEqual(result.status, 0)
    XCTAssertTrue(result.output.contains("link: https://id.example.org/"), result.output)
    XCTAssertTrue(result.errors.contains("account-create"), result.errors)
    let accounts = try await harness.accounts.accounts()
    XCTAssertEqual(accounts.count, 1)
  }

  func testRefusesInvalidAccountsWithoutPersonalData() throws {
    let harness = try harness()
    let base = ["account", "create", "--data", harness.path]
    let bad: [([String], String?)] = [
      (["--label", "x"], nil), (["--from", "-"], "{}"), (["--from", "-"], "Mustermann"),
      (["--from", "-", "--label", "x"], "{}"), (["--from", harness.path + "/none"], nil),
      (
        [
          "--label", "x", "--family-name", "Mustermann", "--given-name", "-", "--birth-date",
          "1990-12-31",
        ], nil
      ),
      (
        [
          "--label", "x", "--family-name", "Mustermann", "--given-name", "E", "--birth-date",
          "1990-02-30",
        ], nil
      ),
    ]
    for (arguments, input) in bad {
      let result = try Program.run(Program.provider, base + arguments, input: input)
      XCTAssertNotEqual(result.status, 0, "\(arguments)")
      XCTAssertEqual(result.output, "")
      XCTAssertFalse(result.errors.contains("Mustermann"), result.errors)
      XCTAssertTrue(result.errors.hasPrefix("Error: "), result.errors)
    }
    let twoSources = try Program.run(
      Program.provider, base + ["--from", "-", "--label", "x"], input: "{}")
    XCTAssertTrue(twoSources.errors.contains("--from cannot be combined"), twoSources.errors)
    for command in ["show", "code", "close"] {
      let result = try Program.run(
        Program.provider, ["account", command, "--data", harness.path, "nobody"])
      XCTAssertNotEqual(result.status, 0)
    }
  }
}
