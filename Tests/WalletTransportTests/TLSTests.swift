import Foundation
import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

class TLSTests: TransportTestCase {
  private func openssl(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Makes a self-signed certificate for `name` and its key, in a new directory.
  private func makeCertificate(for name: String) throws -> URL {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    addTeardownBlock { try? FileManager.default.removeItem(at: directory) }
    let process = openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
      "1",
      "-subj", "/CN=test", "-addext", "subjectAltName=\(name)",
      "-keyout", directory.appendingPathComponent("key.pem").path,
      "-out", directory.appendingPathComponent("certificate.pem").path,
    ])
    try process.run()
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0)
    return directory
  }

  /// Starts a server with that certificate and returns its port.
  private func serve(_ certificate: URL, _ options: [String] = []) throws -> String {
    let process = openssl(
      [
        "s_server", "-accept", "127.0.0.1:0", "-www",
        "-cert", certificate.appendingPathComponent("certificate.pem").path,
        "-key", certificate.appendingPathComponent("key.pem").path,
      ] + options)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    addTeardownBlock {
      process.terminate()
      process.waitUntilExit()
    }
    var text = ""
    while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
    return String(try XCTUnwrap(line?.split(separator: ":").last))
  }

  private func pem(_ certificate: URL) throws -> [UInt8] {
    Array(try Data(contentsOf: certificate.appendingPathComponent("certificate.pem")))
  }

  private func get(port: String, authority: [UInt8]?) throws -> HTTPResponse {
    let address = try ProviderAddress(url: "https://127.0.0.1:\(port)", allowLoopbackHTTP: false)
    let transport = Self.transport(to: address, certificateAuthority: authority)
    return try transport.send(HTTPRequest(.get, "/v2/configuration"), cancellation: Cancellation())
  }

  private func assertFails(
    _ kind: WalletError.Kind, port: String, authority: [UInt8]?, line: UInt = #line
  ) {
    XCTAssertThrowsError(try get(port: port, authority: authority), line: line) {
      XCTAssertEqual(($0 as? WalletError)?.kind, kind, "\($0)", line: line)
    }
  }

  func testOnlyTheGivenAuthorityIsTrusted() throws {
    let certificate = try makeCertificate(for: "IP:127.0.0.1")
    let other = try makeCertificate(for: "IP:127.0.0.1")
    let port = try serve(certificate)
    XCTAssertEqual(try get(port: port, authority: pem(certificate)).status, 200)
    assertFails(.serverUnreachable, port: port, authority: try pem(other))
    assertFails(.serverUnreachable, port: port, authority: nil)
    XCTAssertEqual(try get(port: port, authority: pem(other) + pem(certificate)).status, 200)
  }

  func testACertificateOfAnotherHostIsRefused() throws {
    let certificate = try makeCertificate(for: "DNS:wallet.example")
    assertFails(
      .serverUnreachable, port: try serve(certificate), authority: try pem(certificate))
  }

  func testAGivenAuthorityAsksForTLS13() throws {
    let certificate = try makeCertificate(for: "IP:127.0.0.1")
    assertFails(
      .serverUnreachable, port: try serve(certificate, ["-tls1_2"]),
      authority: try pem(certificate))
  }

  func testAnAuthorityThatIsNotPEMIsAConfigurationError() throws {
    let port = try serve(try makeCertificate(for: "IP:127.0.0.1"))
    for authority in ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n"] {
      // A host has no word for that.
      assertFails(
        Self.byBridge ? .serverUnreachable : .configurationInvalid, port: port,
        authority: Array(authority.utf8))
    }
  }

  func testWritesNoTLSKeysWhereTheEnvironmentAsksForThem() throws {
    // libcurl reads the variable once, so this needs a process in which it has not started yet.
    let log = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    addTeardownBlock { try? FileManager.default.removeItem(at: log) }
    func run(_ program: String, _ arguments: [String]) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program).resolvingSymlinksInPath()
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["SSLKEYLOGFILE": log.path]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    func written() -> Int { (try? Data(contentsOf: log))?.count ?? 0 }
    let name = "WalletTransportTests.TLSTests/testOnlyTheGivenAuthorityIsTrusted"
    XCTAssertEqual(try run("/proc/self/exe", [name]), 0)
    XCTAssertEqual(written(), 0)
    // The variable has this effect on a program that uses libcurl.
    let certificate = try makeCertificate(for: "IP:127.0.0.1")
    let authority = certificate.appendingPathComponent("certificate.pem").path
    let port = try serve(certificate)
    XCTAssertEqual(
      try run("/usr/bin/curl", ["--cacert", authority, "https://127.0.0.1:\(port)/"]), 0)
    XCTAssertGreaterThan(written(), 0)
  }

  func testAServerWithoutTLSIsRefused() throws {
    let server = try ScriptedServer([.bytesThenEnd(answer("200 OK"))])
    addTeardownBlock { server.stop() }
    XCTAssertThrowsError(
      try ProviderTransport(
        address: ProviderAddress(
          url: "https://127.0.0.1:\(server.port)", allowLoopbackHTTP: false),
        certificateAuthority: nil
      ).send(HTTPRequest(.get, "/a", timeout: 200), cancellation: Cancellation())
    ) { XCTAssertEqual(($0 as? WalletError)?.kind, .serverUnreachable) }
  }
}

/// The same by the host's stack.
final class TLSByBridgeTests: TLSTests {
  override class var byBridge: Bool { true }

  func testItRunsByTheBridge() throws { try assertByBridge() }
}
