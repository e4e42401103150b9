import Foundation
import WalletProtocol
import WalletProvider
import XCTest

/// Server processes on a data directory while its keys change.
class KeyRotationTests: StoreTestCase {
  private let clientRoles: [KeyRole] = [.result, .certificate, .encryption]
  private let roles: [KeyRole] = [.result, .certificate, .encryption, .sealing]

  private func keys(_ configuration: ConfigurationClaims, _ role: KeyRole) -> [String] {
    switch role {
    case .result: configuration.resultKeys.map(\.id)
    case .certificate: configuration.certificateKeys.map(\.id)
    case .encryption: configuration.encryptionKeys.map(\.id)
    case .use: configuration.useKeys.map(\.id)
    case .configurationSigning, .issuerAuthority, .documentSigner, .statusSigner, .sealing: []
    }
  }

  func testWalletWorksDuringEveryStepOfARotationOfAllRoles() async throws {
    let bed = try KeyTestBed()
    var server = try bed.server()
    let first = try bed.configuration(of: server)
    let (wallet, certificate) = try bed.wallet(at: server)
    let former = Dictionary(
      uniqueKeysWithValues: try roles.map { role in (role, try bed.list(role)[0][0]) })

    // The key is made, and announced by the next start.
    var next: [KeyRole: String] = [:]
    for role in roles {
      let id = try bed.id("rotate", role.rawValue)
      next[role] = id
      XCTAssertEqual(try bed.list(role).map { $0[1] }, ["current", "next"])
      let again = try bed.keys("rotate", role.rawValue)
      XCTAssertEqual(again.status, 1)
      XCTAssertTrue(again.errors.contains("\(id) waits already"), again.errors)
    }
    for role in clientRoles {
      let early = try bed.keys("promote", role.rawValue)
      XCTAssertEqual(early.status, 1)
      XCTAssertTrue(early.errors.contains("is not published yet"), early.errors)
    }
    XCTAssertTrue(try bed.check(wallet, at: server).isRight)
    XCTAssertEqual(server.end(), 0)
    server = try bed.server()
    let announced = try bed.configuration(of: server)
    XCTAssertEqual(announced.configurationVersion, first.configurationVersion + 1)
    for role in clientRoles {
      XCTAssertEqual(keys(announced, role), [former[role], next[role]].compactMap { $0 })
    }
    let before = try bed.check(wallet, at: server)
    XCTAssertTrue(before.isRight)
    XCTAssertEqual(before.keyID, former[.result])
    bed.harness.learn(announced)

    // The key is in use; the wallet still uses the announced configuration.
    for role in clientRoles {
      let early = try bed.keys("promote", role.rawValue)
      XCTAssertEqual(early.status, 1)
      XCTAssertTrue(early.errors.contains("wait until 20"), early.errors)
      XCTAssertEqual(try bed.id("promote", role.rawValue, "--now"), next[role])
    }
    XCTAssertEqual(try bed.id("promote", "sealing"), next[.sealing])
    XCTAssertEqual(server.end(), 0)
    server = try bed.server()
    let after = try bed.check(wallet, at: server)
    XCTAssertTrue(after.isRight)
    XCTAssertEqual(after.keyID, next[.result])
    let newcomer = try bed.wallet(at: server)
    XCTAssertEqual(try SignedMessage(parsing: newcomer.certificate).keyID, next[.certificate])
    XCTAssertEqual(try bed.content(of: certificate).wallet, wallet.id)
    let promoted = try bed.configuration(of: server)
    XCTAssertEqual(promoted.configurationVersion, first.configurationVersion + 2)
    for role in clientRoles {
      XCTAssertEqual(keys(promoted, role), [next[role], former[role]].compactMap { $0 })
      XCTAssertEqual(try bed.list(role).map { $0[1] }, ["current", "former"])
    }

    // The former key is gone. A wallet that only knows the announced configuration seals to it, and
    // nothing opens that any more.
    for role in clientRoles {
      let id = try XCTUnwrap(former[role])
      let early = try bed.keys("retire", role.rawValue, "--", id)
      XCTAssertEqual(early.status, 1)
      XCTAssertTrue(early.errors.contains("wait until 20"), early.errors)
      try bed.id("retire", role.rawValue, "--now", "--", id)
      XCTAssertEqual(try bed.list(role).map { $0[0] }, [next[role]])
      let current = try bed.keys("retire", role.rawValue, "--now", try XCTUnwrap(next[role]))
      XCTAssertTrue(current.errors.contains("is the current"), current.errors)
    }
    XCTAssertEqual(server.end(), 0)
    server = try bed.server()
    XCTAssertThrowsError(try bed.check(wallet, at: server))
    bed.harness.learn(try bed.configuration(of: server))
    XCTAssertTrue(try bed.check(wallet, at: server).isRight)
  }

  func testServersFromBeforeAndAfterAPromotionWorkSideBySide() async throws {
    let bed = try KeyTestBed()
    let roles: [KeyRole] = [.result, .encryption, .sealing]
    for role in roles { try bed.id("rotate", role.rawValue) }
    let old = try bed.server()
    let announced = try bed.configuration(of: old)
    bed.harness.learn(announced)
    let (wallet, _) = try bed.wallet(at: old)
    for role in roles { try bed.id("promote", role.rawValue, "--now") }
    let new = try bed.server()
    // Each server seals with its own current key, and opens what the other one wrote.
    for server in [new, old, new] {
      XCTAssertFalse(try bed.check(wallet, pin: "271828", at: server).isRight)
      XCTAssertTrue(try bed.check(wallet, at: server).isRight)
    }
    let (newcomer, _) = try bed.wallet(at: new)
    XCTAssertTrue(try bed.check(newcomer, at: old).isRight)
    // Wallets that refreshed at one server seal to its key and send to the other.
    bed.harness.learn(try bed.configuration(of: new))
    for server in [old, new] { XCTAssertTrue(try bed.check(newcomer, at: server).isRight) }
    bed.harness.learn(announced)
    for server in [old, new] { XCTAssertTrue(try bed.check(wallet, at: server).isRight) }
  }

  func testSealingKeyCanBeRetiredOnlyWhenNoRowNeedsIt() async throws {
    let bed = try KeyTestBed()
    var server = try bed.server()
    let used = try bed.wallet(at: server).wallet
    let unused = try bed.wallet(at: server).wallet
    let former = try bed.list(.sealing)[0][0]
    let next = try bed.id("rotate", "sealing")
    try bed.id("promote", "sealing")
    XCTAssertEqual(server.end(), 0)
    server = try bed.server()
    XCTAssertTrue(try bed.check(used, at: server).isRight)
    // The provider's three secrets, the other wallet, and challenges.
    let rows = try bed.list(.sealing).map { ($0[0], Int($0.last ?? "") ?? 0) }
    let needed = rows[1].1
    XCTAssertEqual(rows.map(\.0), [next, former])
    XCTAssertTrue(rows[0].1 >= 2 && needed > 4, "\(rows)")
    let refused = try bed.keys("retire", "sealing", "--now", "--", former)
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.errors.contains("\(needed) rows still need \(former)"), refused.errors)
    XCTAssertEqual(try bed.id("reseal"), "resealed: \(needed)")
    XCTAssertEqual(try bed.id("reseal"), "resealed: 0")
    let early = try bed.keys("retire", "sealing", "--", former)
    XCTAssertEqual(early.status, 1)
    XCTAssertTrue(
      early.errors.contains("restart all servers first; wait until 20"), early.errors)
    try bed.id("retire", "sealing", "--now", "--", former)
    XCTAssertEqual(try bed.list(.sealing).map { $0[0] }, [next])
    // The server that still runs has both keys and works too.
    for server in [server, try bed.server()] {
      for wallet in [used, unused] {
        XCTAssertFalse(try bed.check(wallet, pin: "271828", at: server).isRight)
        XCTAssertTrue(try bed.check(wallet, at: server).isRight)
      }
    }
  }

  func testReplacesTheConfigurationSigningKeyOnceAppsContainTheNextOne() throws {
    let bed = try KeyTestBed()
    let role = KeyRole.configurationSigning
    let former = try bed.list(role)[0][0]
    let next = try bed.id("rotate", role.rawValue)
    let document = try Program.run(
      Program.provider, ["client-configuration", "--data", bed.harness.path],
      environment: bed.environment)
    let client = try WireJSON.decode(ClientConfiguration.self, from: Array(document.output.utf8))
    XCTAssertEqual(client.configurationSigningKeys.count, 3)
    XCTAssertTrue(client.configurationSigningKeys.map(\.id).contains(next))
    let refused = try bed.keys("promote", role.rawValue)
    XCTAssertTrue(refused.errors.contains("built in"), refused.errors)
    try bed.id("promote", role.rawValue, "--now")
    let early = try bed.keys("retire", role.rawValue, "--now", "--", former)
    XCTAssertTrue(early.errors.contains("signed the published configuration"), early.errors)
    let server = try bed.server()
    let answer = try Program.curl(try server.url() + Route.configuration)
    XCTAssertEqual(try SignedMessage(parsing: answer.output).keyID, next)
    let version = try bed.configuration(of: server).configurationVersion
    XCTAssertGreaterThan(
      version,
      try SignedMessage(parsing: client.configuration)
        .unverifiedContent(ConfigurationClaims.self).configurationVersion)
    try bed.id("retire", role.rawValue, "--now", "--", former)
    XCTAssertEqual(server.end(), 0)
    XCTAssertEqual(try bed.configuration(of: try bed.server()).configurationVersion, version)
  }

  func testOnlyOneOfManyConcurrentRotationsMakesAKey() async throws {
    let bed = try KeyTestBed()
    let (path, environment) = (bed.harness.path, bed.environment)
    let made = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 1...4 {
        group.addTask {
          try Program.run(
            Program.provider, ["keys", "rotate", "result", "--data", path],
            environment: environment
          ).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    XCTAssertEqual(made.sorted(), [0, 1, 1, 1])
    XCTAssertEqual(try bed.list(.result).count, 2)
  }

  func testKillDuringARotationLeavesTheOldOrTheNewList() throws {
    let bed = try KeyTestBed()
    let path = bed.harness.path
    let current = try bed.list(.result)[0][0]
    for round in 0..<24 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Program.provider)
      process.arguments = ["keys", "rotate", "result", "--data", path]
      process.environment = ProcessInfo.processInfo.environment.merging(bed.environment) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32(round) * 3000)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let list = try bed.list(.result)
      XCTAssertEqual(list.first?.prefix(2), [current, "current"])
      // If it was made before the kill, it is removed for the next round.
      if list.count == 2 { try bed.id("retire", "result", "--", list[1][0]) }
    }
    // No key is left in a temporary file once the file was written again.
    try bed.id("rotate", "result")
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/keys")
    XCTAssertEqual(names.filter { $0.hasPrefix("result") }, ["result.key"])
  }
}
