import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

/// The provider as a process, queried with curl.
final class TLSTests: XCTestCase {
  private let data = NSTemporaryDirectory() + "provider-tls-data-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: data) }

  private func refusal(_ arguments: [String]) throws -> ProgramResult {
    let result = try Program.run(
      Program.provider, ["serve", "--port", "0", "--data", data] + arguments)
    XCTAssertEqual(result.output, "")
    XCTAssertFalse(FileManager.default.fileExists(atPath: data), "made before the refusal")
    return result
  }

  private func tls(_ certificate: String, _ key: String) -> [String] {
    ["--tls-certificate", certificate, "--tls-key", key]
  }

  func testSpeaksOnlyTLS13() throws {
    let files = try TestCertificates()
    let server = try ServerProcess(
      ["--data", data] + tls(files.certificate, files.key))
    let url = try server.url()
    XCTAssertTrue(url.hasPrefix("https://127.0.0.1:"), url)
    XCTAssertEqual(server.announced, ["wallet-provider listens on \(url)"])

    let good = try Program.curl("--tlsv1.3", "--cacert", files.authority, url + Route.ready)
    XCTAssertEqual(good.status, 0, good.errors)
    XCTAssertEqual(good.output, #"{"status":"ready"}"#)
    let old = try Program.curl("--tls-max", "1.2", "--cacert", files.authority, url + Route.live)
    XCTAssertEqual(old.status, 35, old.errors)
    XCTAssertTrue(old.errors.contains("protocol version"), old.errors)
    let other = try Program.curl("--cacert", files.otherAuthority, url + Route.live)
    XCTAssertEqual(other.status, 60, other.errors)
    let port = try XCTUnwrap(url.split(separator: ":").last)
    let name = try Program.curl(
      "--cacert", files.authority, "--resolve", "provider.test:\(port):127.0.0.1",
      "https://provider.test:\(port)" + Route.live)
    XCTAssertEqual(name.status, 60, name.errors)
    let plain = try Program.curl("http://127.0.0.1:\(port)" + Route.live)
    XCTAssertNotEqual(plain.status, 0)
    XCTAssertEqual(server.end(), 0)
  }

  func testTestingProviderSpeaksTLSAndReadsAPolicy() throws {
    let files = try TestCertificates()
    let server = try ServerProcess(
      ["--data", data, "--control-tcp", "0"], program: Program.testingProvider, lines: 2,
      environment: [
        "WALLET_PROVIDER_TLS_CERTIFICATE": files.certificate, "WALLET_PROVIDER_TLS_KEY": files.key,
      ])
    let policy = #"{"rules":[{"grade":"block","below_version":"9.0.0"}]}"#
    let control = try server.url(1) + "/update-policy"
    let taken = try Program.curl("--data", policy, control)
    XCTAssertEqual(taken.output, "{}")
    let refused = try Program.curl("--data", #"{"rules":[{}]}"#, control)
    XCTAssertTrue(refused.output.contains("malformed-request"), refused.output)
    let answer = try Program.curl(
      "--cacert", files.authority, try server.url() + Route.updatePolicy)
    let claims = try SignedMessage(parsing: answer.output)
      .unverifiedContent(UpdatePolicyClaims.self)
    XCTAssertEqual(claims.rules, [UpdateRule(belowVersion: "9.0.0", grade: .block)])
  }

  func testUnusableTLSFilesFailTheStartWithOneLine() throws {
    let files = try TestCertificates()
    let missing = files.file("missing")
    let empty = files.file("empty")
    try "".write(toFile: empty, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: empty)
    let cases: [(certificate: String, key: String, says: String)] = [
      (missing, files.key, "there is no file \(missing)"),
      (files.certificate, missing, "there is no file \(missing)"),
      (files.key, files.key, "\(files.key) holds no PEM certificate"),
      (empty, files.key, "\(empty) holds no PEM certificate"),
      (files.certificate, empty, "\(empty) holds no PEM private key"),
      (files.certificate, files.otherKey, "the key in \(files.otherKey) does not belong to"),
    ]
    for (certificate, key, says) in cases {
      let result = try refusal(tls(certificate, key))
      XCTAssertEqual(result.status, 1)
      XCTAssertTrue(result.errors.hasPrefix("Error: \(says)"), result.errors)
      XCTAssertEqual(result.errors.filter { $0 == "\n" }.count, 1, result.errors)
    }
  }

  func testRefusesAReadableKeyWithTheCommandThatFixesIt() throws {
    let files = try TestCertificates()
    for lax in [0o640, 0o604] {
      try FileManager.default.setAttributes([.posixPermissions: lax], ofItemAtPath: files.key)
      let result = try refusal(tls(files.certificate, files.key))
      XCTAssertEqual(result.status, 1)
      XCTAssertTrue(result.errors.contains("chmod 600 \(files.key)"), result.errors)
    }
  }

  func testRefusesToStartWithPlainHTTPForOtherMachines() throws {
    let open = try refusal(["--host", "0.0.0.0"])
    XCTAssertEqual(open.status, 64)
    XCTAssertTrue(open.errors.contains("--behind-proxy"), open.errors)
    let half = try refusal(["--tls-certificate", "server.pem"])
    XCTAssertEqual(half.status, 64)
    XCTAssertTrue(half.errors.contains("needs --tls-key"), half.errors)
    let server = try ServerProcess(["--data", data, "--host", "0.0.0.0", "--behind-proxy"])
    XCTAssertEqual(server.end(), 0)
  }

  func testClientConfigurationContainsOnlyTheCertificatesOfTheFile() throws {
    let files = try TestCertificates()
    func ask(_ url: String, _ authority: String) throws -> ProgramResult {
      try Program.run(
        Program.provider,
        [
          "client-configuration", "--data", data, "--url", url, "--certificate-authority",
          authority,
        ])
    }
    for wrong in [files.key, files.file("missing")] {
      let result = try ask("https://provider.example", wrong)
      XCTAssertEqual(result.status, 1)
      XCTAssertTrue(result.errors.contains(wrong), result.errors)
    }
    let plain = try ask("http://127.0.0.1:1", files.authority)
    XCTAssertEqual(plain.status, 64)
    XCTAssertFalse(FileManager.default.fileExists(atPath: data))

    let pem = try String(contentsOfFile: files.authority, encoding: .utf8)
    let key = try String(contentsOfFile: files.key, encoding: .utf8)
    let mixed = files.file("mixed.pem")
    try ("a note\n" + key + pem).write(toFile: mixed, atomically: true, encoding: .utf8)
    let result = try ask("https://provider.example", mixed)
    XCTAssertEqual(result.status, 0, result.errors)
    let client = try WireJSON.decode(ClientConfiguration.self, from: Array(result.output.utf8))
    XCTAssertEqual(client.certificateAuthority, pem)
    XCTAssertFalse(client.allowLoopbackHTTP)
  }
}
