internal import Glibc
internal import WalletModel
internal import WalletPlatform
internal import WalletTransport

/// A provider on a loopback port that sends one input as its answer and hangs up.
private final class AnsweringHost: Sendable {
  let url: String
  private let socket: Int32
  private let answer = Monitor<[UInt8]>([])

  init() {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &place) { [socket] place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 4) == 0
          && getsockname(socket, $0, &length) == 0
      }
    }
    precondition(isBound, "no loopback port")
    url = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    let thread = NamedThread("fuzz.host", signals: .blocked) { [self] in
      while true { serve() }
    }
    precondition(thread != nil)
    thread?.detach()
  }

  func prepare(_ bytes: [UInt8]) { answer.withLock { $0 = bytes } }

  private func serve() {
    let connection = accept(socket, nil, nil)
    guard connection >= 0 else { return }
    defer { close(connection) }
    // Requests are short and come in one piece; what is left unread would reset the connection.
    var request = [UInt8](repeating: 0, count: 4096)
    _ = recv(connection, &request, request.count, 0)
    let bytes = answer.withLock { $0 }
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    shutdown(connection, Int32(SHUT_WR))
  }
}

private let host = AnsweringHost()
private let address = try? ProviderAddress(url: host.url, allowLoopbackHTTP: true)

/// An answer through the real transport, and what is read of its head. Accepted where there is an
/// answer.
func readAnswer(_ bytes: [UInt8]) -> Bool {
  host.prepare(bytes)
  guard let address else { preconditionFailure("no address") }
  let transport = ProviderTransport(address: address, certificateAuthority: nil)
  let request = HTTPRequest(.get, "/v2/configuration", timeout: 2_000)
  let response: HTTPResponse
  do throws(WalletError) {
    response = try transport.send(request, cancellation: Cancellation())
  } catch {
    precondition([.serverUnreachable, .serverRefused].contains(error.kind), "\(error.kind)")
    return false
  }
  precondition(response.body.count <= HTTPResponse.largestBody)
  precondition(response.headers.keys.allSatisfy { $0 == $0.lowercased() }, "a name in capitals")
  precondition(response.retryAfterSeconds ?? 0 >= 0)
  precondition(
    (response.failure == nil) == ((200...299).contains(response.status) || response.status == 304))
  _ = (response.entityTag, response.isTemporary)
  return true
}
