import Foundation
import Glibc
import WalletPlatform
import XCTest

/// A server on a loopback port that answers each request with the next answer of its script.
final class ScriptedServer: Sendable {
  enum Answer: Sendable {
    /// These bytes; the connection stays open.
    case bytes(String)
    /// These bytes, then the end of the connection.
    case bytesThenEnd(String)
    /// A header and then the given number of bytes of body, whatever the header says.
    case flood(String, Int)
    /// Nothing, until the client disconnects.
    case silence
  }

  struct Seen: Sendable {
    var connections = 0
    var requests: [String] = []
    var clientsGone = 0
  }

  let port: UInt16
  let seen = Monitor(Seen())
  private let listener: Int32
  private let script: Monitor<[Answer]>
  private let thread = Monitor<NamedThread?>(nil)

  init(_ script: [Answer]) throws {
    self.script = Monitor(script)
    let (listener, port) = try Self.listen()
    self.listener = listener
    self.port = port
    thread.withLock { $0 = NamedThread("server", signals: .blocked) { [self] in serve() } }
  }

  /// Opens a port of 127.0.0.1 that accepts connections.
  static func listen() throws -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) | Glibc.listen(listener, 8)
          | getsockname(listener, address, &length)
      }
    }
    XCTAssertEqual(status, 0, "no loopback port")
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// Ends the server; the rest of the script is not used.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    thread.withLock { $0.take() }?.join()
    close(listener)
  }

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      seen.update { $0.connections += 1 }
      while answerNext(on: connection) {}
      close(connection)
    }
  }

  /// Reads one request and answers it. Returns false at the end of the connection.
  private func answerNext(on connection: Int32) -> Bool {
    guard let request = Self.readRequest(connection) else { return false }
    seen.update { $0.requests.append(request) }
    switch script.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
    case .bytes(let text): return Self.write(Array(text.utf8), to: connection)
    case .bytesThenEnd(let text):
      _ = Self.write(Array(text.utf8), to: connection)
      return false
    case .flood(let header, let count):
      _ = Self.write(Array(header.utf8), to: connection)
      let piece = [UInt8](repeating: 0x61, count: 64 * 1024)
      for _ in 0..<count / piece.count where !Self.write(piece, to: connection) { return false }
      return false
    case .silence, nil:
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      seen.update { $0.clientsGone += 1 }
      return false
    }
  }

  private static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads a request with a body of the length that it states.
  private static func readRequest(_ connection: Int32) -> String? {
    var text = ""
    var byte: UInt8 = 0
    while !text.hasSuffix("\r\n\r\n") {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    let length = text.lowercased().components(separatedBy: "content-length: ").dropFirst().first
      .flatMap { Int($0.prefix { $0.isNumber }) }
    for _ in 0..<(length ?? 0) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }
}

/// Returns a complete answer with its length.
func answer(_ status: String, _ headers: [String] = [], _ body: String = "") -> String {
  let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)", "", body]
  return lines.joined(separator: "\r\n")
}
