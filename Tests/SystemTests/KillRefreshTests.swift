import CWalletCore
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// Kill -9 at every write of a refresh of configuration and update policy.
final class KillRefreshTests: XCTestCase {
  private static let ofConfiguration = KillPoints.replacement(of: "configuration.json")
  private static let ofPolicy = KillPoints.replacement(of: "update-policy.json")

  private func publish(_ grade: String?, _ provider: TestProvider) throws {
    try provider.control("/update-policy", ["rules": grade.map { [["grade": $0]] } ?? []])
  }

  /// The file's content, which must be complete; nil if there is no file.
  private func stored(_ name: String, _ host: KillHost) throws -> [String: Any]? {
    guard let data = try? Data(contentsOf: host.storage.appendingPathComponent(name)) else {
      return nil
    }
    return try XCTUnwrap(
      try JSONSerialization.jsonObject(with: data) as? [String: Any], "\(name) is not complete")
  }

  private func storedVersion(_ host: KillHost) throws -> UInt64? {
    guard let compact = try stored("configuration.json", host)?["configuration"] as? String else {
      return nil
    }
    return try SignedMessage(parsing: compact).unverifiedContent(ConfigurationClaims.self)
      .configurationVersion
  }

  /// The grades of the stored policy's rules; nil if there is no policy.
  private func storedGrades(_ host: KillHost) throws -> [UpdateRule.Grade]? {
    guard let compact = try stored("update-policy.json", host)?["policy"] as? String else {
      return nil
    }
    return try SignedMessage(parsing: compact).unverifiedContent(UpdatePolicyClaims.self)
      .rules.map(\.grade)
  }

  private func assertSoundStart(
    _ host: KillHost, isRegistered: Bool, _ what: String, line: UInt = #line
  ) throws {
    let report = try host.run()
    XCTAssertEqual([report.start, report.look], [0, 0], what, line: line)
    XCTAssertEqual(report.isRegistered, isRegistered, what, line: line)
  }

  func testAKillInTheFirstRefreshLeavesNoFileOrAWholeOne() throws {
    let provider = try TestProvider()
    for point in Self.ofConfiguration + Self.ofPolicy {
      let host = try KillHost(configuration: provider.clientConfiguration())
      defer { host.remove() }
      XCTAssertTrue(try host.run(.awaitKill, killAt: point).isKilled, point)
      // The update policy is fetched first.
      let isKnown = point != Self.ofPolicy[0]
      XCTAssertEqual(try storedGrades(host), isKnown ? [] : nil, point)
      XCTAssertEqual(try storedVersion(host), point == Self.ofConfiguration[1] ? 1 : nil, point)
      try assertSoundStart(host, isRegistered: false, point)
      try publish("recommend", provider)
      _ = try host.run(.awaitGrade(WALLET_CORE_GRADE_RECOMMEND))
      // The configuration is stored after the policy, and may be there already.
      if try storedVersion(host) != 1 {
        _ = try host.run(.awaitPass(Self.ofConfiguration[1]))
      }
      XCTAssertEqual(try storedVersion(host), 1, point)
      try publish(nil, provider)
    }
  }

  func testAKillInALaterRefreshLeavesTheOldConfigurationOrTheNewOne() throws {
    let provider = try TestProvider()
    let host = try KillHost(configuration: provider.clientConfiguration())
    defer { host.remove() }
    XCTAssertEqual(try host.run(.register("142032")).completions, [.done])
    let old = try XCTUnwrap(storedVersion(host))
    provider.stop()
    setenv("WALLET_PROVIDER_INACTIVE_SECONDS", "299", 1)
    defer { unsetenv("WALLET_PROVIDER_INACTIVE_SECONDS") }
    try provider.start()
    for point in Self.ofConfiguration {
      XCTAssertTrue(try host.run(.awaitKill, killAt: point).isKilled, point)
      XCTAssertEqual(
        try storedVersion(host), point == Self.ofConfiguration[0] ? old : old + 1, point)
      try assertSoundOfflineStart(host, provider, point)
    }
    XCTAssertEqual(try host.run(.unlock("142032")).completions, [.valid])
    XCTAssertEqual(try storedVersion(host), old + 1)
    XCTAssertEqual(try host.run(.wipe).completions, [.done])
    XCTAssertEqual(try host.platformKeys(), [])
  }

  /// With a stored policy, a start first stores the time, then the fetched policy.
  func testAKillInALaterRefreshLeavesTheOldPolicyOrTheNewOne() throws {
    let provider = try TestProvider()
    let host = try KillHost(configuration: provider.clientConfiguration())
    defer { host.remove() }
    let last = Self.ofPolicy[1]
    XCTAssertEqual(try host.run(.register("142032"), .awaitPass(last)).completions, [.done])
    XCTAssertEqual(try storedGrades(host), [])
    try publish("recommend", provider)
    for point in Self.ofPolicy + Self.ofPolicy.map({ $0 + "#2" }) {
      XCTAssertTrue(try host.run(.awaitKill, killAt: point).isKilled, point)
      XCTAssertEqual(try storedGrades(host), point == last + "#2" ? [.recommend] : [], point)
      try assertSoundOfflineStart(host, provider, point)
    }
    XCTAssertEqual(try host.run(.unlock("142032")).completions, [.valid])
    XCTAssertEqual(try host.run(.wipe).completions, [.done])
    XCTAssertEqual(try host.platformKeys(), [])
  }

  /// Starts offline, so that only the files decide.
  private func assertSoundOfflineStart(
    _ host: KillHost, _ provider: TestProvider, _ point: String
  ) throws {
    provider.kill()
    try assertSoundStart(host, isRegistered: true, point)
    try provider.start()
    try publish("recommend", provider)
  }
}
