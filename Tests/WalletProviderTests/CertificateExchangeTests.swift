import Foundation
import ServerTestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// `keys request`, `keys certify` and `keys accept`, for an authority that is kept elsewhere.
final class CertificateExchangeTests: XCTestCase {
  private let scratch = NSTemporaryDirectory() + "provider-exchange-" + UUID().uuidString
  private var data: String { scratch + "/data" }
  private var environment = ["WALLET_PROVIDER_PUBLIC_URL": "https://wallet.example.org"]

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    _ = try run("client-configuration", "--data", data)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: scratch) }

  private func attempt(_ arguments: [String]) throws -> ProgramResult {
    try Program.run(Program.provider, arguments, environment: environment)
  }

  /// The output of a command that must succeed.
  private func run(_ arguments: String...) throws -> String {
    let result = try attempt(arguments)
    XCTAssertEqual(result.status, 0, result.errors)
    return result.output
  }

  private func assertRefused(
    _ reason: String, _ arguments: String..., line: UInt = #line
  ) throws {
    let result = try attempt(arguments)
    XCTAssertEqual(result.status, 1, result.output, line: line)
    XCTAssertTrue(result.errors.contains(reason), result.errors, line: line)
  }

  private func write(_ text: String, _ name: String, mode: Int = 0o600) throws -> String {
    let path = scratch + "/" + name
    try? FileManager.default.removeItem(atPath: path)
    XCTAssertTrue(
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    return path
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(data)/keys/\(name)", encoding: .utf8)
  }

  private var authority: String { "\(data)/keys/issuer-authority.pem" }

  /// The certificate that the authority's key makes for a role, in a file.
  private func certified(_ role: String, _ key: String) throws -> String {
    let request = try write(try run("keys", "request", role, "--data", data), role + ".request")
    return try write(
      try run(
        "keys", "certify", "--authority-key", key, "--authority-certificate", authority, request),
      role + ".chain")
  }

  /// Takes the authority's key out of the data directory.
  private func takeKey() throws -> String {
    let key = scratch + "/issuer-authority.key"
    try FileManager.default.moveItem(atPath: "\(data)/keys/issuer-authority.key", toPath: key)
    return key
  }

  func testTheOfflineAuthorityCertifiesWithoutTheDataDirectory() throws {
    let key = try takeKey()
    for role in ["document-signer", "status-signer"] {
      let before = try read(role + ".pem")
      let chain = try certified(role, key)
      let id = try run("keys", "accept", role, "--chain", chain, "--data", data)
      XCTAssertNotEqual(try read(role + ".pem"), before)
      let list = try run("keys", "list", "--data", data)
      XCTAssertTrue(
        list.contains("\(role) \(id.dropLast()) current certified until 20"), list)
    }
    let checked = try run("check", "--port", "0", "--data", data)
    XCTAssertFalse(checked.contains("note certificates"), checked)
    let server = try ServerProcess(["--data", data], environment: environment)
    XCTAssertEqual(server.end(), 0)
  }

  func testASignerWithoutACertificateGetsOneWhileNoServerStarts() throws {
    let key = try takeKey()
    try FileManager.default.removeItem(atPath: "\(data)/keys/document-signer.pem")
    try assertRefused("has no certificate for the current", "serve", "--data", data, "--port", "0")
    let checked = try attempt(["check", "--data", data, "--port", "0"])
    XCTAssertEqual(checked.status, 1)
    XCTAssertTrue(
      checked.output.contains("wrong keys: \(data)/keys/document-signer.pem has no certificate"),
      checked.output)
    let chain = try certified("document-signer", key)
    _ = try run("keys", "accept", "document-signer", "--chain", chain, "--data", data)
    let server = try ServerProcess(["--data", data], environment: environment)
    XCTAssertEqual(server.end(), 0)
  }

  func testACertificateForTheNextKeyIsAskedForAndInstalledBesideTheCurrentOne() throws {
    let key = try takeKey()
    try assertRefused(
      "no document-signer key waits", "keys", "request", "document-signer", "--next", "--data",
      data)
    let next = try run("keys", "rotate", "document-signer", "--data", data)
    let request = try write(
      try run("keys", "request", "document-signer", "--next", "--data", data), "request")
    let chain = try write(
      try run(
        "keys", "certify", "--authority-key", key, "--authority-certificate", authority, request),
      "chain")
    XCTAssertEqual(
      try run("keys", "accept", "document-signer", "--chain", chain, "--data", data), next)
    XCTAssertEqual(
      try run("keys", "promote", "document-signer", "--now", "--data", data), next)
  }

  func testRefusesWhatWalletsWouldRefuse() throws {
    let key = try takeKey()
    let before = (try read("document-signer.pem"), try read("issuer-authority.pem"))
    let chain = try certified("document-signer", key)
    let stranger = try write(try TestAuthority("stranger").pem, "stranger")
    let accept = ["keys", "accept", "document-signer", "--data", data, "--chain"]
    for (arguments, reason) in [
      ([chain, "--authority", stranger], "they do not lead to it"),
      ([stranger], "does not begin with the certificate of a document-signer key"),
      ([try certified("status-signer", key)], "does not begin with the certificate"),
      ([try write("no PEM", "text")], "does not hold 1 to 32 PEM certificates"),
      ([scratch + "/none"], "there is no file"),
    ] {
      let result = try attempt(accept + arguments)
      XCTAssertEqual(result.status, 1, result.output)
      XCTAssertTrue(result.errors.contains(reason), result.errors)
    }
    // The names are those by which verifiers find the issuer.
    environment["WALLET_PROVIDER_PUBLIC_URL"] = "https://other.example.org"
    try assertRefused(
      "does not name https://other.example.org", "keys", "accept", "document-signer", "--chain",
      chain, "--data", data)
    try assertRefused(
      "only document-signer and status-signer", "keys", "request", "result", "--data", data)
    XCTAssertEqual(try read("document-signer.pem"), before.0)
    XCTAssertEqual(try read("issuer-authority.pem"), before.1)
  }

  func testTheAuthoritySignsOnlyWhatItsRequestProves() throws {
    let key = try takeKey()
    let request = try run("keys", "request", "document-signer", "--data", data)
    let words = ["keys", "certify", "--authority-certificate", authority, "--authority-key"]
    let good = try write(request, "request")
    var bytes = try XCTUnwrap(
      Data(base64Encoded: request.split(separator: "\n").dropFirst().dropLast().joined()))
    bytes[bytes.count - 1] ^= 1
    let spoilt = try write(
      "-----BEGIN CERTIFICATE REQUEST-----\n"
        + bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        + "\n-----END CERTIFICATE REQUEST-----\n", "spoilt")
    let other = try write(Base64URL.encode([UInt8](repeating: 7, count: 32)), "other")
    let open = try write(Base64URL.encode([UInt8](repeating: 7, count: 32)), "open", mode: 0o644)
    for (arguments, reason) in [
      ([key, spoilt], "no request that its own key has signed"),
      ([key, authority], "no request that its own key has signed"),
      ([other, good], "is not that of an authority with this key"),
      ([good, good], "the key cannot be read"), ([open, good], "chmod 600"),
    ] {
      let result = try attempt(words + arguments)
      XCTAssertEqual(result.status, 1, result.output)
      XCTAssertEqual(result.output, "")
      XCTAssertTrue(result.errors.contains(reason), result.errors)
    }
  }
}
