import Foundation
import Glibc
import ProtocolTestClient
import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

/// Requests to hosts that are not the provider, by libcurl.
class ForeignClientTests: XCTestCase {
  /// What carries out the requests; another test has another one.
  func stack() -> any HTTPStack { CurlStack() }

  private func client(allowLoopback: Bool = true) -> ForeignClient {
    ForeignClient(stack: stack(), allowLoopback: allowLoopback)
  }

  private func url(_ server: ScriptedServer, _ path: String = "/") throws -> ForeignURL {
    try client().url("http://127.0.0.1:\(server.port)\(path)")
  }

  private func server(_ script: [ScriptedServer.Answer]) throws -> ScriptedServer {
    let server = try ScriptedServer(script)
    addTeardownBlock { server.stop() }
    return server
  }

  private func send(_ request: ForeignRequest) throws -> HTTPResponse {
    try client().send(request, authorities: nil, cancellation: Cancellation())
  }

  private func failure(
    _ request: ForeignRequest, authorities: [UInt8]? = nil,
    cancellation: Cancellation = Cancellation(), line: UInt = #line
  ) -> HTTPFailure? {
    do throws(HTTPFailure) {
      let answer = try client().send(
        request, authorities: authorities, cancellation: cancellation)
      XCTFail("answered \(answer.status)", line: line)
      return nil
    } catch { return error }
  }

  func testARequestHasNothingThatTellsOneWalletFromAnother() throws {
    let cookie = ["Set-Cookie: id=1; Path=/", "Content-Type: application/json", "ETag: \"1\""]
    let server = try server((0..<4).map { _ in .bytes(answer("200 OK", cookie, "{}")) })
    setenv("http_proxy", "http://127.0.0.1:9", 1)
    defer { unsetenv("http_proxy") }
    let client = client()
    for content in [nil, ForeignRequest.Content("application/x-www-form-urlencoded", [0x61])] {
      for _ in 0..<2 {
        _ = try client.send(
          ForeignRequest(try url(server, "/a?b"), content: content, accepts: ["application/json"]),
          authorities: nil, cancellation: Cancellation())
      }
    }
    let seen = server.seen.withLock { $0 }
    XCTAssertEqual(seen.connections, 4, "a connection was kept")
    let host = "Host: 127.0.0.1:\(server.port)"
    for request in seen.requests.prefix(2) {
      XCTAssertEqual(
        lines(request), ["GET /a?b HTTP/1.1", host, "Accept: application/json"].sorted())
    }
    for request in seen.requests.suffix(2) {
      XCTAssertEqual(
        lines(request),
        [
          "POST /a?b HTTP/1.1", host, "Accept: application/json", "Content-Length: 1",
          "Content-Type: application/x-www-form-urlencoded",
        ].sorted())
      XCTAssertTrue(request.hasSuffix("\r\n\r\na"), request)
    }
  }

  private func lines(_ request: String) -> [String] {
    (request.components(separatedBy: "\r\n\r\n").first ?? "").components(separatedBy: "\r\n")
      .sorted()
  }

  func testTheURLIsSentAsItIs() throws {
    let server = try server([.bytes(answer("204 No Content"))])
    let path = "/a/../b//./c?d=%2F&e=%zz".replacingOccurrences(of: "%zz", with: "%7e")
    _ = try send(ForeignRequest(try url(server, path), accepts: ["a/b"]))
    let request = try XCTUnwrap(server.seen.withLock { $0.requests.first })
    XCTAssertTrue(request.hasPrefix("GET \(path) HTTP/1.1\r\n"), request)
  }

  func testARedirectIsAnAnswer() throws {
    let target = try server([.bytes(answer("200 OK"))])
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
      let server = try server([
        .bytes(answer(status, ["Location: http://127.0.0.1:\(target.port)/"]))
      ])
      let answer = try send(ForeignRequest(try url(server), accepts: ["a/b"]))
      XCTAssertEqual(answer.status, Int(status.prefix(3)))
    }
    XCTAssertEqual(target.seen.withLock { $0.connections }, 0)
  }

  func testASuccessfulAnswerHasATypeThatWasAskedFor() throws {
    let good = ["application/json", "Application/JSON; charset=utf-8", "application/json ;a=b"]
    let bad = ["text/html", "application/jsonp", "application/jwt", ""]
    let server = try server(
      (good + bad).map { .bytes(answer("200 OK", ["Content-Type: \($0)"], "{}")) } + [
        .bytes(answer("200 OK", [], "{}")), .bytes(answer("200 OK", [], "")),
        .bytes(answer("400 Bad Request", ["Content-Type: text/html"], "no")),
      ])
    let request = ForeignRequest(try url(server), accepts: ["application/json"])
    for type in good { XCTAssertEqual(try send(request).body, Array("{}".utf8), type) }
    for type in bad + ["none"] {
      XCTAssertEqual(failure(request)?.error.kind, .serverRefused, type)
    }
    XCTAssertEqual(try send(request).body, [], "an empty body has no type")
    XCTAssertEqual(try send(request).status, 400, "nor has that of an error")
  }

  func testAnAnswerHasALimitOfItsRequest() throws {
    let body = String(repeating: "a", count: 1_000)
    let server = try server([
      .bytes(answer("200 OK", ["Content-Type: a/b"], body)),
      .bytesThenEnd(answer("200 OK", ["Content-Type: a/b"], body + "a")),
      .flood("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\n", 1 << 20),
    ])
    let request = ForeignRequest(try url(server), accepts: ["a/b"], largestBody: 1_000)
    XCTAssertEqual(try send(request).body.count, 1_000)
    for _ in 0..<2 {
      let failure = try XCTUnwrap(failure(request))
      XCTAssertEqual(failure.error.kind, .serverRefused)
      XCTAssertTrue(failure.wasSent)
    }
  }

  func testAFailureTellsWhetherAByteWasSent() throws {
    let (socket, port) = try ScriptedServer.listen()
    close(socket)
    let client = client()
    let closed = try XCTUnwrap(
      failure(
        ForeignRequest(try client.url("http://127.0.0.1:\(port)/"), accepts: ["a/b"])))
    XCTAssertEqual(closed.error.kind, .serverUnreachable)
    XCTAssertFalse(closed.wasSent, "nobody listens")

    let name = try client.url("https://wallet-\(UUID().uuidString).invalid/")
    let unknown = try XCTUnwrap(failure(ForeignRequest(name, accepts: ["a/b"])))
    XCTAssertEqual(unknown.error.kind, .noInternet)
    XCTAssertFalse(unknown.wasSent, "there is no such name")

    let cut = try server([.bytesThenEnd(""), .bytesThenEnd("HTTP/1.1 200 OK\r\nContent-Le")])
    for _ in 0..<2 {
      let failure = try XCTUnwrap(
        failure(
          ForeignRequest(
            try url(cut), content: .init("a/b", [0x61]), accepts: ["a/b"])))
      XCTAssertEqual(failure.error.kind, .serverUnreachable)
      XCTAssertTrue(failure.wasSent, "the request was there")
    }
    XCTAssertEqual(cut.seen.withLock { $0.requests.count }, 2, "it was sent twice")

    let silent = try server([.silence])
    let late = try XCTUnwrap(
      failure(ForeignRequest(try url(silent), accepts: ["a/b"], timeout: 200)))
    XCTAssertEqual(late.error.kind, .serverUnreachable)
    XCTAssertTrue(late.wasSent)
  }

  func testACancelledRequestSendsNothing() throws {
    let server = try server([.bytes(answer("200 OK"))])
    let cancellation = Cancellation()
    cancellation.cancel()
    let failure = failure(
      ForeignRequest(try url(server), accepts: ["a/b"]), cancellation: cancellation)
    XCTAssertEqual(failure?.error.kind, .cancelled)
    XCTAssertEqual(server.seen.withLock { $0.connections }, 0)
  }

  func testANameThatLeadsToThisDeviceIsNotReached() throws {
    // libcurl resolves names of `localhost` itself (RFC 6761).
    let (listener, port) = try ScriptedServer.listen()
    defer { close(listener) }
    let call = HTTPCall(
      .get, "https://verifier.localhost:\(port)/", headers: [], body: [],
      certificateAuthorities: nil, oldestTLS: .v12, reach: .publicAddresses(orLoopback: false),
      sharesConnections: false, connectTimeout: 5_000, timeout: 5_000, largestHeaders: 1_000,
      largestBody: 1_000)
    do throws(HTTPFailure) {
      _ = try stack().perform(call, of: .other, cancellation: Cancellation())
      XCTFail("it was reached")
    } catch {
      XCTAssertEqual(error.error.kind, .serverRefused)
      XCTAssertTrue(error.error.message.contains("private network"), error.error.message)
      XCTAssertFalse(error.wasSent)
    }
    var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    XCTAssertEqual(poll(&waiting, 1, 0), 0, "there was a connection")
  }

  func testNoAuthorityMeansThatNoHostIsTrusted() throws {
    let server = try server([.bytes(answer("204 No Content"))])
    let failure = failure(ForeignRequest(try url(server), accepts: ["a/b"]), authorities: [])
    XCTAssertEqual(failure?.error.kind, .serverUnreachable)
    XCTAssertEqual(failure?.wasSent, false)
    XCTAssertEqual(server.seen.withLock { $0.connections }, 0)
  }
}

/// The same by the host's stack.
final class ForeignClientByBridgeTests: ForeignClientTests {
  override func stack() -> any HTTPStack { AvailableStack(CurlHost()) }

  func testItRunsByTheBridge() throws {
    let before = CurlHost.requests.withLock { $0 }
    try testTheURLIsSentAsItIs()
    XCTAssertEqual(CurlHost.requests.withLock { $0 }, before + 1)
  }
}
