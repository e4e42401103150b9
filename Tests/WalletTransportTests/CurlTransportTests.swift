import Foundation
import Glibc
import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

final class CurlTransportTests: XCTestCase {
  private func start(_ script: [ScriptedServer.Answer]) throws -> (ScriptedServer, CurlTransport) {
    let server = try ScriptedServer(script)
    addTeardownBlock { server.stop() }
    return (server, try transport(port: server.port))
  }

  private func transport(
    port: UInt16, world: OutsideWorld = OutsideWorld()
  ) throws -> CurlTransport {
    let address = try ProviderAddress(url: "http://127.0.0.1:\(port)", allowLoopbackHTTP: true)
    return CurlTransport(address: address, certificateAuthority: nil, world: world)
  }

  private func send(
    _ transport: CurlTransport, _ request: HTTPRequest = HTTPRequest(.get, "/v1/configuration")
  ) throws -> HTTPResponse {
    try transport.send(request, cancellation: Cancellation())
  }

  private func assertFails(
    _ kind: WalletError.Kind, _ transport: CurlTransport,
    _ request: HTTPRequest = HTTPRequest(.get, "/v1/configuration"),
    cancellation: Cancellation = Cancellation(), line: UInt = #line
  ) {
    XCTAssertThrowsError(try transport.send(request, cancellation: cancellation), line: line) {
      XCTAssertEqual(($0 as? WalletError)?.kind, kind, "\($0)", line: line)
    }
  }

  func testAnAnswerArrivesWhole() throws {
    let headers = ["Content-Type: Application/JWT; charset=utf-8", "ETag:  \"v7\" ", "X-A: 1", "x-a: 2"]
    let (server, transport) = try start([.bytes(answer("200 OK", headers, "body"))])
    let request = HTTPRequest(.get, "/v1/configuration", headers: ["If-None-Match": "\"v6\""])
    let response = try send(transport, request)
    XCTAssertEqual(response.status, 200)
    XCTAssertEqual(response.body, Array("body".utf8))
    XCTAssertEqual(response.contentType, "application/jwt")
    XCTAssertEqual(response.entityTag, "\"v7\"")
    XCTAssertEqual(response.headers["x-a"], "1, 2")
    XCTAssertNil(response.failure)
    let seen = try XCTUnwrap(server.seen.withLock { $0.requests.first })
    XCTAssertTrue(seen.hasPrefix("GET /v1/configuration HTTP/1.1\r\n"), seen)
    XCTAssertTrue(seen.contains("\r\nIf-None-Match: \"v6\"\r\n"), seen)
  }

  func testAPostSendsItsBodyAndNothingThatWasNotAsked() throws {
    let (server, transport) = try start([
      .bytes(answer("200 OK")), .bytes(answer("200 OK")), .bytes(answer("200 OK")),
    ])
    let large = [UInt8](repeating: 0x7A, count: 100_000)
    _ = try send(
      transport,
      HTTPRequest(.post, "/a", headers: ["Content-Type": "application/json"], body: Array("{}".utf8)))
    _ = try send(transport, HTTPRequest(.post, "/b"))
    _ = try send(transport, HTTPRequest(.post, "/c", body: large))
    let seen = server.seen.withLock { $0.requests }
    XCTAssertTrue(seen[0].contains("\r\nContent-Type: application/json\r\n"))
    XCTAssertTrue(seen[0].hasSuffix("\r\n\r\n{}"))
    XCTAssertTrue(seen[1].hasPrefix("POST /b HTTP/1.1\r\n"))
    XCTAssertTrue(seen[1].contains("\r\nContent-Length: 0\r\n"))
    XCTAssertTrue(seen[2].hasSuffix(String(repeating: "z", count: 100_000)))
    for request in seen {
      XCTAssertFalse(request.contains("Expect:"))
      XCTAssertFalse(request.contains("x-www-form-urlencoded"))
    }
  }

  func testTheConnectionIsKeptForTheNextRequest() throws {
    let (server, transport) = try start((0..<5).map { .bytes(answer("200 OK", [], "\($0)")) })
    for index in 0..<5 {
      XCTAssertEqual(try send(transport).body, Array("\(index)".utf8))
    }
    XCTAssertEqual(server.seen.withLock { $0.connections }, 1)
  }

  func testAConnectionThatTheServerClosedIsReplaced() throws {
    let (server, transport) = try start([
      .bytesThenEnd(answer("200 OK", [], "1")), .bytesThenEnd(answer("200 OK", [], "2")),
    ])
    XCTAssertEqual(try send(transport).body, Array("1".utf8))
    XCTAssertEqual(try send(transport).body, Array("2".utf8))
    XCTAssertEqual(server.seen.withLock { $0.connections }, 2)
  }

  func testErrorStatusesAreAnswers() throws {
    let statuses: [(String, WalletError.Kind?)] = [
      ("200 OK", nil), ("304 Not Modified", nil), ("400 Bad Request", .serverRefused),
      ("404 Not Found", .serverRefused), ("429 Too Many Requests", .serverUnreachable),
      ("500 Oops", .serverUnreachable), ("503 Later", .serverUnreachable),
    ]
    let (_, transport) = try start(statuses.map { .bytes(answer($0.0, ["Retry-After: 7"])) })
    for (status, kind) in statuses {
      let response = try send(transport)
      XCTAssertEqual(response.status, Int(status.prefix(3)))
      XCTAssertEqual(response.retryAfterSeconds, 7)
      XCTAssertEqual(response.failure?.kind, kind)
      if kind == .serverUnreachable {
        XCTAssertEqual(response.failure?.data["retry_after_s"], .number(7))
      }
    }
  }

  func testARedirectIsNotFollowed() throws {
    let target = try ScriptedServer([.bytes(answer("200 OK"))])
    addTeardownBlock { target.stop() }
    let location = "Location: http://127.0.0.1:\(target.port)/v1/configuration"
    let (_, transport) = try start([.bytes(answer("302 Found", [location]))])
    let response = try send(transport)
    XCTAssertEqual(response.status, 302)
    XCTAssertEqual(response.failure?.kind, .serverRefused)
    XCTAssertEqual(target.seen.withLock { $0.connections }, 0)
  }

  func testInterimAnswersAreNotTheAnswer() throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
    let (_, transport) = try start([.bytes(interim + answer("200 OK", ["X-Late: 2"]))])
    let response = try send(transport)
    XCTAssertEqual(response.status, 200)
    XCTAssertNil(response.headers["x-early"])
    XCTAssertEqual(response.headers["x-late"], "2")
  }

  func testATruncatedAnswerIsNoAnswer() throws {
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"
    let (_, transport) = try start([
      .bytesThenEnd(cut), .bytesThenEnd(chunked), .bytesThenEnd("HTTP/1.1 200"), .bytesThenEnd(""),
    ])
    for _ in 0..<4 { assertFails(.serverUnreachable, transport) }
  }

  func testAnAnswerThatIsNotHTTPIsNoAnswer() throws {
    let (_, transport) = try start([
      .bytesThenEnd("220 mail.example ESMTP\r\n"), .bytesThenEnd("<html>Welcome</html>"),
    ])
    for _ in 0..<2 { assertFails(.serverUnreachable, transport) }
  }

  func testAHugeAnswerIsRefusedAndItsLimitIsNot() throws {
    let limit = HTTPResponse.largestBody
    let (_, transport) = try start([
      .flood("HTTP/1.1 200 OK\r\nContent-Length: \(limit)\r\n\r\n", limit),
      .flood("HTTP/1.1 200 OK\r\nContent-Length: \(limit * 2)\r\n\r\n", limit * 2),
      .flood("HTTP/1.1 200 OK\r\n\r\n", limit * 2),
      .flood("HTTP/1.1 200 OK\r\n" + String(repeating: "X: yyyyyyyy\r\n", count: 6000), 0),
    ])
    XCTAssertEqual(try send(transport).body.count, limit)
    for _ in 0..<3 { assertFails(.serverRefused, transport) }
  }

  func testASlowAnswerIsCancelledAtOnce() throws {
    let (server, transport) = try start([.silence, .bytes(answer("200 OK"))])
    let cancellation = Cancellation()
    let canceller = try XCTUnwrap(
      NamedThread("canceller", signals: .blocked) {
        server.seen.wait(clock: SystemClock()) { $0.requests.isEmpty ? nil : () }
        cancellation.cancel()
      })
    let clock = SystemClock()
    let start = clock.now()
    assertFails(.cancelled, transport, cancellation: cancellation)
    canceller.join()
    XCTAssertLessThan(clock.now() - start, 5_000)
    // The transport is as good as before; the abandoned connection was closed.
    XCTAssertEqual(try send(transport).status, 200)
    XCTAssertEqual(server.seen.withLock { $0.clientsGone }, 1)
  }

  func testWhatIsCancelledBeforehandSendsNothing() throws {
    let (server, transport) = try start([.bytes(answer("200 OK"))])
    let cancellation = Cancellation()
    cancellation.cancel()
    assertFails(.cancelled, transport, cancellation: cancellation)
    XCTAssertEqual(server.seen.withLock { $0.connections }, 0)
  }

  func testASlowAnswerEndsAtItsTimeout() throws {
    let (_, transport) = try start([.silence])
    assertFails(.serverUnreachable, transport, HTTPRequest(.get, "/a", timeout: 50))
  }

  func testARefusedPortIsUnreachable() throws {
    let (socket, port) = try ScriptedServer.listen()
    close(socket)
    assertFails(.serverUnreachable, try transport(port: port))
  }

  func testANameThatCannotBeResolvedIsNoInternet() throws {
    // Nobody has a name of this top level (RFC 6761); where there is no resolver it is none either.
    let address = try ProviderAddress(url: "https://wallet.invalid", allowLoopbackHTTP: false)
    let transport = CurlTransport(
      address: address, certificateAuthority: nil, world: OutsideWorld())
    assertFails(.noInternet, transport)
  }

  func testFaultsOfTestsHappenBeforeOrAfterSending() throws {
    let (server, _) = try start([.bytes(answer("200 OK")), .bytes(answer("200 OK"))])
    let faults = Monitor<[OutsideWorld.NetworkFault]>([.noInternet, .refused, .answerLost, .none])
    var world = OutsideWorld()
    world.nextNetworkFault = { faults.withLock { $0.removeFirst() } }
    let transport = try transport(port: server.port, world: world)
    assertFails(.noInternet, transport)
    assertFails(.serverUnreachable, transport)
    XCTAssertEqual(server.seen.withLock { $0.requests.count }, 0)
    assertFails(.serverUnreachable, transport)
    XCTAssertEqual(server.seen.withLock { $0.requests.count }, 1)
    XCTAssertEqual(try send(transport).status, 200)
  }

  func testRequestsThatCouldSmuggleSomethingAreRefused() throws {
    let (server, transport) = try start([])
    for path in ["", "a", "/a b", "/a?b", "/a#b", "/../a", "/a//b", "//evil", "/a\r\nX: y", "/%2e"] {
      assertFails(.internalDefect, transport, HTTPRequest(.get, path))
    }
    let headers = [["A": "b\r\nC: d"], ["A\r\nB": "c"], ["": "a"], ["A": "é"], ["A:": "b"]]
    for headers in headers {
      assertFails(.internalDefect, transport, HTTPRequest(.get, "/a", headers: headers))
    }
    XCTAssertEqual(server.seen.withLock { $0.connections }, 0)
  }

  func testASecondThreadIsRefusedWhileARequestRuns() throws {
    let (server, transport) = try start([.silence])
    let cancellation = Cancellation()
    let first = try XCTUnwrap(
      NamedThread("first", signals: .blocked) {
        _ = try? transport.send(HTTPRequest(.get, "/a"), cancellation: cancellation)
      })
    server.seen.wait(clock: SystemClock()) { $0.requests.isEmpty ? nil : () }
    assertFails(.internalDefect, transport)
    cancellation.cancel()
    first.join()
  }

  func testAProxyOfTheEnvironmentIsNotUsedForLoopback() throws {
    let proxy = try ScriptedServer([.bytes(answer("502 Proxy"))])
    addTeardownBlock { proxy.stop() }
    let (_, transport) = try start([.bytes(answer("200 OK"))])
    setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
    defer { unsetenv("http_proxy") }
    XCTAssertEqual(try send(transport).status, 200)
    XCTAssertEqual(proxy.seen.withLock { $0.connections }, 0)
  }
}
