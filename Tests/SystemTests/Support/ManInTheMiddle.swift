import Foundation
import Glibc

/// A man in the middle who terminates TLS: sees every request, and answers as the test says.
final class ManInTheMiddle: @unchecked Sendable {
  // Sendable: `rewrite`, `slowPath`, `seen`, `arrived` and `answered` are touched only with `lock` held.
  private let lock = NSLock()
  private let listener: Int32
  private let upstream: UInt16
  private var rewrite: (@Sendable (Exchange) -> [UInt8]?)?
  private var slowPath: String?
  private var seen: [Exchange] = []
  private var arrived: [String] = []
  private var answered: [String] = []
  let port: UInt16

  /// A request and the provider's true answer, both whole HTTP messages.
  struct Exchange: Sendable {
    let path: String
    let request: [UInt8]
    let answer: [UInt8]
  }

  init(before provider: TestProvider) throws {
    upstream = provider.port
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = Self.loopback(port: 0)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard listener >= 0, bound == 0, listen(listener, 64) == 0 else {
      throw TestFailure("no listener")
    }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve() }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Sets what the client gets for requests from now on; if `rewrite` returns nil, the true answer is passed on.
  func answer(with rewrite: (@Sendable (Exchange) -> [UInt8]?)?) {
    lock.withLock { self.rewrite = rewrite }
  }

  /// From now on answers on `path` are sent a byte per second.
  func trickle(_ path: String?) { lock.withLock { slowPath = path } }

  /// The latest request on `path` and its true answer.
  func latest(_ path: String) -> Exchange? { lock.withLock { seen.last { $0.path == path } } }

  /// All answered requests on `path`, in their order.
  func all(_ path: String) -> [Exchange] { lock.withLock { seen.filter { $0.path == path } } }

  /// The paths of all answered requests, in their order.
  var paths: [String] { lock.withLock { seen.map(\.path) } }

  /// How many answers on `path` were sent completely.
  func answers(_ path: String) -> Int { lock.withLock { answered.count { $0 == path } } }

  /// How many requests on `path` have come, answered or not.
  func arrivals(_ path: String) -> Int { lock.withLock { arrived.count { $0 == path } } }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      Thread.detachNewThread { [self] in
        handle(connection)
        close(connection)
      }
    }
  }

  private func handle(_ connection: Int32) {
    guard let request = Self.readRequest(connection),
      let line = String(decoding: request.prefix(512), as: UTF8.self).split(separator: "\r\n").first
    else { return }
    let path = String(line.split(separator: " ").dropFirst().first ?? "")
    // What holds is what was set when the request came: a request that the client has given up may
    // be answered later.
    let (rewrite, isSlow) = lock.withLock {
      arrived.append(path)
      return (self.rewrite, slowPath == path)
    }
    let exchange = Exchange(path: path, request: request, answer: forward(request))
    lock.withLock { seen.append(exchange) }
    let answer = rewrite?(exchange) ?? exchange.answer
    for piece in isSlow ? answer.map({ [$0] }) : [answer] {
      guard Self.write(piece, to: connection) else { return }
      if isSlow { sleep(1) }
    }
    lock.withLock { answered.append(path) }
  }

  private func forward(_ request: [UInt8]) -> [UInt8] {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    var address = Self.loopback(port: upstream)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { return [] }
    // One exchange per connection keeps the parsing simple.
    let text = String(decoding: request, as: UTF8.self)
    let closing = text.replacingOccurrences(
      of: "\r\n\r\n", with: "\r\nConnection: close\r\n\r\n", range: text.range(of: "\r\n\r\n"))
    guard Self.write(Array(closing.utf8), to: server) else { return [] }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(server, &piece, piece.count)
      guard count > 0 else { break }
      answer += piece.prefix(count)
    }
    return answer
  }

  private static func readRequest(_ connection: Int32) -> [UInt8]? {
    var request: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      let text = String(decoding: request, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = text[..<end.lowerBound]
        let length =
          head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) } ?? 0
        if request.count >= head.utf8.count + 4 + length { return request }
      }
      let count = read(connection, &piece, piece.count)
      guard count > 0 else { return nil }
      request += piece.prefix(count)
    }
  }

  /// Returns whether the client was still there.
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

  /// A complete HTTP answer.
  static func http(
    _ status: Int, _ body: String, type: String = "application/json", retryAfter: Int? = nil
  ) -> [UInt8] {
    let pause = retryAfter.map { "Retry-After: \($0)\r\n" } ?? ""
    return Array(
      "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\(pause)Connection: close\r\n\r\n\(body)"
        .utf8)
  }
}
