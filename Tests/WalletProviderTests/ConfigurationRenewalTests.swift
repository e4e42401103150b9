import HTTPTypes
import HummingbirdTesting
import NIOCore
import WalletProtocol
import WalletProvider
import XCTest

/// How the provider keeps what it publishes from growing old.
final class ConfigurationRenewalTests: XCTestCase {
  private static let day: Int64 = 86_400

  private static func claims(_ compact: String) throws -> ConfigurationClaims {
    try SignedMessage(parsing: compact).unverifiedContent(ConfigurationClaims.self)
  }

  func testSignsAnewEverySeventhOfTheValidityUnderTheSameVersion() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness) { http in
      var tags: Set<String> = []
      for _ in 1...28 {
        let answer = try await http.get(Route.configuration)
        let tag = try XCTUnwrap(answer.headers[.eTag])
        let claims = try Self.claims(String(buffer: answer.body))
        let left = try XCTUnwrap(claims.validUntil) - harness.clock.now / 1000
        XCTAssertTrue((6 * Self.day...7 * Self.day).contains(left), "\(left)")
        XCTAssertEqual(claims.configurationVersion, 1)
        XCTAssertTrue(claims.isSame(as: harness.configuration))
        let again = try await http.get(Route.configuration, headers: [.ifNoneMatch: tag])
        XCTAssertEqual(again.status, .notModified)
        tags.insert(tag)
        harness.clock.advance(Self.day * 250)
      }
      XCTAssertTrue((7...8).contains(tags.count), "\(tags.count)")
    }
  }

  func testReplicasMakeTheSameBytes() async throws {
    let harness = try ProviderHarness()
    let (first, second) = (harness.provider, try harness.secondProvider())
    let published = harness.directory.configuration
    for _ in 1...3 {
      let own = try await first.current(published)
      let other = try await second.current(published)
      XCTAssertEqual(own.compact, other.compact)
      XCTAssertEqual(own.entityTag, other.entityTag)
      harness.clock.advance(Self.day * 1000)
    }
  }

  func testTheSettingShortensTheValidity() async throws {
    var settings = ProviderSettings()
    settings.configurationValidity = 3_600_000
    let harness = try ProviderHarness(settings: settings)
    let current = try await harness.provider.current(harness.directory.configuration)
    let left = try XCTUnwrap(current.claims.validUntil) - harness.clock.now / 1000
    XCTAssertTrue((3600 - 515...3600).contains(left), "\(left)")
    for refused in [3_599_999, 604_800_001] as [Int64] {
      settings.configurationValidity = refused
      XCTAssertThrowsError(try settings.validate())
    }
  }

  func testThePolicyNamesTheServedConfigurationAndTheNonceOfItsRequest() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness) { http in
      let header = try XCTUnwrap(HTTPField.Name(Route.nonceHeader))
      for byte in [1, 2] as [UInt8] {
        let nonce = Base64URL.encode([UInt8](repeating: byte, count: Route.nonceLength))
        let served = try await http.get(Route.configuration)
        let answer = try await http.get(Route.updatePolicy, headers: [header: nonce])
        let policy = try SignedMessage(parsing: String(buffer: answer.body))
          .unverifiedContent(UpdatePolicyClaims.self)
        XCTAssertEqual(policy.nonce, nonce)
        XCTAssertEqual(policy.configurationVersion, 1)
        XCTAssertEqual("\"\(policy.configurationHash ?? "")\"", served.headers[.eTag])
        XCTAssertEqual(policy.validUntil, policy.issuedAt + 7 * Self.day)
      }
      for malformed in ["", "x", Base64URL.encode([UInt8](repeating: 1, count: 15)), "é"] {
        let answer = try await http.get(Route.updatePolicy, headers: [header: malformed])
        XCTAssertEqual(answer.problemKind(), .malformedRequest, malformed)
      }
    }
  }
}
