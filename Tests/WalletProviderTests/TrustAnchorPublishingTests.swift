import Foundation
import ServerTestSupport
import WalletConfiguration
import WalletPlatform
import WalletProtocol
import WalletProvider
import WalletProviderServer
import WalletTrust
import XCTest

/// Trust anchors from the setting of an operator to a wallet.
final class TrustAnchorPublishingTests: XCTestCase {
  private let directory = NSTemporaryDirectory() + "provider-trust-" + UUID().uuidString
  private var data: String { directory + "/data" }
  private var file: String { directory + "/anchors.json" }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: directory) }

  private func write(_ entries: [[String: Any]]) throws {
    try JSONSerialization.data(withJSONObject: ["anchors": entries])
      .write(to: URL(fileURLWithPath: file))
  }

  private func entry(_ authority: TestAuthority, _ role: TrustRole) -> [String: Any] {
    var entry: [String: Any] = [
      "name": "Authority of \(role.rawValue)", "role": role.rawValue, "certificate": authority.pem,
      "from": "2026-01-01", "until": "2026-12-31",
    ]
    if role == .issuer { entry["types"] = ["urn:example:card"] }
    return entry
  }

  /// What a wallet makes of the configuration that a start with the file publishes.
  private func start() throws -> ConfigurationRepository {
    let settings = try ServerSettings(options: [.trustAnchors: file])
    var provider = settings.provider
    provider.trustAnchors = try settings.readTrustAnchors()
    let client = try DataDirectory(path: data, settings: provider)
      .clientConfiguration(url: "https://provider.example")
    let anchor = try ConfigurationAnchor(document: WireJSON.encode(client), pinnedKeys: [])
    return ConfigurationRepository(anchor: anchor, log: .silent, onChange: { _ in })
  }

  func testAnchorsOfEachRoleReachTheWalletAndJudgeChains() throws {
    let authorities = try TrustRole.allCases.map { ($0, try TestAuthority($0.rawValue)) }
    try write(authorities.map { entry($1, $0) })
    let anchors = try start().trustAnchors
    // 2026-01-01 and 2026-12-31, from the first second to the last.
    let (first, last): (Int64, Int64) = (1_767_225_600, 1_798_761_599)
    for (role, authority) in authorities {
      let chain = try authority.chain(of: "party")
      for now in [first, last] {
        let leaf = try anchors.judge(chain: chain, role: role, now: now)
        XCTAssertEqual(leaf.anchorName, "Authority of \(role.rawValue)")
        XCTAssertEqual(leaf.mayIssue(["urn:example:card"]), role == .issuer)
      }
      XCTAssertThrowsError(try anchors.judge(chain: chain, role: role, now: last + 1)) {
        XCTAssertEqual($0 as? TrustError, .anchorNotInForce)
      }
      for other in TrustRole.allCases where other != role {
        XCTAssertThrowsError(try anchors.judge(chain: chain, role: other, now: first)) {
          XCTAssertEqual($0 as? TrustError, .anchorUnknown)
        }
      }
    }
  }

  func testAChangedListIsTheNextVersion() throws {
    let (one, two) = (try TestAuthority("one"), try TestAuthority("two"))
    try write([])
    XCTAssertEqual(try start().current.configurationVersion, 1)
    try write([entry(one, .issuer)])
    let second = try start().current
    XCTAssertEqual(second.configurationVersion, 2)
    XCTAssertEqual(try start().current, second)
    try write([entry(one, .issuer), entry(two, .registrar)])
    let third = try start().current
    XCTAssertEqual(third.configurationVersion, 3)
    XCTAssertFalse(third.isSame(as: second))
    try write([])
    let last = try start()
    XCTAssertEqual(last.current.configurationVersion, 4)
    // Those of the provider's own authority stay.
    XCTAssertEqual(last.trustAnchors.anchors.map(\.role), [.issuer, .statusList])
  }

  func testCheckAndServeGiveTheSameReason() throws {
    let options = ["--data", data, "--port", "0", "--trust-anchors", file]
    var broken = entry(try TestAuthority("leaf", isAuthority: false), .registrar)
    let reason =
      "\(file) is not a list of trust anchors: anchor 1, \"Authority of registrar\": the certificate"
      + " is not that of an authority (basicConstraints CA)"
    try write([broken])
    let checked = try Program.run(Program.provider, ["check"] + options)
    XCTAssertEqual(checked.status, 1)
    let wrong = checked.output.split(separator: "\n").filter { $0.hasPrefix("wrong ") }
    XCTAssertEqual(wrong, ["wrong trust anchors: \(reason)"])
    let served = try Program.run(Program.provider, ["serve"] + options)
    XCTAssertEqual(served.errors, "Error: \(reason)\n")
    XCTAssertEqual(served.status, 1)
    XCTAssertFalse(FileManager.default.fileExists(atPath: data + "/provider-id"))
    // A command that publishes would refuse it too; others do not read it.
    let embedded = ["client-configuration", "--data", data]
    let variable = [SettingName.trustAnchors.environmentVariable: file]
    XCTAssertEqual(
      try Program.run(Program.provider, embedded, environment: variable).errors,
      "Error: \(reason)\n")
    broken["certificate"] = try TestAuthority("authority").pem
    try write([broken])
    let server = try ServerProcess(options)
    let answer = try Program.curl(try server.url() + Route.configuration).output
    let claims = try SignedMessage(parsing: answer).unverifiedContent(ConfigurationClaims.self)
    XCTAssertEqual(
      claims.trustAnchors.map(\.name),
      ["wallet-provider", "wallet-provider", "Authority of registrar"])
    XCTAssertEqual(server.end(), 0)
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    let listed = try Program.run(
      Program.provider, ["wallet", "list", "--data", data], environment: variable)
    XCTAssertEqual(listed.status, 0, listed.errors)
  }

  func testCheckSaysHowManyAnchorsCount() throws {
    var entries = [
      entry(try TestAuthority("one"), .issuer), entry(try TestAuthority("two"), .issuer),
    ]
    for (index, until) in ["2099-12-31", "2026-01-02"].enumerated() {
      entries[index]["until"] = until
    }
    for (count, line) in [
      (1, "ok trust anchors: \(file): 1, of which 1 count today"),
      (2, "note trust anchors: \(file): 2, of which 1 count today"),
    ] {
      try write(Array(entries.prefix(count)))
      let checked = try Program.run(
        Program.provider, ["check", "--data", data, "--port", "0", "--trust-anchors", file])
      XCTAssertEqual(checked.status, 0, checked.output)
      XCTAssertTrue(checked.output.contains(line + "\n"), checked.output)
    }
    let none = try Program.run(Program.provider, ["check", "--data", data, "--port", "0"])
    XCTAssertTrue(none.output.contains("ok trust anchors: none"), none.output)
  }
}
