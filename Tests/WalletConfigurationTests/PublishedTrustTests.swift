import Foundation
import ServerTestSupport
import WalletConfiguration
import WalletCrypto
import WalletPlatform
import WalletProtocol
import WalletStorage
import WalletTrust
import XCTest

/// What the configuration says of trust anchors and use keys.
final class PublishedTrustTests: XCTestCase {
  private let now: Int64 = 1_800_000_000
  private var publisher: Publisher!
  private var directory: StorageDirectory!
  private var path: String!

  override func setUpWithError() throws {
    publisher = try Publisher()
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("trust-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    directory = try StorageDirectory(path: path)
  }

  override func tearDown() {
    directory.release()
    try? FileManager.default.removeItem(atPath: path)
  }

  private func repository(log: Log = .silent) throws -> ConfigurationRepository {
    let repository = ConfigurationRepository(
      anchor: try ConfigurationAnchor(document: publisher.document(), pinnedKeys: []), log: log,
      onChange: { _ in })
    repository.load(from: directory)
    return repository
  }

  private func entry(_ authority: TestAuthority, _ role: String) -> PublishedAnchor {
    PublishedAnchor(
      name: "Authority", role: role, types: role == "issuer" ? ["urn:example:card"] : [],
      certificate: authority.text, notBefore: now - 1, notAfter: now + 1)
  }

  private func claims(_ version: UInt64, _ anchors: [PublishedAnchor]) -> ConfigurationClaims {
    var claims = publisher.claims(version)
    claims.trustAnchors = anchors
    return claims
  }

  func testTheAnchorsAreThoseOfTheConfigurationInForce() throws {
    let authority = try TestAuthority("authority")
    let chain = try authority.chain(of: "party")
    let first = try repository()
    XCTAssertEqual(first.trustAnchors.anchors.count, 0)
    let entries = TrustRole.allCases.map { entry(authority, $0.rawValue) }
    XCTAssertEqual(
      try first.accept(publisher.compact(claims(6, entries)), etag: nil), .newer)
    for repository in [first, try repository()] {
      for role in TrustRole.allCases {
        let leaf = try repository.trustAnchors.judge(chain: chain, role: role, now: now)
        XCTAssertEqual(leaf.anchorName, "Authority")
        XCTAssertEqual(leaf.mayIssue(["urn:example:card"]), role == .issuer)
      }
    }
    // A renewal is of the same version and has the same anchors.
    var renewed = claims(6, entries)
    renewed.validUntil = now
    XCTAssertEqual(try first.accept(publisher.compact(renewed), etag: nil), .unchanged)
    XCTAssertEqual(first.trustAnchors.anchors.count, TrustRole.allCases.count)
    // What is refused does not change them.
    XCTAssertEqual(try first.accept(publisher.compact(claims(5, [])), etag: nil), .refused)
    XCTAssertEqual(try first.accept(publisher.compact(claims(6, [])), etag: nil), .refused)
    XCTAssertEqual(first.trustAnchors.anchors.count, TrustRole.allCases.count)
    XCTAssertEqual(try first.accept(publisher.compact(claims(7, [])), etag: nil), .newer)
    XCTAssertThrowsError(
      try first.trustAnchors.judge(chain: chain, role: .issuer, now: now))
  }

  func testAnchorsOfAnEmbeddedConfigurationCountWithoutNetwork() throws {
    let authority = try TestAuthority("authority")
    let embedded = try publisher.compact(claims(5, [entry(authority, "registrar")]))
    let document = try publisher.document { $0.configuration = embedded }
    let repository = ConfigurationRepository(
      anchor: try ConfigurationAnchor(document: document, pinnedKeys: []), log: .silent,
      onChange: { _ in })
    XCTAssertNoThrow(
      try repository.trustAnchors.judge(
        chain: authority.chain(of: "party"), role: .registrar, now: now))
  }

  func testAnchorsThatThisVersionCannotReadDoNotKeepANewerConfigurationAway() throws {
    let lines = Monitor<[String]>([])
    let repository = try repository(
      log: Log(limit: .debug) { _, _, line in lines.update { $0.append(line) } })
    let authority = try TestAuthority("authority")
    var later = entry(authority, "later")
    later.certificate = "none that this version knows"
    let good = entry(authority, "issuer")
    XCTAssertEqual(
      try repository.accept(publisher.compact(claims(6, [later, good])), etag: nil), .newer)
    XCTAssertEqual(repository.trustAnchors.anchors.map(\.role), [.issuer])
    XCTAssertEqual(lines.withLock { $0 }, [], "an unknown role is nothing to log")
    var broken = entry(authority, "registrar")
    broken.certificate = "MAA="
    XCTAssertEqual(
      try repository.accept(publisher.compact(claims(7, [broken, good])), etag: nil), .newer)
    XCTAssertEqual(repository.current.configurationVersion, 7)
    XCTAssertEqual(repository.trustAnchors.anchors.map(\.role), [.issuer])
    XCTAssertEqual(
      lines.withLock { $0 },
      ["Unreadable trust anchors of the configuration, which do not count: 1."])
  }

  func testAConfigurationWithMoreAnchorsThanAnyHasIsRefused() throws {
    let repository = try repository()
    let later = PublishedAnchor(
      name: "n", role: "later", certificate: "", notBefore: 0, notAfter: 0)
    for (count, acceptance) in [(257, ConfigurationRepository.Acceptance.refused), (256, .newer)] {
      let many = claims(6, [PublishedAnchor](repeating: later, count: count))
      XCTAssertEqual(try repository.accept(publisher.compact(many), etag: nil), acceptance)
    }
  }

  func testUseKeysMustBeWellFormed() throws {
    let repository = try repository()
    let key = PublishedKey(id: "k", key: Base64URL.encode([UInt8](repeating: 7, count: 32)))
    for bad in [[key, key], [PublishedKey(id: "k", key: "AA")]] {
      var claims = publisher.claims(6)
      claims.useKeys = bad
      XCTAssertEqual(try repository.accept(publisher.compact(claims), etag: nil), .refused)
    }
    var claims = publisher.claims(6)
    claims.useKeys = [key]
    XCTAssertEqual(try repository.accept(publisher.compact(claims), etag: nil), .newer)
    XCTAssertEqual(repository.current.useKeys, [key])
  }

  func testAConfigurationWithoutTheMembersIsRefused() throws {
    let repository = try repository()
    let whole = publisher.claims(6)
    for member in [#""trust_anchors":[],"#, #""use_keys":[],"#] {
      let parts = try publisher.compact(whole).split(separator: ".")
      let text = String(decoding: Base64URL.decode(parts[1]) ?? [], as: UTF8.self)
      XCTAssertTrue(text.contains(member))
      let less = text.replacing(member, with: "")
      let input = parts[0] + "." + Base64URL.encode(Array(less.utf8))
      let signature = publisher.online.sign(Array(input.utf8))
      let compact = input + "." + Base64URL.encode(signature)
      XCTAssertEqual(try repository.accept(String(compact), etag: nil), .refused, member)
    }
    XCTAssertEqual(try repository.accept(publisher.compact(whole), etag: nil), .newer)
  }
}
