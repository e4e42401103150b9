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

  func makeTransport(
    port: UInt16, environment: SystemEnvironment = SystemEnvironment()
  ) throws -> CurlTransport {
    let address = try ProviderAddress(url: "http://127.0.0.1:\(port)", allowLoopbackHTTP: true)
    return CurlTransport(address: address, certificateAuthority: nil, environment: environment)
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
