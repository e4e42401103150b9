import Foundation
import TestSupport
import XCTest

/// A TCP connection to this machine, without any HTTP implementation of this project.
final class RawConnection {
  private let connection: Int32
  private var received: [UInt8] = []

  /// - Parameters:
  ///   - source: the loopback source address, 127.0.0.1 to 127.255.255.254.
  ///   - patience: the time-out of a read in seconds.
  init(port: UInt16, from source: String = "127.0.0.1", patience: Int = Int(Patience.seconds))
    throws
  {
    connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard connection >= 0 else { throw RawConnectionError(description: "no socket") }
    var time = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    guard Self.call(bind, connection, source, 0) == 0 else {
      throw RawConnectionError(description: "cannot come from \(source)")
    }
    guard Self.call(connect, connection, "127.0.0.1", port) == 0 else {
      throw RawConnectionError(description: "not connected: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(connection) }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ connection: Int32,
    _ host: String, _ port: UInt16
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafeBytes(of: &address) { bytes in
      function(
        connection, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
  }

  /// Sends `text`; false if the peer has closed the connection.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends `bytes`; false if the peer has closed the connection.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The next answer with a Content-Length, or nil if the connection ends before its first byte.
  ///
  /// - Throws: If the connection ends or times out within an answer.
  func answer() throws -> RawAnswer? {
    while true {
      if let (answer, length) = try RawAnswer.first(in: received) {
        received.removeFirst(length)
        return answer
      }
      guard try receive() else {
        guard received.isEmpty else { throw RawConnectionError(description: "half an answer") }
        return nil
      }
    }
  }

  /// Everything received until the peer closes.
  func everything() throws -> String {
    while try receive() {}
    defer { received = [] }
    return String(decoding: received, as: UTF8.self)
  }

  /// False at the end of the connection, however it ended.
  private func receive() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN { throw RawConnectionError(description: "nothing comes") }
    guard count > 0 else { return false }
    received += buffer.prefix(count)
    return true
  }

  /// Sends `text` and reads until the peer closes.
  static func exchange(_ text: String, port: UInt16) throws -> String {
    let connection = try RawConnection(port: port)
    connection.send(text)
    return try connection.everything()
  }
}

/// An answer as it was received.
struct RawAnswer {
  var status: Int
  /// The header names are in lower case.
  var head: String
  var body: String

  /// The value of a header, its name in lower case.
  func header(_ name: String) -> String? {
    head.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }
      .map { String($0.dropFirst(name.count + 2)) }
  }

  /// The kind of problem; nil for any other answer.
  var problem: String? {
    guard header("content-type") == "application/problem+json",
      let range = body.range(of: "urn:wallet-provider:problem:")
    else { return nil }
    return String(body[range.upperBound...].prefix { $0 != "\"" })
  }

  fileprivate static func first(in bytes: [UInt8]) throws -> (RawAnswer, Int)? {
    guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
    guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw RawConnectionError(description: "no answer: \(head)")
    }
    var answer = RawAnswer(status: status, head: head, body: "")
    let length = answer.header("content-length").flatMap { Int($0) } ?? 0
    guard bytes.count >= end.upperBound + length else { return nil }
    let body = bytes[end.upperBound..<(end.upperBound + length)]
    answer.body = String(decoding: body, as: UTF8.self)
    return (answer, end.upperBound + length)
  }
}

struct RawConnectionError: Error {
  let description: String
}
