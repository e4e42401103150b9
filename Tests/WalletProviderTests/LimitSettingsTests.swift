import WalletProvider
import XCTest

@testable import WalletProviderServer

final class LimitSettingsTests: XCTestCase {
  func testEachLimitIsReadFromItsOption() throws {
    let settings = try ServerSettings(options: [
      .bodyBytes: "2048", .headerBytes: "4096", .headerSeconds: "1", .bodySeconds: "2",
      .idleSeconds: "3", .shutdownSeconds: "4", .maxConnections: "5", .connectionsPerAddress: "6",
      .requestsInProgress: "7", .addressRate: "8", .addressBurst: "9", .walletRate: "10",
      .walletBurst: "11", .enrolRate: "12", .enrolBurst: "13", .limitEntries: "1400",
      .proxyHeader: "forwarded", .metricsPort: "15", .metricsHost: "::1",
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
    expected.enrolment = RateLimit(perMinute: 12, burst: 13)
    expected.entries = 1400
    XCTAssertEqual(settings.limits, expected)
    XCTAssertEqual(settings.proxyHeader, .forwarded)
    XCTAssertEqual(settings.metricsPort, 15)
    XCTAssertEqual(settings.metricsHost, "::1")
  }

  func testTheDefaultsAreThoseOfTheArticle() throws {
    let settings = ServerSettings()
    XCTAssertEqual(settings.limits, LimitSettings())
    XCTAssertNil(settings.metricsPort)
    XCTAssertEqual(settings.proxyHeader, .xForwardedFor)
  }

  func testALimitOutOfItsRangeIsRefusedByName() {
    for (name, value) in [
      (SettingName.bodyBytes, "1023"), (.headerBytes, "1048577"), (.headerSeconds, "0"),
      (.maxConnections, "0"), (.requestsInProgress, "0"), (.addressBurst, "0"),
      (.walletRate, "60000001"), (.limitEntries, "999"), (.metricsPort, "65536"),
      (.proxyHeader, "x-real-ip"),
    ] {
      XCTAssertThrowsError(try ServerSettings(options: [name: value])) {
        XCTAssertTrue("\($0)".contains(name.option), "\($0)")
      }
    }
  }
}
