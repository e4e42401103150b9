import Foundation
import WalletEvaluator
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

/// `evaluate`, and the commands of a provider whose evaluator it is.
final class EvaluateProcessTests: RemoteEvaluatorTestCase {
  private func run(_ arguments: [String], variables: [String: String] = [:]) throws
    -> ProgramResult
  {
    try Program.run(Program.provider, arguments, environment: variables)
  }

  private func wrong(_ result: ProgramResult) -> [Substring] {
    result.output.split(separator: "\n").filter { $0.hasPrefix("wrong ") }
  }

  func testServeAndCheckAgreeAboutTheEvaluator() throws {
    let (harness, files) = (try makeHarness(), try Files())
    let process = try evaluate(harness, files)
    let url = try process.url()
    let data = NSTemporaryDirectory() + "provider-remote-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: data) }
    let provider = ["--data", data, "--port", "0"]
    func check(_ options: [String]) throws -> [Substring] {
      let result = try run(["check"] + provider + options)
      XCTAssertEqual(result.status == 0, wrong(result).isEmpty, result.output)
      return wrong(result)
    }
    /// Both refuse, for the reason given.
    func assertRefused(_ says: String, _ options: [String], line: UInt = #line) throws {
      let served = try run(["serve"] + provider + options)
      XCTAssertEqual(served.status, 1, line: line)
      XCTAssertTrue(served.errors.hasPrefix("Error: "), served.errors, line: line)
      XCTAssertEqual(served.errors.filter { $0 == "\n" }.count, 1, served.errors, line: line)
      XCTAssertTrue(served.errors.contains(says), served.errors, line: line)
      let found = try check(options)
      XCTAssertEqual(found.count, 1, "\(found)", line: line)
      XCTAssertTrue(found.first?.contains(says) == true, "\(found)", line: line)
    }
    let other = options("https://127.0.0.1:9", files)
    try assertRefused("https://127.0.0.1:9: Connection refused; does evaluate run there", other)
    XCTAssertFalse(FileManager.default.fileExists(atPath: data), "made before the refusal")

    XCTAssertEqual(try check(options(url, files)), [])
    let server = try ServerProcess(provider + options(url, files))
    XCTAssertEqual(server.end(), 0)
    XCTAssertFalse(FileManager.default.fileExists(atPath: data + "/evaluator"))
    XCTAssertEqual(try check(options(url, files)), [])
    let published = try String(contentsOfFile: data + "/configuration.jwt", encoding: .utf8)
    let claims = try SignedMessage(parsing: published)
      .unverifiedContent(ConfigurationClaims.self)
    XCTAssertEqual(claims.evaluatorKeys, harness.evaluator.grantKeys)

    // Neither its own nor another evaluator takes the place of the wallets' one, and no key of
    // another is published.
    try assertRefused("name it to every server by evaluator-url", [])
    XCTAssertFalse(FileManager.default.fileExists(atPath: data + "/evaluator"))
    let stranger = try makeHarness()
    let second = try evaluate(stranger, files)
    try assertRefused(
      "their other half at evaluator \(harness.evaluator.id)",
      options(try second.url(), files))
    XCTAssertEqual(
      try String(contentsOfFile: data + "/configuration.jwt", encoding: .utf8), published)
    try assertRefused(
      "does not come from the authority",
      options(url, files).dropLast() + [files.certificates.otherAuthority])
  }

  func testCommandsNeedTheEvaluatorOnlyForWhatChangesIt() async throws {
    let (harness, files) = (try makeHarness(), try Files())
    let wallet = try await TestWallet.confirmed(harness)
    let key = try XCTUnwrap(wallet.pinKeyID)
    for _ in 1...3 { _ = try await wallet.check("271828") }
    let process = try evaluate(harness, files)
    var variables: [String: String] = [:]
    let given = options(try process.url(), files)
    for (name, value) in zip(
      stride(from: 0, to: given.count, by: 2), stride(from: 1, to: given.count, by: 2))
    {
      let text = given[name].dropFirst(2).uppercased().replacingOccurrences(of: "-", with: "_")
      variables["WALLET_PROVIDER_" + text] = given[value]
    }
    let data = ["--data", harness.path]
    let directory = ["--data", harness.path + "/evaluator"]

    let first = try run(["wallet", "unblock"] + data + [wallet.id], variables: variables)
    XCTAssertEqual(first.status, 64)
    XCTAssertTrue(
      first.errors.contains("\"wallet-provider evaluate unblock -- \(key)\""), first.errors)
    let unknown = try run(["evaluate", "unblock"] + directory + ["none"])
    XCTAssertNotEqual(unknown.status, 0)
    XCTAssertTrue(unknown.errors.contains("there is no such PIN key"), unknown.errors)
    let done = try run(["evaluate", "unblock"] + directory + ["--", key])
    XCTAssertEqual(done.status, 0, done.errors)
    let second = try run(
      ["wallet", "unblock", "--evaluator-done"] + data + [wallet.id], variables: variables)
    XCTAssertEqual(second.status, 0, second.errors)
    let outcome = try await wallet.check("271828")
    XCTAssertEqual(outcome, .wrong(attemptsLeft: 3, finalRound: false))

    XCTAssertEqual(process.end(), 0)
    let listed = try run(["wallet", "list"] + data, variables: variables)
    XCTAssertEqual(listed.status, 0, listed.errors)
    XCTAssertTrue(listed.output.contains(wallet.id))
    let kept = try run(["wallet", "delete"] + data + [wallet.id], variables: variables)
    XCTAssertEqual(kept.status, 1)
    XCTAssertTrue(kept.errors.contains("Connection refused"), kept.errors)
    let stored = try await harness.stored(wallet)
    XCTAssertNotNil(stored)

    let port = try XCTUnwrap(given[1].split(separator: ":").last.flatMap { UInt16($0) })
    let again = try evaluate(harness, files, port: port)
    let deleted = try run(["wallet", "delete"] + data + [wallet.id], variables: variables)
    XCTAssertEqual(deleted.status, 0, deleted.errors)
    XCTAssertEqual(again.end(), 0)
    let forgotten = try run(["evaluate", "unblock"] + directory + ["--", key])
    XCTAssertNotEqual(forgotten.status, 0)
  }

  func testUnusableSettingsFailTheStartWithOneLine() throws {
    let (harness, files) = (try makeHarness(), try Files())
    let certificates = files.certificates
    let tls = [
      "--tls-certificate", certificates.certificate, "--tls-key", certificates.key,
      "--client-authority", certificates.authority,
    ]
    let directory = ["--data", harness.path + "/evaluator"]
    let process = try evaluate(harness, files)
    let port = try XCTUnwrap(try process.url().split(separator: ":").last).description
    let cases: [(options: [String], status: Int32, says: String)] = [
      (directory, 64, "evaluate needs --tls-certificate, --tls-key, --client-authority"),
      (directory + tls.dropLast(2), 64, "evaluate needs"),
      (directory + tls.dropLast(4), 64, "needs --tls-key"),
      (
        directory + tls.dropLast() + [certificates.key], 1,
        "\(certificates.key) holds no PEM certificate"
      ),
      (directory + tls + ["--port", port], 1, "cannot listen on 127.0.0.1, port \(port)"),
      (["--data", harness.path] + tls, 1, "is the data directory of a provider"),
    ]
    for (options, status, says) in cases {
      let result = try run(["evaluate"] + options)
      XCTAssertEqual(result.status, status, result.errors)
      XCTAssertTrue(result.errors.contains(says), result.errors)
      XCTAssertEqual(result.errors.filter { $0 == "\n" }.count, 1, result.errors)
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: certificates.key)
    let lax = try run(["evaluate"] + directory + tls + ["--port", "0"])
    XCTAssertTrue(lax.errors.contains("chmod 600 \(certificates.key)"), lax.errors)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: certificates.key)
    let shared = harness.path + "/shared"
    try FileManager.default.createDirectory(
      atPath: shared, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: shared)
    let open = try run(["evaluate", "--data", shared, "--port", "0"] + tls)
    XCTAssertEqual(open.status, 1, open.errors)
    XCTAssertTrue(open.errors.contains("chmod"), open.errors)
    let served = try run(["serve", "--data", harness.path, "--port", "0"] + tls)
    XCTAssertEqual(served.status, 64)
    XCTAssertTrue(served.errors.contains("--client-authority is for evaluate"), served.errors)
    let plain = try run(
      ["serve", "--data", harness.path, "--port", "0", "--evaluator-url", "http://127.0.0.1"])
    XCTAssertEqual(plain.status, 64)
    let half = try run(
      ["serve", "--data", harness.path, "--port", "0", "--evaluator-url", "https://127.0.0.1"])
    XCTAssertTrue(half.errors.contains("needs --evaluator-certificate"), half.errors)
  }

  func testNewFilesAreTakenOnHangUp() async throws {
    let (harness, files) = (try makeHarness(), try Files())
    let process = try evaluate(harness, files)
    let server = try ServerProcess(
      ["--data", harness.path] + options(try process.url(), files))
    process.signal(SIGHUP)
    XCTAssertTrue(process.logs("TLS files taken"))
    server.signal(SIGHUP)
    XCTAssertTrue(server.logs("TLS files of the evaluator taken"))
    try Data().write(to: URL(fileURLWithPath: files.client.key))
    server.signal(SIGHUP)
    XCTAssertTrue(server.logs("TLS files of the evaluator refused, those before stay"))
    XCTAssertEqual(server.end(), 0)
    XCTAssertEqual(process.end(), 0)
  }
}
