import Foundation
import TestSupport
import XCTest

/// Secrets and TLS keys of a running process that others could see.
final class SecretVariableTests: XCTestCase {
  private let data = NSTemporaryDirectory() + "secret-variables-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: data) }

  /// A listener of this machine and its port.
  private func listen() throws -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let name = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      return bind(listener, name, length) | Foundation.listen(listener, 8)
        | getsockname(listener, name, &length)
    }
    XCTAssertEqual(status, 0)
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// Runs a server whose database does not answer, and checks that its password is gone from what
  /// other processes see of it.
  private func assertLeavesTheEnvironment(
    _ program: String, _ variables: [String: String], meanwhile: () throws -> Void = {}
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--port", "0", "--data", data]
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
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
    try meanwhile()
    XCTAssertTrue(process.isRunning)
  }

  func testThePasswordOfTheDatabaseLeavesTheEnvironment() throws {
    // Takes the connection and says nothing, so that the process waits with its settings read.
    let (listener, port) = try listen()
    defer { close(listener) }
    for program in [Program.provider, Program.testingProvider] {
      try assertLeavesTheEnvironment(
        program,
        ["WALLET_PROVIDER_DATABASE": "postgresql://user:geheim@127.0.0.1:\(port)/name"])
    }
  }

  func testThePasswordInTheVariableOfLibpqLeavesTheEnvironmentAndIsUsed() throws {
    let (listener, port) = try listen()
    defer { close(listener) }
    for program in [Program.provider, Program.testingProvider] {
      try assertLeavesTheEnvironment(
        program,
        [
          "WALLET_PROVIDER_DATABASE":
            "postgresql://user@127.0.0.1:\(port)/name?sslmode=disable&gssencmode=disable",
          "PGPASSWORD": "geheim",
        ]
      ) {
        func limitTime(of socket: Int32) {
          var time = timeval(tv_sec: Int(Patience.seconds), tv_usec: 0)
          let size = socklen_t(MemoryLayout<timeval>.size)
          setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        }
        limitTime(of: listener)
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        limitTime(of: connection)
        var buffer = [UInt8](repeating: 0, count: 4096)
        XCTAssertGreaterThan(recv(connection, &buffer, buffer.count, 0), 0, "no start of a session")
        // The server of the protocol asks for the password in the clear.
        let question: [UInt8] = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]
        XCTAssertEqual(send(connection, question, question.count, Int32(MSG_NOSIGNAL)), 9)
        let count = recv(connection, &buffer, buffer.count, 0)
        XCTAssertEqual(
          Array(buffer.prefix(max(0, count))),
          [UInt8(ascii: "p"), 0, 0, 0, 11] + Array("geheim".utf8) + [0])
      }
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
