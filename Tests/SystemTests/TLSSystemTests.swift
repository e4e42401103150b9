import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// The core only connects to providers with a certificate of the pinned authority.
final class TLSSystemTests: XCTestCase {
  private var certificates: Certificates!
  private var provider: TestProvider!

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    certificates = try Certificates()
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider?.stop()
  }

  private func host(
    certificateFor name: String, authority: String
  ) throws -> TestHost {
    let certificate = try certificates.issue(for: name)
    provider = try TestProvider(settings: [
      "tls-certificate": certificate.path, "tls-key": certificates.serverKey.path,
    ])
    XCTAssertTrue(provider.url.hasPrefix("https://127.0.0.1:"), provider.url)
    let host = try TestHost(
      configuration: provider.clientConfiguration(authority: certificates.file(authority).path))
    try host.start()
    return host
  }

  func testTheWholeAccountOverTLSWithThePinnedAuthority() throws {
    let host = try host(certificateFor: "IP:127.0.0.1", authority: "authority.pem")
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try host.wipe(), .done)
  }

  func testACertificateOfAnotherAuthorityIsRefused() throws {
    let host = try host(certificateFor: "IP:127.0.0.1", authority: "other.pem")
    XCTAssertEqual(
      try host.register("142032").status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertEqual(try provider.control("/counts")["pending"] as? Int, 0)
  }

  func testACertificateForAnotherNameIsRefused() throws {
    let host = try host(certificateFor: "IP:127.0.0.2", authority: "authority.pem")
    XCTAssertEqual(
      try host.register("142032").status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertEqual(try provider.control("/counts")["pending"] as? Int, 0)
  }
}

/// Two authorities, and certificates of the first, made by the `openssl` command.
private final class Certificates {
  private let directory: URL
  var serverKey: URL { file("server.key") }

  init() throws {
    directory = try Scratch.directory("certificates")
    for name in ["authority", "other", "server"] {
      try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "\(name).key")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: file("\(name).key").path)
    }
    for name in ["authority", "other"] {
      try openssl(
        "req", "-x509", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-days", "2", "-out",
        "\(name).pem")
    }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

  /// A certificate of the first authority for `name`, e.g. "IP:127.0.0.1".
  func issue(for name: String) throws -> URL {
    try Data("subjectAltName=\(name)\n".utf8).write(to: file("names"))
    try openssl("req", "-new", "-key", "server.key", "-subj", "/CN=server", "-out", "server.csr")
    try openssl(
      "x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key",
      "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "server.pem")
    return file("server.pem")
  }

  private func openssl(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = directory
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw TestFailure("openssl \(arguments[0]) failed")
    }
  }
}
