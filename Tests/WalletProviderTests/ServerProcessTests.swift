import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// What can only be tested with a process: signals, its files, bytes that are not HTTP.
final class ServerProcessTests: XCTestCase {
  private let data = NSTemporaryDirectory() + "provider-process-" + UUID().uuidString

  private var policyFile: String { data + "/update-policy.json" }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(
      atPath: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: data) }

  private func write(_ json: String) throws {
    try json.write(toFile: policyFile, atomically: true, encoding: .utf8)
  }

  private func rules(_ server: ServerProcess) throws -> [UpdateRule] {
    let answer = try Program.curl(try server.url() + Route.updatePolicy)
    return try SignedMessage(parsing: answer.output)
      .unverifiedContent(UpdatePolicyClaims.self).rules
  }

  func testHangUpReloadsThePolicyAndAnInvalidOneChangesNothing() throws {
    try write(#"{"rules":[{"grade":"recommend"}]}"#)
    let server = try ServerProcess(["--data", data])
    XCTAssertEqual(try rules(server), [UpdateRule(grade: .recommend)])
    server.signal(SIGHUP)
    XCTAssertTrue(server.logs("update policy taken"))
    try write("{")
    server.signal(SIGHUP)
    XCTAssertTrue(server.logs("update policy refused"))
    XCTAssertEqual(try rules(server), [UpdateRule(grade: .recommend)])
    try write(#"{"rules":[]}"#)
    XCTAssertEqual(try rules(server), [])
    XCTAssertEqual(server.end(), 0)
  }

  func testSaysAtStartWhetherAndHowPeopleAreProofed() throws {
    for (options, text, level) in [
      ([], "none, so nobody can be proofed", "notice"),
      (["--demonstration"], "people are proofed by what their wallets claim", "warning"),
    ] {
      let server = try ServerProcess(["--data", data] + options)
      XCTAssertEqual(server.end(), 0)
      let log = server.lastLog()
      let lines = log.split(separator: "\n").filter { $0.contains(text) }
      XCTAssertEqual(lines.count, 1, log)
      XCTAssertTrue(lines.allSatisfy { $0.contains(" \(level) ") }, log)
    }
  }

  func testWarnsOfASimulatedVerdictAndAnOpenEnrolmentPageAtStart() throws {
    let page = [
      "--data", data, "--enrol-page", "--proofing-hosts", "wallet.example", "--issuing-country",
      "US",
    ]
    let open = try ServerProcess(page + ["--simulated-verdict", "pending", "--behind-proxy"])
    XCTAssertEqual(open.end(), 0)
    let log = open.lastLog()
    for text in [
      "the verdict is simulated: pending for every wallet",
      "anybody who reaches /enrol can make an account",
    ] {
      let lines = log.split(separator: "\n").filter { $0.contains(text) }
      XCTAssertEqual(lines.count, 1, log)
      XCTAssertTrue(lines.allSatisfy { $0.contains(" warning ") }, log)
    }
    let local = try ServerProcess(page)
    XCTAssertEqual(local.end(), 0)
    XCTAssertFalse(local.lastLog().contains(" warning "))
  }

  func testInvalidPolicyFailsTheStartAndTheCheck() throws {
    try write(#"{"rules":[{"grade":"block","until":1}]}"#)
    let expected = "Error: \(policyFile) is not an update policy: rule 1 has the unknown member"
    for arguments in [
      ["serve", "--port", "0", "--data", data], ["update-policy", "check", policyFile],
    ] {
      let result = try Program.run(Program.provider, arguments)
      XCTAssertEqual(result.status, 1)
      XCTAssertTrue(result.errors.hasPrefix(expected), result.errors)
    }
    try write(#"{"rules":[{"grade":"block","below_version":"2.0.0"}]}"#)
    let good = try Program.run(Program.provider, ["update-policy", "check", policyFile])
    XCTAssertEqual(good.status, 0)
    XCTAssertEqual(
      good.output,
      "below 2.0.0: blocked, the store has an update\n2.0.0 and above: allowed\n")
    let none = try Program.run(Program.provider, ["update-policy", "check", data + "/none"])
    XCTAssertEqual(none.status, 1)
    XCTAssertEqual(none.errors, "Error: there is no file \(data)/none\n")
  }

  func testMakesTheSecretsOfHashesBeforeTheFirstRequest() async throws {
    let server = try ServerProcess(["--data", data])
    let store = try SQLiteProviderStore(
      path: DataDirectory.databasePath(in: data),
      authentication: try DataDirectory.existingIdentity(data).rowAuthentication())
    for name in [
      "wallet-provider document", "wallet-provider document holder", "wallet-provider evidence",
    ] {
      let secret = try await store.transaction { try $0.secret(name: name) }
      XCTAssertNotNil(secret, name)
    }
    XCTAssertEqual(server.end(), 0)
  }

  func testNamesARowThatItDidNotWriteAndServesTheOthers() async throws {
    let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    try harness.storeLocation.execute(
      "UPDATE wallet SET confirmed = 0 WHERE id = '\(wallet.id)'")
    let row = Base64URL.encode(sha256(Array(wallet.id.utf8)).prefix(9))
    let server = try ServerProcess(["--data", harness.path, "--metrics-port", "0"], lines: 2)
    func status(_ wallet: TestWallet) throws -> String {
      let request = try wallet.prepareChallenge(.checkPin)
      return try Program.curl(
        try server.url(ofMetrics: false) + Route.instruction(.challenge), "--header",
        "Content-Type: application/json", "--output", "/dev/null", "--write-out",
        "%{http_code}", "--data-binary", String(decoding: request.body, as: UTF8.self)
      ).output
    }
    XCTAssertEqual(try status(wallet), "503")
    XCTAssertEqual(try status(other), "200")
    XCTAssertTrue(server.logs("wallet: the row \(row) is not as the provider wrote it"))
    let metrics = try Program.curl(try server.url(ofMetrics: true)).output
    XCTAssertTrue(
      metrics.contains("wallet_provider_unauthentic_rows_total{table=\"wallet\"} 1\n"), metrics)
    XCTAssertEqual(server.end(), 0)
    XCTAssertFalse(server.lastLog().contains(wallet.id))
    let checked = try Program.run(
      Program.provider, ["check", "--port", "0", "--data", harness.path])
    XCTAssertEqual(checked.status, 1)
    let wrong = checked.output.split(separator: "\n").filter { $0.hasPrefix("wrong ") }
    XCTAssertEqual(wrong.count, 1, checked.output)
    XCTAssertTrue(wrong.first?.hasPrefix("wrong rows: 1 of all ") == true, checked.output)
    XCTAssertTrue(
      wrong.first?.hasSuffix("are not as the provider wrote them: wallet \(row)") == true,
      checked.output)
  }

  func testNamesAnAddressItCannotListenOn() throws {
    let server = try ServerProcess(["--data", data])
    let port = try XCTUnwrap(try server.url().split(separator: ":").last.map(String.init))
    let taken = "Address already in use; is a server running already?"
    // Longer than a valid name, so that no resolver is queried.
    let unknown = String(repeating: "a", count: 64) + ".example"
    let cases = [
      (["--port", port], "127.0.0.1, port \(port): \(taken)"),
      (["--port", "0", "--metrics-port", port], "127.0.0.1, port \(port): \(taken)"),
      (
        ["--port", "0", "--behind-proxy", "--host", unknown],
        "\(unknown), port 0: the name is not known here"
      ),
    ]
    for (options, text) in cases {
      let result = try Program.run(Program.provider, ["serve", "--data", data] + options)
      XCTAssertEqual(result.status, 1)
      XCTAssertTrue(
        result.errors.hasSuffix("Error: cannot listen on \(text)\n"), result.errors)
    }
    XCTAssertEqual(server.end(), 0)
  }

  func testClosesTheConnectionOnBytesThatAreNotHTTP() throws {
    let server = try ServerProcess(["--data", data])
    let port = try XCTUnwrap(try server.url().split(separator: ":").last.flatMap { UInt16($0) })
    let head = "POST \(Route.registrations) HTTP/1.1\r\nHost: x\r\n"
    let broken = [
      "\r\n\r\n\0", "GET / HTTP/1.1\r\nno header\r\n\r\n", "GET / HTTP/9\r\n\r\n",
      head + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ]
    for bytes in broken {
      let answer = try RawConnection.exchange(bytes, port: port)
      XCTAssertTrue(answer.hasPrefix("HTTP/1.1 400 "), "\(bytes): \(answer)")
    }
    let chunk = try RawConnection.exchange(broken[3], port: port)
    XCTAssertTrue(chunk.contains("malformed-request"), chunk)
    let alive = try Program.curl(try server.url() + Route.ready)
    XCTAssertEqual(alive.status, 0)
  }
}
