import Foundation
import Synchronization
import TestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// A flood from one address, and wallets at another address.
final class OverloadTests: ServerTestCase {
  private struct Tally {
    var statuses: [Int: Int] = [:]
    var withoutRetryAfter = 0
    var isOver = false
  }

  /// Whether a signed answer says that the PIN is right; the signature is not verified here.
  private static func isValid(_ body: String) -> Bool {
    guard let answer = try? WireJSON.decode(InstructionAnswer.self, from: Array(body.utf8)),
      let message = try? SignedMessage(parsing: answer.result),
      let claims = try? message.unverifiedContent(InstructionResultClaims.self),
      case .valid = claims.outcome
    else { return false }
    return true
  }

  /// - Parameter body: a registration's request for its challenge.
  private static func flood(_ port: UInt16, _ body: String, _ tally: borrowing Mutex<Tally>) {
    while !tally.withLock({ $0.isOver }) {
      guard let connection = try? RawConnection(port: port, from: "127.0.0.2") else { continue }
      while !tally.withLock({ $0.isOver }),
        connection.send(post(Route.registrationChallenge, body)),
        let answer = try? connection.answer()
      {
        tally.withLock {
          $0.statuses[answer.status, default: 0] += 1
          if [429, 503].contains(answer.status),
            answer.header("retry-after").flatMap({ Int($0) }) == nil
          {
            $0.withoutRetryAfter += 1
          }
        }
      }
    }
  }

  func testLimitsAFloodFromOneAddressAndServesWalletsAtAnother() async throws {
    // On the server's data directory, so that both know the test's wallets.
    let harness = try ProviderHarness()
    harness.clock.catchUp()
    // Wallets with one open attempt each.
    var prepared: [String] = []
    for _ in 1...20 {
      let wallet = try await TestWallet.confirmed(harness)
      let challenge = try await wallet.challenge(for: .checkPin)
      let request = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
      prepared.append(String(decoding: request.body, as: UTF8.self))
    }
    let bodies = prepared
    let registration = String(
      decoding: try TestWallet(harness).prepareRegistrationChallenge().body, as: UTF8.self)
    let server = try ServerProcess([
      "--data", harness.path, "--address-rate", "3000", "--address-burst", "100",
      "--registration-rate", "0",
      "--requests-in-progress", "4", "--connections-per-address", "24",
    ])
    let port = try port(server)
    let before = try Self.residentBytes(server.identifier)
    let tally = Mutex(Tally())
    let valid = Mutex<[Double]>([])
    DispatchQueue.concurrentPerform(iterations: 33) { number in
      guard number == 0 else { return Self.flood(port, registration, tally) }
      defer { tally.withLock { $0.isOver = true } }
      _ = eventually { tally.withLock({ $0.statuses[429, default: 0] }) >= 200 }
      for body in bodies {
        let started = Date()
        guard let connection = try? RawConnection(port: port, from: "127.0.0.3") else { return }
        // A wallet retries after a 503.
        while connection.send(Self.post(Route.instruction(.checkPin), body)),
          let answer = try? connection.answer()
        {
          guard answer.status == 503 else {
            if answer.status == 200, Self.isValid(answer.body) {
              valid.withLock { $0.append(Date().timeIntervalSince(started)) }
            }
            break
          }
        }
      }
    }
    let (flood, times) = (tally.withLock { $0 }, valid.withLock { $0.sorted() })
    let after = try Self.residentBytes(server.identifier)
    print("flood: \(flood.statuses), good answers \(times.count), slowest \(times.last ?? 0) s,")
    print("resident \(before >> 20) MB before, \(after >> 20) MB after")
    XCTAssertEqual(times.count, bodies.count, "every PIN of the other address was checked")
    XCTAssertGreaterThan(flood.statuses[429, default: 0], 200)
    XCTAssertEqual(flood.withoutRetryAfter, 0)
    XCTAssertEqual(Set(flood.statuses.keys).subtracting([200, 429, 503]), [])
    XCTAssertLessThan(after - before, 64 << 20)
    XCTAssertEqual(server.end(), 0)
  }

  func testLimitsConnectionsPerAddressAndInTotal() throws {
    let server = try start("--connections-per-address", "5", "--max-connections", "8")
    let port = try port(server)
    func isServed(_ connection: RawConnection) -> Bool {
      connection.send(Self.get(Route.live))
      return (try? connection.answer())??.status == 200
    }
    var held: [RawConnection] = []
    for number in 1...7 {
      let connection = try RawConnection(port: port, from: "127.0.0.2")
      XCTAssertEqual(isServed(connection), number <= 5, "\(number)")
      if number <= 5 { held.append(connection) }
    }
    for number in 1...4 {
      let connection = try RawConnection(port: port, from: "127.0.0.3")
      XCTAssertEqual(isServed(connection), number <= 3, "\(number)")
      if number <= 3 { held.append(connection) }
    }
    held.removeAll()
    XCTAssertTrue(
      try eventually { isServed(try RawConnection(port: port)) },
      "ended connections are struck out")
    XCTAssertEqual(server.end(), 0)
  }

  func testBehindAProxyCountsTheNamedClientAndNotConnections() throws {
    let server = try start(
      "--behind-proxy", "--address-rate", "1", "--address-burst", "2",
      "--connections-per-address", "1", "--trusted-proxies", "127.0.0.1")
    let port = try port(server)
    let connections = try (1...5).map { _ in try RawConnection(port: port) }
    for (client, statuses) in [("192.0.2.1", [200, 200, 429]), ("192.0.2.2", [200, 200, 429])] {
      for (connection, status) in zip(connections, statuses) {
        connection.send(
          Self.get(Route.configuration, "X-Forwarded-For: 203.0.113.1, \(client)\r\n"))
        XCTAssertEqual(try connection.answer()?.status, status)
      }
    }
    // A peer that is not named counts itself, whatever it claims, and so do its connections.
    let stranger = try RawConnection(port: port, from: "127.0.0.2")
    for (client, status) in [("192.0.2.3", 200), ("192.0.2.4", 200), ("192.0.2.5", 429)] {
      stranger.send(Self.get(Route.configuration, "X-Forwarded-For: \(client)\r\n"))
      XCTAssertEqual(try stranger.answer()?.status, status)
    }
    let second = try RawConnection(port: port, from: "127.0.0.2")
    second.send(Self.get(Route.live))
    XCTAssertNil(try second.answer())
    XCTAssertEqual(server.end(), 0)
  }
}
