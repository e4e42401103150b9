import Foundation
import WalletProtocol
import WalletProvider
import XCTest

/// Tests of server processes on a data directory that is deleted after the test.
class ServerTestCase: XCTestCase {
  let data = NSTemporaryDirectory() + "provider-process-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: data) }

  func start(_ options: String...) throws -> ServerProcess {
    try ServerProcess(["--data", data] + options)
  }

  func port(_ server: ServerProcess, line: String = "wallet-provider listens on") throws -> UInt16 {
    let url = try XCTUnwrap(server.announced.first { $0.hasPrefix(line) })
    let digits = url.split(separator: ":").last.map { $0.prefix { $0.isNumber } }
    return try XCTUnwrap(digits.flatMap { UInt16($0) })
  }

  /// A GET that keeps the connection open.
  static func get(_ path: String, _ headers: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: x\r\n\(headers)\r\n"
  }

  /// A POST of JSON that keeps the connection open.
  static func post(_ path: String, _ body: String, _ headers: String = "") -> String {
    "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
  }

  /// Resident memory of a process in bytes.
  static func residentBytes(_ process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
    let pages = try XCTUnwrap(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
