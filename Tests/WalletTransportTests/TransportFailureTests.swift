import Foundation
import Glibc
import TestSupport
import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

class TransportFailureTests: TransportTestCase {
  func testATruncatedAnswerIsNoAnswer() throws {
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"
    let (_, transport) = try startServer([
      .bytesThenEnd(cut), .bytesThenEnd(chunked), .bytesThenEnd("HTTP/1.1 200"), .bytesThenEnd(""),
    ])
    for _ in 0..<4 { assertFails(.serverUnreachable, transport) }
  }

  func testAnAnswerThatIsNotHTTPIsNoAnswer() throws {
    let (_, transport) = try startServer([
      .bytesThenEnd("220 mail.example ESMTP\r\n"), .bytesThenEnd("<html>Welcome</html>"),
    ])
    for _ in 0..<2 { assertFails(.serverUnreachable, transport) }
  }

  func testAnAnswerAboveTheLimitIsRefusedAndOneAtTheLimitIsNot() throws {
    let limit = HTTPResponse.largestBody
    let (_, transport) = try startServer([
      .flood("HTTP/1.1 200 OK\r\nContent-Length: \(limit)\r\n\r\n", limit),
      .flood("HTTP/1.1 200 OK\r\nContent-Length: \(limit * 2)\r\n\r\n", limit * 2),
      .flood("HTTP/1.1 200 OK\r\n\r\n", limit * 2),
      .flood("HTTP/1.1 200 OK\r\n" + String(repeating: "X: yyyyyyyy\r\n", count: 6000), 0),
    ])
    XCTAssertEqual(try send(transport).body.count, limit)
    for _ in 0..<3 { assertFails(.serverRefused, transport) }
  }

  func testASlowAnswerIsCancelledImmediately() throws {
    let (server, transport) = try startServer([.silence, .bytes(answer("200 OK"))])
    let cancellation = Cancellation()
    let canceller = try XCTUnwrap(
      NamedThread("canceller", signals: .blocked) {
        server.seen.wait(clock: SystemBootClock()) { $0.requests.isEmpty ? nil : () }
        cancellation.cancel()
      })
    // A request that is not woken ends at its timeout, and then as cancelled too. Another request,
    // with a shorter timeout, still waits.
    let other = try startSilentServer()
    let end = Cancellation()
    let failure = Monitor<WalletError.Kind?>(nil)
    let witness = try XCTUnwrap(
      NamedThread("witness", signals: .blocked) {
        do throws(WalletError) {
          _ = try Self.transport(to: other).send(
            HTTPRequest(.get, "/a", timeout: 30_000), cancellation: end)
        } catch { failure.withLock { $0 = error.kind } }
      })
    assertFails(
      .cancelled, transport, HTTPRequest(.get, "/a", timeout: 59_000), cancellation: cancellation)
    canceller.join()
    end.cancel()
    witness.join()
    XCTAssertEqual(failure.withLock { $0 }, .cancelled, "it had reached its timeout")
    // The transport still works; the abandoned connection was closed.
    XCTAssertEqual(try send(transport).status, 200)
    XCTAssertEqual(server.seen.withLock { $0.clientsGone }, 1)
  }

  /// libcurl wakes up by itself after 0.2 s and then after 10 s; the request is cancelled in between.
  /// On a busy machine this may take several tries.
  func testACancelledRequestIsWokenUp() throws {
    let isWoken = try eventually { try cancelledRequestEnds(after: 500, beforeTimeout: 3_000) }
    XCTAssertTrue(isWoken)
  }

  /// Whether a request that is cancelled when another one has reached its timeout ends while a third
  /// one, with a longer timeout, still waits.
  private func cancelledRequestEnds(
    after pause: Milliseconds, beforeTimeout timeout: Milliseconds
  ) throws -> Bool {
    let (server, transport) = try startServer([.silence])
    let other = try startSilentServer()
    let pausing = try startSilentServer()
    let (cancellation, end) = (Cancellation(), Cancellation())
    let failure = Monitor<WalletError.Kind?>(nil)
    let witness = try XCTUnwrap(
      NamedThread("witness", signals: .blocked) {
        do throws(WalletError) {
          _ = try Self.transport(to: other).send(
            HTTPRequest(.get, "/a", timeout: timeout), cancellation: end)
        } catch { failure.withLock { $0 = error.kind } }
      })
    let canceller = try XCTUnwrap(
      NamedThread("canceller", signals: .blocked) {
        server.seen.wait(clock: SystemBootClock()) { $0.requests.isEmpty ? nil : () }
        _ = try? Self.transport(to: pausing).send(
          HTTPRequest(.get, "/a", timeout: pause), cancellation: Cancellation())
        cancellation.cancel()
      })
    assertFails(.cancelled, transport, cancellation: cancellation)
    end.cancel()
    canceller.join()
    witness.join()
    return failure.withLock { $0 } == .cancelled
  }

  func testARequestThatIsCancelledBeforehandSendsNothing() throws {
    let (server, transport) = try startServer([.bytes(answer("200 OK"))])
    let cancellation = Cancellation()
    cancellation.cancel()
    assertFails(.cancelled, transport, cancellation: cancellation)
    XCTAssertEqual(server.seen.withLock { $0.connections }, 0)
  }

  func testASlowAnswerEndsAtItsTimeout() throws {
    let (_, transport) = try startServer([.silence])
    assertFails(.serverUnreachable, transport, HTTPRequest(.get, "/a", timeout: 50))
  }

  func testARefusedPortIsUnreachable() throws {
    let (socket, port) = try ScriptedServer.listen()
    close(socket)
    assertFails(.serverUnreachable, try makeTransport(port: port))
  }

  func testANameThatCannotBeResolvedIsNoInternet() throws {
    // No name of this top-level domain exists (RFC 6761). Without a resolver the name is not found
    // either.
    let address = try ProviderAddress(url: "https://wallet.invalid", allowLoopbackHTTP: false)
    let transport = Self.transport(to: address)
    assertFails(.noInternet, transport)
  }

  func testRequestsThatCouldSmuggleSomethingAreRefused() throws {
    let (server, transport) = try startServer([])
    for path in ["", "a", "/a b", "/a?b", "/a#b", "/../a", "/a//b", "//evil", "/a\r\nX: y", "/%2e"]
    {
      assertFails(.internalDefect, transport, HTTPRequest(.get, path))
    }
    let headers = [["A": "b\r\nC: d"], ["A\r\nB": "c"], ["": "a"], ["A": "é"], ["A:": "b"]]
    for headers in headers {
      assertFails(.internalDefect, transport, HTTPRequest(.get, "/a", headers: headers))
    }
    XCTAssertEqual(server.seen.withLock { $0.connections }, 0)
  }
}

/// The same by the host's stack.
final class TransportFailureByBridgeTests: TransportFailureTests {
  override class var byBridge: Bool { true }

  func testItRunsByTheBridge() throws { try assertByBridge() }
}
