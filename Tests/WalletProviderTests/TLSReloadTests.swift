import Foundation
import WalletProtocol
import XCTest

/// Reloading the TLS files with SIGHUP.
final class TLSReloadTests: ServerTestCase {
  private func replace(_ path: String, with other: String) throws {
    let content = try Data(contentsOf: URL(fileURLWithPath: other))
    try content.write(to: URL(fileURLWithPath: path))
  }

  func testNewConnectionsGetTheNewCertificateAndOpenOnesContinue() throws {
    let (first, second) = (try TestCertificates(), try TestCertificates())
    let server = try start("--tls-certificate", first.certificate, "--tls-key", first.key)
    let url = try server.url() + Route.live
    func isTrusted(_ files: TestCertificates) throws -> Bool {
      try Program.curl("--cacert", files.authority, url).status == 0
    }
    let open = try OpenTLS(url: url, authority: first.authority)
    XCTAssertTrue(try open.ask())
    XCTAssertTrue(try isTrusted(first))

    try replace(first.certificate, with: second.certificate)
    server.signal(SIGHUP)
    XCTAssertTrue(server.logs("TLS files refused, those before stay"), "the key is not its own")
    XCTAssertTrue(try isTrusted(first))

    try replace(first.key, with: second.key)
    server.signal(SIGHUP)
    XCTAssertTrue(server.logs("TLS files taken"))
    XCTAssertTrue(try isTrusted(second))
    XCTAssertFalse(try isTrusted(first))
    XCTAssertTrue(try open.ask(), "a connection from before the change")

    try "broken".write(toFile: first.certificate, atomically: false, encoding: .utf8)
    server.signal(SIGHUP)
    XCTAssertTrue(server.logs("TLS files refused, those before stay"))
    XCTAssertTrue(try isTrusted(second))
    try FileManager.default.removeItem(atPath: first.key)
    server.signal(SIGHUP)
    XCTAssertTrue(server.logs("TLS files refused, those before stay"))
    XCTAssertTrue(try isTrusted(second))
    XCTAssertTrue(try open.ask())
    XCTAssertEqual(server.end(), 0)
  }
}

/// One TLS connection that stays open, held by `openssl s_client`.
private final class OpenTLS {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let path: String

  init(url: String, authority: String) throws {
    let parts = try XCTUnwrap(URLComponents(string: url))
    path = parts.path
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "openssl", "s_client", "-quiet", "-verify_return_error", "-CAfile", authority, "-connect",
      "127.0.0.1:\(try XCTUnwrap(parts.port))",
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Whether a request over it is answered.
  func ask() throws -> Bool {
    input.fileHandleForWriting.write(Data(ServerTestCase.get(path).utf8))
    var text = ""
    while !text.hasSuffix(#"{"status":"live"}"#) {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { return false }
      text += String(decoding: part, as: UTF8.self)
    }
    return text.hasPrefix("HTTP/1.1 200 OK")
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
