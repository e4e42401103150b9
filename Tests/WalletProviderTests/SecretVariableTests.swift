import Foundation
import TestSupport
import XCTest

/// Secrets and TLS keys of a running process that others could see.
final class SecretVariableTests: XCTestCase {
  private let data = NSTemporaryDirectory() + "secret-variables-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: data) }

  func testThePasswordOfTheDatabaseLeavesTheEnvironment() throws {
    // Takes the connection and says nothing, so that the process waits with its settings read.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let name = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      return bind(listener, name, length) | listen(listener, 8)
        | getsockname(listener, name, &length)
    }
    XCTAssertEqual(status, 0)
    let port = UInt16(bigEndian: address.sin_port)
    for program in [Program.provider, Program.testingProvider] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["serve", "--port", "0", "--data", data]
      process.environment = ProcessInfo.processInfo.environment.merging([
        "WALLET_PROVIDER_DATABASE": "postgresql://user:geheim@127.0.0.1:\(port)/name"
      ]) { $1 }
      process.standardError = FileHandle.nullDevice
      try process.start()
      defer {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      let path = "/proc/\(process.processIdentifier)/environ"
      XCTAssertTrue(
        eventually {
          guard let content = FileManager.default.contents(atPath: path) else { return false }
          return !content.isEmpty && content.range(of: Data("geheim".utf8)) == nil
        }, program)
      XCTAssertTrue(process.isRunning)
    }
  }

  func testTheServerWritesNoTLSKeys() throws {
    let files = try TestCertificates()
    let log = files.file("keys.log")
    let server = try ServerProcess(
      ["--data", data, "--tls-certificate", files.certificate, "--tls-key", files.key],
      environment: ["SSLKEYLOGFILE": log])
    let answer = try Program.curl("--cacert", files.authority, try server.url() + "/health/live")
    XCTAssertEqual(answer.output, #"{"status":"live"}"#)
    XCTAssertFalse(FileManager.default.fileExists(atPath: log))
    XCTAssertEqual(server.end(), 0)
  }
}
