import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

extension XCTestCase {
  func startServer(_ script: [ScriptedServer.Answer]) throws -> (ScriptedServer, CurlTransport) {
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

  func makeTransport(port: UInt16) throws -> CurlTransport {
    Self.transport(to: try Self.address(port: port))
  }

  static func transport(to address: ProviderAddress) -> CurlTransport {
    CurlTransport(address: address, certificateAuthority: nil)
  }

  private static func address(port: UInt16) throws -> ProviderAddress {
    try ProviderAddress(url: "http://127.0.0.1:\(port)", allowLoopbackHTTP: true)
  }

  func send(
    _ transport: CurlTransport, _ request: HTTPRequest = HTTPRequest(.get, "/v2/configuration")
  ) throws -> HTTPResponse {
    try transport.send(request, cancellation: Cancellation())
  }

  func assertFails(
    _ kind: WalletError.Kind, _ transport: CurlTransport,
    _ request: HTTPRequest = HTTPRequest(.get, "/v2/configuration"),
    cancellation: Cancellation = Cancellation(), line: UInt = #line
  ) {
    XCTAssertThrowsError(try transport.send(request, cancellation: cancellation), line: line) {
      XCTAssertEqual(($0 as? WalletError)?.kind, kind, "\($0)", line: line)
    }
  }
}
