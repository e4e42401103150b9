import CWalletCore
import Foundation
import WalletProtocol
import XCTest

/// Kill -9 at every write of a refresh of configuration and update policy.
final class KillRefreshTests: XCTestCase {
  private static let points = KillPoints.all.filter { $0.contains("replace-file") }

  private func publish(_ grade: String?, _ provider: TestProvider) throws {
    try provider.control("/update-policy", ["rules": grade.map { [["grade": $0]] } ?? []])
  }

  /// The file's content, which must be whole; nil where there is none.
  private func stored(_ name: String, _ host: KillHost) throws -> [String: Any]? {
    guard let data = try? Data(contentsOf: host.storage.appendingPathComponent(name)) else {
      return nil
    }
    return try XCTUnwrap(
      try JSONSerialization.jsonObject(with: data) as? [String: Any], "\(name) is not whole")
  }

  private func storedVersion(_ host: KillHost) throws -> UInt64? {
    guard let compact = try stored("configuration.json", host)?["configuration"] as? String else {
      return nil
    }
    return try SignedMessage(parsing: compact).unverifiedContent(ConfigurationClaims.self)
      .configurationVersion
  }

  private func assertSoundStart(
    _ host: KillHost, isRegistered: Bool, _ what: String, line: UInt = #line
  ) throws {
    let report = try host.run()
    XCTAssertEqual([report.start, report.look], [0, 0], what, line: line)
    XCTAssertEqual(report.isRegistered, isRegistered, what, line: line)
  }

  func testW4AKillInTheFirstRefreshLeavesNoFileOrAWholeOne() throws {
    let provider = try TestProvider()
    for point in Self.points {
      let host = try KillHost(configuration: provider.clientConfiguration())
      defer { host.remove() }
      XCTAssertTrue(try host.run(.awaitKill, killAt: point).isKilled, point)
      XCTAssertEqual(try storedVersion(host), point.contains("before") ? nil : 1, point)
      try assertSoundStart(host, isRegistered: false, point)
      try publish("recommend", provider)
      _ = try host.run(.awaitGrade(Int32(WALLET_CORE_VERSION_RECOMMEND)))
      XCTAssertEqual(try storedVersion(host), 1, point)
      try publish(nil, provider)
    }
  }

  func testW4AKillInALaterRefreshLeavesTheOldConfigurationOrTheNewOne() throws {
    let provider = try TestProvider()
    try publish("recommend", provider)
    let host = try KillHost(configuration: provider.clientConfiguration())
    defer { host.remove() }
    XCTAssertEqual(try host.run(.register("142032")).completions, [.done])
    _ = try host.run(.awaitGrade(Int32(WALLET_CORE_VERSION_RECOMMEND)))
    try assertPolicyKills(host, provider)
    // Without a stored policy, the configuration is the first file that a start replaces.
    try FileManager.default.removeItem(
      at: host.storage.appendingPathComponent("update-policy.json"))
    let old = try XCTUnwrap(storedVersion(host))
    let port = provider.port
    provider.stop()
    setenv("WALLET_PROVIDER_INACTIVE_SECONDS", "299", 1)
    defer { unsetenv("WALLET_PROVIDER_INACTIVE_SECONDS") }
    try provider.start(port: port)
    for point in Self.points {
      XCTAssertTrue(try host.run(.awaitKill, killAt: point).isKilled, point)
      XCTAssertEqual(try storedVersion(host), point.contains("before") ? old : old + 1, point)
      // Offline, so that nothing but the files decides.
      let port = provider.port
      provider.kill()
      try assertSoundStart(host, isRegistered: true, point)
      try provider.start(port: port)
    }
    XCTAssertEqual(try host.run(.unlock("142032")).completions, [.valid])
    XCTAssertEqual(try storedVersion(host), old + 1)
  }

  /// With a stored policy, a start first writes down what time it is, then the policy fetched.
  private func assertPolicyKills(_ host: KillHost, _ provider: TestProvider) throws {
    for point in Self.points {
      XCTAssertTrue(try host.run(.awaitKill, killAt: point).isKilled, point)
      XCTAssertNotNil(try stored("update-policy.json", host)?["policy"], point)
      try assertSoundStart(host, isRegistered: true, point)
      XCTAssertEqual(try host.run(.unlock("142032")).completions, [.valid], point)
    }
  }
}
