import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// For any bytes the server gives a defined answer or closes the connection, and its memory stays
/// small.
final class HostileHTTPTests: ServerTestCase {
  private static let instructions = InstructionName.allCases.filter { $0 != .register }

  private func only(_ bytes: String, _ port: UInt16) throws -> RawAnswer? {
    let connection = try RawConnection(port: port)
    connection.send(bytes)
    return try connection.answer()
  }

  func testRefusesBodiesOfTenMegabytesBeforeReadingThem() throws {
    let server = try start()
    let port = try port(server)
    let before = try Self.residentBytes(server.identifier)
    let megabyte = String(repeating: "a", count: 1 << 20)
    let head =
      "POST \(Route.registrations) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    for number in 0..<20 {
      let connection = try RawConnection(port: port)
      let isChunked = number.isMultiple(of: 2)
      connection.send(
        head
          + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: 10485760\r\n\r\n"))
      for _ in 1...10 {
        guard connection.send(isChunked ? "100000\r\n\(megabyte)\r\n" : megabyte) else { break }
      }
      let answer = try XCTUnwrap(try connection.answer())
      XCTAssertEqual(answer.status, 413)
      XCTAssertEqual(answer.problem, "body-too-large")
      XCTAssertEqual(answer.header("connection"), "close")
    }
    let grown = try Self.residentBytes(server.identifier) - before
    XCTAssertLessThan(grown, 64 << 20, "200 MB were sent")
    XCTAssertEqual(server.end(), 0)
  }

  func testAnswersSlowHeadsAndBodiesWith408AndStaysAvailable() throws {
    let server = try start("--header-seconds", "1", "--body-seconds", "1")
    let port = try port(server)
    let head =
      "POST \(Route.registrations) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    let slow = try (0..<100).map { number in
      let connection = try RawConnection(port: port)
      let last = number.isMultiple(of: 3) ? "Connection: close\r\n" : ""
      let body = "\(last)Content-Length: 100\r\n\r\n{"
      connection.send(number.isMultiple(of: 2) ? head : head + body)
      return connection
    }
    // On a busy machine a good request may be as slow.
    let isAvailable = try eventually { try only(Self.get(Route.ready), port)?.status == 200 }
    XCTAssertTrue(isAvailable)
    for connection in slow {
      let answer = try XCTUnwrap(try connection.answer())
      XCTAssertEqual(answer.status, 408)
      XCTAssertEqual(answer.problem, "request-timeout")
      XCTAssertNil(try connection.answer())
    }
    let silent = try RawConnection(port: port)
    XCTAssertNil(try silent.answer(), "a silent client gets no answer")
    XCTAssertEqual(server.end(), 0)
  }

  func testRefusesInvalidMessagesAtEveryRoute() throws {
    let server = try start()
    let port = try port(server)
    let deep = String(repeating: "[", count: 50_000) + String(repeating: "]", count: 50_000)
    let jws = "eyJhbGciOiJFZERTQSIsInR5cCI6Im5vbmUifQ.e30.AAAA"
    let none = "eyJhbGciOiJub25lIn0.e30."
    let bodies = [
      "", "{}", "[]", "null", deep, "{\"signature\":\(deep),\"payload\":\"\"}", "\u{0}", "{\"a\":",
      "{\"signature\":\"\(jws)\",\"payload\":\"e30\"}",
      "{\"signature\":\"\(none)\",\"payload\":\"e30\"}",
      "{\"signature\":\"\(jws)\",\"signature\":\"\(jws)\",\"payload\":\"e30\"}",
      "{\"signature\":\"....\",\"payload\":\"e30\"}",
      "{\"signature\":\"a.b.c\",\"payload\":\"====\"}",
    ]
    let connection = try RawConnection(port: port)
    for route in [Route.registrations] + Self.instructions.map(Route.instruction) {
      for body in bodies {
        connection.send(Self.post(route, body))
        let answer = try XCTUnwrap(try connection.answer(), body.prefix(60).description)
        XCTAssertEqual(answer.status, 400)
        XCTAssertEqual(answer.problem, "malformed-request", body.prefix(60).description)
      }
      for type in ["text/plain", "application/xml", "", "application/json, text/plain"] {
        connection.send(
          "POST \(route) HTTP/1.1\r\nHost: x\r\nContent-Type: \(type)\r\nContent-Length: 2\r\n\r\n{}"
        )
        guard let answer = try connection.answer() else { return XCTFail("closed at \(type)") }
        XCTAssertEqual(answer.problem, "unsupported-media-type", type)
      }
    }
    XCTAssertEqual(server.end(), 0)
  }

  func testOtherMethodsPathsAndHeadersHaveDefinedAnswers() throws {
    let server = try start()
    let port = try port(server)
    let instruction = Route.instruction(.checkPin)
    for method in ["OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "PROPFIND", "M-SEARCH"] {
      for (path, allow) in [(Route.live, "get, head"), (instruction, "post")] {
        let answer = try XCTUnwrap(
          try only("\(method) \(path) HTTP/1.1\r\nHost: x\r\n\r\n", port), method)
        XCTAssertEqual(answer.status, 405, method)
        XCTAssertEqual(answer.header("allow"), allow)
        XCTAssertFalse(answer.head.contains("host: x"), "nothing is echoed")
      }
    }
    let head = try XCTUnwrap(
      try RawConnection.exchange(
        "HEAD \(Route.live) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", port: port))
    XCTAssertTrue(head.hasPrefix("HTTP/1.1 200 "), head)
    XCTAssertTrue(head.hasSuffix("\r\n\r\n"), "no body: \(head)")
    let paths = [
      "/../../etc/passwd", "/%2e%2e/etc/passwd", "//v2/configuration", "/v2/configuration/",
      "/v2//configuration", "/V1/configuration", "/v2/configuration%00",
      "/v2/instructions/register",
      "*", "/" + String(repeating: "a/", count: 5000), "/\u{fc}", "/?" + instruction,
    ]
    for path in paths {
      let answer = try XCTUnwrap(try only(Self.get(path), port), path.prefix(60).description)
      XCTAssertTrue([404, 400].contains(answer.status), "\(path.prefix(60)): \(answer.status)")
    }
    let query = try XCTUnwrap(try only(Self.get(Route.live + "?x=1"), port))
    XCTAssertEqual(query.status, 200)
    let connected = try XCTUnwrap(
      try only("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", port))
    XCTAssertTrue([404, 405, 400].contains(connected.status), "\(connected.status)")
    let large = try XCTUnwrap(
      try only(Self.get(Route.live, "X: \(String(repeating: "a", count: 20_000))\r\n"), port))
    XCTAssertEqual(large.problem, "headers-too-large")
    let many = try XCTUnwrap(
      try only(Self.get(Route.live, String(repeating: "a: b\r\n", count: 2000)), port))
    XCTAssertEqual(many.problem, "headers-too-large")
    XCTAssertEqual(server.end(), 0)
  }

  func testRefusesAmbiguousRequests() throws {
    let server = try start()
    let port = try port(server)
    let post = "POST \(Route.registrationChallenge) HTTP/1.1\r\n"
    for headers in [
      "Host: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "Content-Length: 0\r\n\r\n",
      "Host: x\r\nHost: y\r\nContent-Length: 0\r\n\r\n",
      "Host: x\r\nContent-Length: -1\r\n\r\n", "Host: x\r\nContent-Length: 1e3\r\n\r\n",
      "Host: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
      "Host : x\r\nContent-Length: 0\r\n\r\n", "Host: x\r\n folded: y\r\nContent-Length: 0\r\n\r\n",
    ] {
      let answer = try XCTUnwrap(try only(post + headers, port), headers)
      XCTAssertEqual(answer.status, 400, headers)
      XCTAssertEqual(answer.problem, "malformed-request", headers)
    }
    XCTAssertEqual(server.end(), 0)
  }

  func testAnswersPipelinedRequestsInOrder() throws {
    let server = try start()
    let connection = try RawConnection(port: try port(server))
    let paths = [Route.live, "/none", Route.ready, Route.configuration, "/none", Route.live]
    connection.send(paths.map { Self.get($0) }.joined())
    for status in [200, 404, 200, 200, 404, 200] {
      XCTAssertEqual(try connection.answer()?.status, status)
    }
    XCTAssertEqual(server.end(), 0)
  }
}
