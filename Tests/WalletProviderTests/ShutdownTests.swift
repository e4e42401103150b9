import Foundation
import Synchronization
import TestSupport
import WalletProtocol
import XCTest

/// The handling of requests when a server process is told to end.
final class ShutdownTests: ServerTestCase {
  private struct Tally {
    var answered = 0
    /// Closed without any answer before the request was sent completely.
    var unsent = 0
    /// Closed without any answer after the request was sent, over a connection that had been
    /// served.
    var lost = 0
    /// Closed without any answer on a new connection that was never accepted.
    var untaken = 0
    var broken: [String] = []
    /// Whether the server was told to end.
    var isEnding = false
  }

  /// Sends requests over one connection after another until no connection can be made.
  ///
  /// - Parameters:
  ///   - body: a registration's request for its challenge; each sending of it is answered.
  ///   - patience: how often a connection is used until the server is told to end. After
  ///   that it is used until it is closed.
  private static func load(
    _ port: UInt16, _ body: String, _ tally: borrowing Mutex<Tally>, patience: Int = .max
  ) {
    while let connection = try? RawConnection(port: port) {
      var isTaken = false
      for turn in 0... {
        guard turn < patience || tally.withLock({ $0.isEnding }) else { break }
        guard connection.send(post(Route.registrationChallenge, body)) else {
          tally.withLock { $0.unsent += 1 }
          break
        }
        do {
          guard let answer = try connection.answer() else {
            tally.withLock { if isTaken { $0.lost += 1 } else { $0.untaken += 1 } }
            break
          }
          isTaken = true
          tally.withLock {
            $0.answered += 1
            if answer.status != 200 { $0.broken.append("status \(answer.status)") }
          }
          if answer.header("connection") == "close" { break }
        } catch {
          tally.withLock { $0.broken.append("\(error)") }
          break
        }
      }
    }
  }

  /// The data directory of a server, and a request for the challenge of a registration there.
  private func registering() throws -> (ProviderHarness, String) {
    let harness = try ProviderHarness()
    let request = try TestWallet(harness).prepareRegistrationChallenge()
    return (harness, String(decoding: request.body, as: UTF8.self))
  }

  func testAnswersEveryAcceptedRequestDuringAShutdownUnderLoad() throws {
    let (harness, body) = try registering()
    let server = try ServerProcess([
      "--data", harness.path, "--address-rate", "0", "--registration-rate", "0",
    ])
    let port = try port(server)
    let idle = try (0..<20).map { _ in try RawConnection(port: port) }
    let tally = Mutex(Tally())
    let process = server.identifier
    let started = Date()
    DispatchQueue.concurrentPerform(iterations: 17) { number in
      guard number == 0 else { return Self.load(port, body, tally) }
      _ = eventually { tally.withLock({ $0.answered }) >= 500 }
      kill(process, SIGTERM)
    }
    let result = tally.withLock { $0 }
    print("shutdown under load: \(result), \(Date().timeIntervalSince(started)) s")
    XCTAssertEqual(server.exitCode(), 0)
    XCTAssertGreaterThanOrEqual(result.answered, 500)
    XCTAssertEqual(result.broken, [])
    XCTAssertEqual(result.lost, 0, "sent completely and never answered")
    for connection in idle { XCTAssertNil(try connection.answer(), "a clean end") }
    XCTAssertLessThan(Date().timeIntervalSince(started), Patience.seconds)
  }

  /// The listener stays until its accepted connections are being read, and so accepts some after
  /// the others were notified.
  func testClosesConnectionsAcceptedDuringAShutdown() throws {
    let (harness, body) = try registering()
    for _ in 1...3 {
      let server = try ServerProcess([
        "--data", harness.path, "--address-rate", "0", "--registration-rate", "0",
        "--shutdown-seconds", "20",
      ])
      let port = try port(server)
      let tally = Mutex(Tally())
      let process = server.identifier
      DispatchQueue.concurrentPerform(iterations: 17) { number in
        guard number == 0 else { return Self.load(port, body, tally, patience: 1) }
        _ = eventually { tally.withLock({ $0.answered }) >= 200 }
        tally.withLock { $0.isEnding = true }
        kill(process, SIGTERM)
      }
      let result = tally.withLock { $0 }
      XCTAssertEqual(server.exitCode(), 0)
      XCTAssertEqual(result.broken, [])
      XCTAssertEqual(result.lost, 0, "served until the shutdown time was over")
    }
  }

  func testServerIsNotReadyAndRefusesConnectionsDuringAShutdown() throws {
    let server = try start()
    let port = try port(server)
    let watcher = try RawConnection(port: port)
    watcher.send(Self.get(Route.ready))
    XCTAssertEqual(try watcher.answer()?.status, 200)
    // An incomplete request keeps the server alive during the checks.
    let slow = try RawConnection(port: port)
    slow.send(Self.get(Route.live))
    XCTAssertEqual(try slow.answer()?.status, 200, "it is taken")
    slow.send(
      "POST \(Route.registrations) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        + "Content-Length: 2\r\n\r\n{")
    server.signal(SIGTERM)
    XCTAssertTrue(eventually { (try? RawConnection(port: port)) == nil })
    watcher.send(Self.get(Route.ready))
    let ready = try XCTUnwrap(try watcher.answer())
    XCTAssertEqual(ready.status, 503)
    XCTAssertEqual(ready.problem, "unavailable")
    XCTAssertEqual(ready.header("connection"), "close")
    slow.send("}")
    let answer = try XCTUnwrap(try slow.answer())
    XCTAssertEqual(answer.problem, "malformed-request")
    XCTAssertEqual(answer.header("connection"), "close")
    XCTAssertEqual(server.exitCode(), 0)
  }

  func testConnectionsDuringAShutdownDoNotCrashTheServer() throws {
    for _ in 1...5 {
      let server = try start()
      let port = try port(server)
      let process = server.identifier
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        if number == 0 { kill(process, SIGTERM) }
        while (try? RawConnection(port: port)) != nil {}
      }
      XCTAssertEqual(server.exitCode(), 0)
    }
  }

  /// The loader tells each finalizer that it runs. A thread that closes its connection at that
  /// moment can abort the process in one of libpq's libraries.
  func testNoLibraryIsFinalizedWhileThreadsMayUseIt() throws {
    let server = try ServerProcess(["--data", data], environment: ["LD_DEBUG": "files"])
    server.signal(SIGTERM)
    let log = server.lastLog()
    XCTAssertEqual(server.exitCode(), 0)
    XCTAssertTrue(log.contains("calling init: "), "the loader tells what it does")
    XCTAssertFalse(log.contains("calling fini: "))
    let refused = try Program.run(
      Program.provider, ["serve", "--data", data + "/none/none"],
      environment: ["LD_DEBUG": "files"])
    XCTAssertNotEqual(refused.status, 0)
    XCTAssertTrue(refused.errors.contains("Error: "), "the reason is still told")
    XCTAssertFalse(refused.errors.contains("calling fini: "))
  }

  func testMostVerboseLogContainsNoKeys() throws {
    let server = try start("--log-level", "trace")
    _ = try Program.curl(try server.url() + Route.ready)
    server.signal(SIGTERM)
    let log = server.lastLog()
    XCTAssertTrue(log.contains("ExpirySweep"), "libraries name their services")
    let keys = try FileManager.default.contentsOfDirectory(atPath: data + "/keys")
      .filter { $0.hasSuffix(".key") }
    XCTAssertGreaterThan(keys.count, 4)
    for name in keys {
      let text = try String(contentsOfFile: data + "/keys/" + name, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let bytes = try XCTUnwrap(Base64URL.decode(text))
      let forms = [
        text, "\(bytes)", bytes.map { String(format: "%02x", $0) }.joined(),
        Data(bytes).base64EncodedString(),
      ]
      for form in forms { XCTAssertFalse(log.contains(form), "\(name) is in the log") }
    }
  }

  func testShutdownTimeEndsIncompleteRequests() throws {
    let server = try start("--shutdown-seconds", "1", "--body-seconds", "3600")
    let connection = try RawConnection(port: try port(server))
    connection.send(
      "POST \(Route.registrations) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        + "Content-Length: 2\r\n\r\n{")
    let started = Date()
    XCTAssertEqual(server.end(), 0)
    XCTAssertLessThan(Date().timeIntervalSince(started), Patience.seconds)
  }
}
