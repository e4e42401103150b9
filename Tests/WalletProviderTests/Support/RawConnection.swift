import Foundation
import XCTest

/// A TCP connection to this machine, without any HTTP of ours in between.
enum RawConnection {
  /// Sends `text` and reads until the other side closes.
  static func exchange(_ text: String, port: UInt16) throws -> String {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    XCTAssertGreaterThanOrEqual(connection, 0)
    defer { close(connection) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafeBytes(of: &address) { bytes in
      connect(
        connection, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
    XCTAssertEqual(status, 0)
    let bytes = Array(text.utf8)
    XCTAssertEqual(send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)), bytes.count)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += buffer.prefix(count)
    }
  }
}
