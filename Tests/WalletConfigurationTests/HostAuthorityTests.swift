import ServerTestSupport
import WalletConfiguration
import WalletPlatform
import WalletProtocol
import XCTest

/// The authorities that certify the hosts of other parties for TLS.
final class HostAuthorityTests: XCTestCase {
  private let now: Int64 = 1_800_000_000

  private func authorities(_ anchors: [PublishedAnchor]) throws -> [UInt8]? {
    let publisher = try Publisher()
    var claims = publisher.claims(5)
    claims.trustAnchors = anchors
    let embedded = try publisher.compact(claims)
    let document = try publisher.document { $0.configuration = embedded }
    return ConfigurationRepository(
      anchor: try ConfigurationAnchor(document: document, pinnedKeys: []), log: .silent,
      onChange: { _ in }
    ).hostAuthorities(at: now)
  }

  private func entry(
    _ authority: TestAuthority, role: String = "tls", from: Int64 = -1, until: Int64 = 1
  ) -> PublishedAnchor {
    PublishedAnchor(
      name: "Authority", role: role, certificate: authority.text, notBefore: now + from,
      notAfter: now + until)
  }

  func testAuthoritiesOfTheConfigurationTakeThePlaceOfTheDevices() throws {
    let (one, two) = (try TestAuthority("one"), try TestAuthority("two"))
    XCTAssertNil(try authorities([]), "those of the device count")
    XCTAssertNil(try authorities([entry(one, role: "registrar"), entry(two, role: "status")]))
    let pem = String(
      decoding: try XCTUnwrap(
        try authorities([entry(one), entry(two), entry(one, role: "status")])),
      as: UTF8.self)
    XCTAssertEqual(pem.components(separatedBy: "-----BEGIN CERTIFICATE-----\n").count, 3)
    for authority in [one, two] {
      XCTAssertTrue(pem.replacingOccurrences(of: "\n", with: "").contains(authority.text))
    }
    XCTAssertTrue(pem.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
  }

  func testAuthoritiesThatDoNotCountDoNotBringBackThoseOfTheDevice() throws {
    let authority = try TestAuthority("authority")
    XCTAssertEqual(try authorities([entry(authority, from: 1, until: 2)]), [])
    XCTAssertEqual(try authorities([entry(authority, from: -2, until: -1)]), [])
    var broken = entry(authority)
    broken.certificate = "none that this version can read"
    XCTAssertEqual(try authorities([broken]), [])
  }
}
