import ProtocolTestClient
import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

/// Tests of requests to the provider, by libcurl; their subclasses run them by a host's HTTP bridge.
class TransportTestCase: XCTestCase {
  class var byBridge: Bool { false }

  /// Sends a request and checks that it reached the host's bridge.
  func assertByBridge(line: UInt = #line) throws {
    let before = CurlHost.requests.withLock { $0 }
    let (_, transport) = try startServer([.bytes(answer("200 OK"))])
    XCTAssertEqual(try send(transport).status, 200, line: line)
    XCTAssertEqual(CurlHost.requests.withLock { $0 }, before + 1, line: line)
  }

  func startServer(_ script: [ScriptedServer.Answer]) throws -> (ScriptedServer, ProviderTransport)
  {
    let server = try ScriptedServer(script)
    addTeardownBlock { server.stop() }
    return (server, try makeTransport(port: server.port))
  }

  /// The address of a server that never answers. Each thread makes its own transport to it.
  func startSilentServer() throws -> ProviderAddress {
    let server = try ScriptedServer([.silence])
    addTeardownBlock { server.stop() }
    return try Self.address(port: server.port)
  }

  func makeTransport(port: UInt16) throws -> ProviderTransport {
    Self.transport(to: try Self.address(port: port))
  }

  class func transport(
    to address: ProviderAddress, certificateAuthority: [UInt8]? = nil
  ) -> ProviderTransport {
    ProviderTransport(
      address: address, certificateAuthority: certificateAuthority,
      stack: byBridge ? AvailableStack(CurlHost()) : CurlStack())
  }

  private static func address(port: UInt16) throws -> ProviderAddress {
    try ProviderAddress(url: "http://127.0.0.1:\(port)", allowLoopbackHTTP: true)
  }

  func send(
    _ transport: ProviderTransport, _ request: HTTPRequest = HTTPRequest(.get, "/v2/configuration")
  ) throws -> HTTPResponse {
    try transport.send(request, cancellation: Cancellation())
  }

  func assertFails(
    _ kind: WalletError.Kind, _ transport: ProviderTransport,
    _ request: HTTPRequest = HTTPRequest(.get, "/v2/configuration"),
    cancellation: Cancellation = Cancellation(), line: UInt = #line
  ) {
    XCTAssertThrowsError(try transport.send(request, cancellation: cancellation), line: line) {
      XCTAssertEqual(($0 as? WalletError)?.kind, kind, "\($0)", line: line)
    }
  }
}
