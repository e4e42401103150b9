import Foundation
import WalletProvider
import XCTest

@testable import WalletProviderServer

final class LimitSettingsTests: XCTestCase {
  func testReadsEachLimitFromItsOption() throws {
    let settings = try ServerSettings(options: [
      .bodyBytes: "2048", .headerBytes: "4096", .headerSeconds: "1", .bodySeconds: "2",
      .idleSeconds: "3", .shutdownSeconds: "4", .maxConnections: "5", .connectionsPerAddress: "6",
      .requestsInProgress: "7", .addressRate: "8", .addressBurst: "9", .walletRate: "10",
      .walletBurst: "11", .enrolRate: "12", .enrolBurst: "13", .limitEntries: "1400",
      .proxyHeader: "forwarded", .trustedProxies: "10.0.0.0/8,::1",
      .metricsPort: "15", .metricsHost: "::1",
      .registrationRate: "16", .registrationBurst: "17",
    ])
    var expected = LimitSettings()
    expected.bodyBytes = 2048
    expected.headerBytes = 4096
    expected.headerSeconds = 1
    expected.bodySeconds = 2
    expected.idleSeconds = 3
    expected.shutdownSeconds = 4
    expected.connections = 5
    expected.connectionsPerAddress = 6
    expected.requestsInProgress = 7
    expected.address = RateLimit(perMinute: 8, burst: 9)
    expected.wallet = RateLimit(perMinute: 10, burst: 11)
    expected.registration = RateLimit(perMinute: 16, burst: 17)
    expected.enrolment = RateLimit(perMinute: 12, burst: 13)
    expected.entries = 1400
    XCTAssertEqual(settings.limits, expected)
    XCTAssertEqual(settings.proxyHeader, .forwarded)
    XCTAssertEqual(settings.trustedProxies.map(\.text), ["10.0.0.0/8", "::1"])
    XCTAssertEqual(settings.metricsPort, 15)
    XCTAssertEqual(settings.metricsHost, "::1")
  }

  func testDefaultsMatchTheArticle() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent("Sources/wallet_core/wallet_core.docc/limits.md"),
      encoding: .utf8)
    var told: Set<SettingName> = []
    for row in article.split(separator: "\n") where row.hasPrefix("| `--") {
      let columns = row.split(separator: "|").map { $0.split { " ,`".contains($0) } }
      XCTAssertEqual(columns[0].count, columns[1].count, String(row))
      for (option, value) in zip(columns[0], columns[1]) {
        let name = try XCTUnwrap(SettingName(rawValue: String(option.dropFirst(2))))
        XCTAssertEqual(name.setting.standardText, String(value), name.rawValue)
        told.insert(name)
      }
    }
    let limits = SettingName.allCases.filter { $0.setting.section == .limits }
    XCTAssertEqual(told, Set(limits).subtracting([.proxyHeader, .trustedProxies]))
  }

  func testRefusesALimitOutOfRangeByName() {
    for (name, value) in [
      (SettingName.bodyBytes, "1023"), (.headerBytes, "1048577"), (.headerSeconds, "0"),
      (.maxConnections, "0"), (.requestsInProgress, "0"), (.addressBurst, "0"),
      (.walletRate, "60000001"), (.limitEntries, "999"), (.metricsPort, "65536"),
      (.proxyHeader, "x-real-ip"), (.trustedProxies, "proxy.example"), (.trustedProxies, "::1,"),
    ] {
      XCTAssertThrowsError(try ServerSettings(options: [name: value])) {
        XCTAssertTrue("\($0)".contains(name.option), "\($0)")
      }
    }
  }
}
