import CSQLite
import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

/// `check` as a process: its output, its exit code, and that it changes nothing.
final class CheckTests: XCTestCase {
  private var data = NSTemporaryDirectory() + "provider-check-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: data) }

  /// A data directory of a server that has ended, with its database closed properly.
  private func makeData() throws {
    let made = try Program.run(Program.provider, ["client-configuration", "--data", data])
    XCTAssertEqual(made.status, 0, made.errors)
    let listed = try Program.run(Program.provider, ["wallet", "list", "--data", data])
    XCTAssertEqual(listed.status, 0, listed.errors)
    // The last connection to close removes the log and its index.
    execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func execute(_ sql: String) {
    var database: OpaquePointer?
    XCTAssertEqual(sqlite3_open(data + "/wallet-provider.sqlite", &database), SQLITE_OK)
    defer { sqlite3_close(database) }
    XCTAssertEqual(sqlite3_exec(database, sql, nil, nil, nil), SQLITE_OK)
  }

  private func check(_ arguments: String...) throws -> (status: Int32, lines: [String]) {
    try check(arguments)
  }

  private func check(_ arguments: [String]) throws -> (status: Int32, lines: [String]) {
    let result = try Program.run(
      Program.provider, ["check", "--data", data, "--port", "0"] + arguments)
    XCTAssertEqual(result.errors, "")
    return (result.status, result.output.split(separator: "\n").map(String.init))
  }

  /// Asserts that exactly one line is wrong and contains `expected`.
  private func assertWrong(
    _ expected: String, _ arguments: String..., line: UInt = #line
  ) throws {
    let result = try Program.run(
      Program.provider, ["check", "--data", data, "--port", "0"] + arguments)
    let wrong = result.output.split(separator: "\n").filter { $0.hasPrefix("wrong ") }
    XCTAssertEqual(result.status, 1, result.output, line: line)
    XCTAssertEqual(wrong.count, 1, result.output, line: line)
    XCTAssertTrue(wrong.first?.contains(expected) == true, result.output, line: line)
  }

  /// Names, sizes and times of all files. A directory has its name only: SQLite makes a log beside a
  /// database that it opens, and deletes it again.
  private func files() throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: data).sorted()
    return try paths.map { path in
      let facts = try FileManager.default.attributesOfItem(atPath: data + "/" + path)
      if facts[.type] as? FileAttributeType == .typeDirectory { return path }
      return "\(path) \(facts[.size] ?? "") \(facts[.modificationDate] ?? "")"
    }
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  func testReportsAValidProviderAndChangesNothing() throws {
    try makeData()
    let before = try files()
    let (status, lines) = try check()
    XCTAssertEqual(status, 0)
    XCTAssertEqual(lines.count, 14, "\(lines)")
    XCTAssertTrue(lines.contains("ok rows: all 0 rows are as the provider wrote them"))
    // It checks PINs, and proofs nobody.
    XCTAssertEqual(
      lines.filter { !$0.hasPrefix("ok ") },
      [
        "note authoritative source: none, so nobody can be proofed: set authoritative-source, or"
          + " demonstration if this is one"
      ])
    XCTAssertTrue(lines.contains("ok configuration: version 1, as the settings say"))
    XCTAssertEqual(try files(), before)
    let moved = try check("--inactive-seconds", "400")
    XCTAssertEqual(moved.status, 0)
    XCTAssertTrue(
      moved.lines.contains { $0.hasPrefix("note configuration: version 1 is published") })
    XCTAssertEqual(try files(), before)
  }

  func testNotesADemonstrationASimulatedVerdictAndAnOpenEnrolmentPage() throws {
    try makeData()
    let demonstration = try check("--demonstration")
    XCTAssertEqual(demonstration.status, 0)
    XCTAssertTrue(
      demonstration.lines.contains {
        $0.hasPrefix("note demonstration: people are proofed by what their wallets claim")
      }, "\(demonstration.lines)")
    XCTAssertTrue(
      demonstration.lines.contains("ok authoritative source: none"), "\(demonstration.lines)")
    let unasked = try check("--demonstration", "--replacement-seconds", "0")
    XCTAssertEqual(unasked.status, 0)
    XCTAssertTrue(
      unasked.lines.contains(
        "note replacement: a new wallet takes the place of a proofed one without asking its owner"),
      "\(unasked.lines)")
    let verdict = try check("--simulated-verdict", "declined", "--issuing-country", "NL")
    XCTAssertEqual(verdict.status, 0)
    XCTAssertTrue(
      verdict.lines.contains("note vetting: the verdict is simulated: declined for every wallet"),
      "\(verdict.lines)")
    let note = "note enrolment page: anybody who reaches /enrol can make an account"
    let page = ["--enrol-page", "--proofing-hosts", "wallet.example"]
    let open = try check(page + ["--behind-proxy"])
    XCTAssertEqual(open.status, 0)
    XCTAssertTrue(open.lines.contains(note), "\(open.lines)")
    // Reachable only from this machine, it is a demonstration.
    let local = try check(page)
    XCTAssertFalse(local.lines.contains(note), "\(local.lines)")
  }

  func testNotesThatNoProxyOnAnotherMachineIsTrusted() throws {
    let note =
      "note proxy: a proxy on another machine counts as one client: trusted-proxies names only this"
      + " machine"
    let open = ["--behind-proxy", "--host", "0.0.0.0", "--proofing-hosts", "wallet.example"]
    XCTAssertTrue(try check(open).lines.contains(note))
    XCTAssertFalse(try check(open + ["--trusted-proxies", "10.0.0.0/8"]).lines.contains(note))
    XCTAssertFalse(try check("--behind-proxy").lines.contains(note))
  }

  func testAcceptsAMissingDirectoryWithoutMakingIt() throws {
    let (status, lines) = try check()
    XCTAssertEqual(status, 0)
    XCTAssertTrue(lines.contains { $0.hasPrefix("note data directory: there is no \(data)") })
    XCTAssertFalse(FileManager.default.fileExists(atPath: data))
  }

  func testRefusesAMistypedVariableAndNamesTheNearestSetting() throws {
    let environment = [
      "WALLET_PROVIDER_ATEMPT_ROUNDS": "3", "WALLET_PROVIDER_": "",
      "WALLET_PROVIDER_KEY_RESULT": "x", "WALLET_PROVIDERS": "none of ours",
    ]
    let reason =
      "the variable WALLET_PROVIDER_ is no setting; the variable WALLET_PROVIDER_ATEMPT_ROUNDS is no"
      + " setting, did you mean WALLET_PROVIDER_ATTEMPT_ROUNDS?"
    let options = ["--data", data, "--port", "0"]
    let checked = try Program.run(
      Program.provider, ["check"] + options, environment: environment)
    XCTAssertEqual(checked.output, "wrong settings: \(reason)\n")
    XCTAssertEqual(checked.status, 1)
    for command in [["serve"] + options, ["config", "show"], ["account", "list", "--data", data]] {
      let result = try Program.run(Program.provider, command, environment: environment)
      XCTAssertEqual(result.errors, "Error: \(reason)\n", command[0])
      XCTAssertEqual(result.status, 64, command[0])
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: data))
  }

  func testNamesEachFaultInOneLine() throws {
    try makeData()
    let key = data + "/keys/result.key"
    try setMode(0o644, key)
    try assertWrong("keys: \(key) is secret, but users other than its owner")
    try setMode(0o600, key)
    try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
    try assertWrong("keys: there is no key \(key)")
    XCTAssertFalse(FileManager.default.fileExists(atPath: key))
    try FileManager.default.copyItem(atPath: data + "/keys/certificate.key", toPath: key)
    try assertWrong("hold the same key")
    let another = Base64URL.encode([UInt8](repeating: 7, count: 32)) + "\n"
    try another.write(toFile: key, atomically: false, encoding: .utf8)
    try assertWrong("the published result key")
    try FileManager.default.removeItem(atPath: key)
    try FileManager.default.moveItem(atPath: key + ".away", toPath: key)

    execute(
      "INSERT INTO provider_secret VALUES ('x', 'lostkey', x'00', 'lostkey', x'00')")
    try assertWrong("database: rows need the sealing key lostkey, which is not here")
    execute("DELETE FROM provider_secret")

    let configuration = data + "/configuration.jwt"
    let published = try Data(contentsOf: URL(fileURLWithPath: configuration))
    try FileManager.default.setAttributes(
      [.modificationDate: Date().addingTimeInterval(3600)], ofItemAtPath: configuration)
    try assertWrong("before the configuration was published")
    try Data("x".utf8).write(to: URL(fileURLWithPath: configuration))
    try assertWrong("is not a configuration signed by the keys beside it")
    try FileManager.default.removeItem(atPath: configuration)
    try assertWrong("there is no file \(configuration)")
    try published.write(to: URL(fileURLWithPath: configuration))

    try setMode(0o750, data)
    try assertWrong("data directory: others may open \(data). Run: chmod 700")
    try setMode(0o700, data)

    let evaluatorKey = data + "/evaluator/evaluator.key"
    try FileManager.default.moveItem(atPath: evaluatorKey, toPath: evaluatorKey + ".kept")
    try assertWrong("evaluator: there is no key \(evaluatorKey), and this evaluator had one")
    try FileManager.default.moveItem(atPath: evaluatorKey + ".kept", toPath: evaluatorKey)

    let wallets = data + "/evaluator/evaluator.sqlite"
    try setMode(0o644, wallets)
    try assertWrong("evaluator: \(wallets) is secret, but users other than its owner")
    try setMode(0o600, wallets)
    try FileManager.default.moveItem(atPath: wallets, toPath: wallets + ".kept")
    try assertWrong("evaluator: there is no database \(wallets), and this evaluator had one")
    try Data("no database, but long enough to be one".utf8).write(
      to: URL(fileURLWithPath: wallets))
    try setMode(0o600, wallets)
    try assertWrong("evaluator: SQLite could not open \(wallets)")
    try FileManager.default.removeItem(atPath: wallets)
    try FileManager.default.moveItem(atPath: wallets + ".kept", toPath: wallets)
    let record = data + "/evaluator/evaluator.record"
    try setMode(0o644, record)
    try assertWrong("evaluator: \(record) is secret, but users other than its owner")
    try setMode(0o600, record)

    let policy = data + "/update-policy.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: policy))
    try assertWrong("update policy: \(policy) is not an update policy")
    try FileManager.default.removeItem(atPath: policy)
    try assertWrong(
      "authoritative source: there is no file", "--authoritative-source", data + "/no",
      "--issuing-country", "NL")
    try assertWrong("trust anchors: there is no file", "--trust-anchors", data + "/no")
    try assertWrong("settings: --attempt-rounds", "--attempt-rounds", "x")
    try assertWrong("settings: there is no configuration file", "--config", data + "/no")

    let database = data + "/wallet-provider.sqlite"
    execute("INSERT INTO grdb_migrations VALUES ('99: later')")
    try assertWrong("it is too old")
    try Data("no database, but long enough to be one".utf8).write(
      to: URL(fileURLWithPath: database))
    try assertWrong("database: SQLite could not open")
  }

  func testReportsAWrongClockForAConfigurationFromTheFarFuture() throws {
    // In memory, because ext4 cannot store times after 2446.
    data = "/dev/shm/provider-check-" + UUID().uuidString
    try makeData()
    for seconds in [15_000_000_000, 9_300_000_000_000_000, Int.max] {
      let far = timespec(tv_sec: seconds, tv_nsec: 0)
      XCTAssertEqual(utimensat(AT_FDCWD, data + "/configuration.jwt", [far, far], 0), 0)
      try assertWrong("before the configuration was published")
    }
  }

  func testNamesAnAddressInUse() throws {
    let server = try ServerProcess(["--data", data])
    let port = try XCTUnwrap(try server.url().split(separator: ":").last)
    let result = try Program.run(
      Program.provider, ["check", "--data", data, "--port", String(port)])
    XCTAssertEqual(result.status, 1)
    XCTAssertTrue(result.output.contains("is a server running already?"), result.output)
    // Everything else is in order.
    XCTAssertTrue(result.output.contains("ok database: SQLite 3."), result.output)
    XCTAssertEqual(
      try Program.curl(try server.url() + "/health/ready").output, #"{"status":"ready"}"#)
  }

  func testReportsTheNamesAndExpiryOfTheCertificate() throws {
    let files = try TestCertificates()
    let tls = ["--tls-certificate", files.certificate, "--tls-key", files.key]
    let good = try Program.run(
      Program.provider, ["check", "--data", data, "--port", "0"] + tls)
    XCTAssertEqual(good.status, 0, good.output)
    XCTAssertTrue(
      good.output.contains("note TLS: the certificate and its key match, it expires at 20"),
      good.output)
    XCTAssertTrue(good.output.contains("names no host"), good.output)
    try assertWrong(
      "does not belong", "--tls-certificate", files.certificate, "--tls-key", files.otherKey)

    let now = SystemWallClock().now
    let both = TLSFiles(certificate: files.certificate, key: files.key)
    for (days, expected) in [
      (3, "the certificate expired at"), (-1, "the certificate is not valid before"),
    ] {
      let findings = TLSCheck.findings(both, now: now + Int64(days) * 86_400_000)
      XCTAssertEqual(findings.first?.grade, .wrong)
      XCTAssertEqual(findings.first?.message.hasPrefix(expected), true, "\(findings)")
    }
    let path = files.file("named.pem")
    let made = try Program.run(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-new", "-key", files.key, "-subj", "/CN=x", "-days", "400",
        "-addext", "subjectAltName=DNS:one.example,DNS:two.example", "-out", path,
      ])
    XCTAssertEqual(made.status, 0, made.errors)
    let (status, lines) = try check("--tls-certificate", path, "--tls-key", files.key)
    XCTAssertEqual(status, 0)
    XCTAssertTrue(lines.contains("ok TLS: the certificate is for one.example, two.example"))
    XCTAssertTrue(lines.contains { $0.hasPrefix("ok TLS: the certificate and its key match") })
  }
}
