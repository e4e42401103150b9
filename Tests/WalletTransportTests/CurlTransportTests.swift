import Foundation
import Glibc
import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

class CurlTransportTests: TransportTestCase {
  func testAnAnswerArrivesCompletely() throws {
    let headers = [
      "Content-Type: Application/JWT; charset=utf-8", "ETag:  \"v7\" ", "X-A: 1", "x-a: 2",
    ]
    let (server, transport) = try startServer([.bytes(answer("200 OK", headers, "body"))])
    let request = HTTPRequest(.get, "/v2/configuration", headers: ["If-None-Match": "\"v6\""])
    let response = try send(transport, request)
    XCTAssertEqual(response.status, 200)
    XCTAssertEqual(response.body, Array("body".utf8))
    XCTAssertEqual(response.headers["content-type"], "Application/JWT; charset=utf-8")
    XCTAssertEqual(response.entityTag, "\"v7\"")
    XCTAssertEqual(response.headers["x-a"], "1, 2")
    XCTAssertNil(response.failure)
    let seen = try XCTUnwrap(server.seen.withLock { $0.requests.first })
    XCTAssertTrue(seen.hasPrefix("GET /v2/configuration HTTP/1.1\r\n"), seen)
    XCTAssertTrue(seen.contains("\r\nIf-None-Match: \"v6\"\r\n"), seen)
  }

  func testAPostSendsItsBodyAndNothingElse() throws {
    let (server, transport) = try startServer([
      .bytes(answer("200 OK")), .bytes(answer("200 OK")), .bytes(answer("200 OK")),
    ])
    let large = [UInt8](repeating: 0x7A, count: 100_000)
    _ = try send(
      transport,
      HTTPRequest(
        .post, "/a", headers: ["Content-Type": "application/json"], body: Array("{}".utf8)))
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
    let (server, transport) = try startServer((0..<5).map { .bytes(answer("200 OK", [], "\($0)")) })
    for index in 0..<5 {
      XCTAssertEqual(try send(transport).body, Array("\(index)".utf8))
    }
    // A host decides itself what it keeps.
    XCTAssertEqual(server.seen.withLock { $0.connections }, Self.byBridge ? 5 : 1)
  }

  func testAConnectionThatTheServerClosedIsReplaced() throws {
    let (server, transport) = try startServer([
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
    let (_, transport) = try startServer(statuses.map { .bytes(answer($0.0, ["Retry-After: 7"])) })
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
    let location = "Location: http://127.0.0.1:\(target.port)/v2/configuration"
    let (_, transport) = try startServer([.bytes(answer("302 Found", [location]))])
    let response = try send(transport)
    XCTAssertEqual(response.status, 302)
    XCTAssertEqual(response.failure?.kind, .serverRefused)
    XCTAssertEqual(target.seen.withLock { $0.connections }, 0)
  }

  func testInterimAnswersAreNotTheAnswer() throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
    let (_, transport) = try startServer([.bytes(interim + answer("200 OK", ["X-Late: 2"]))])
    let response = try send(transport)
    XCTAssertEqual(response.status, 200)
    XCTAssertNil(response.headers["x-early"])
    XCTAssertEqual(response.headers["x-late"], "2")
  }

  func testAProxyOfTheEnvironmentIsNotUsedForLoopback() throws {
    let proxy = try ScriptedServer([.bytes(answer("502 Proxy"))])
    addTeardownBlock { proxy.stop() }
    let (_, transport) = try startServer([.bytes(answer("200 OK"))])
    setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
    defer { unsetenv("http_proxy") }
    XCTAssertEqual(try send(transport).status, 200)
    XCTAssertEqual(proxy.seen.withLock { $0.connections }, 0)
  }
}

/// The same by the host's stack.
final class CurlTransportByBridgeTests: CurlTransportTests {
  override class var byBridge: Bool { true }

  func testItRunsByTheBridge() throws { try assertByBridge() }
}
