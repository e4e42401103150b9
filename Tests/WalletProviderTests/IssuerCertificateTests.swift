import Foundation
import ServerTestSupport
import WalletJOSE
import WalletProtocol
import WalletProvider
import WalletSignatures
import WalletTrust
import XCTest

/// The certificates of the keys that sign PIDs and status lists: what a start makes, and when it
/// makes them again.
final class IssuerCertificateTests: XCTestCase {
  private let path = NSTemporaryDirectory() + "provider-issuer-" + UUID().uuidString
  private let now = SystemWallClock().now / 1000
  private static let day: Int64 = 24 * 3600

  override func tearDown() { try? FileManager.default.removeItem(atPath: path) }

  private func settings(_ url: String = "https://wallet.example.org") throws -> ProviderSettings {
    var settings = ProviderSettings()
    settings.publicURL = try PublicURL(url)
    settings.pidType = PIDType.standard(at: settings.publicURL)
    settings.proofing.issuingAuthority = "Example"
    settings.proofing.issuingCountry = "NL"
    return settings
  }

  private func open(_ settings: ProviderSettings, after days: Int64 = 0) throws -> DataDirectory {
    try DataDirectory(path: path, settings: settings, now: now + days * Self.day)
  }

  private func file(_ name: String) -> String { "\(path)/keys/\(name)" }

  /// What a wallet makes of the published anchors.
  private func anchors(_ directory: DataDirectory) -> TrustAnchors {
    let read = TrustAnchors.readable(in: directory.configuration.claims.trustAnchors)
    XCTAssertEqual(read.unreadable, 0)
    return read.anchors
  }

  func testAWalletTrustsTheSignersOfAFirstStartForTheTypeAlone() throws {
    let directory = try open(try settings())
    let (keys, anchors) = (directory.identity.keys, anchors(directory))
    let signer = keys.documentSigner
    let leaf = try anchors.judge(chain: signer.chain, role: .issuer, now: now)
    XCTAssertTrue(leaf.mayIssue(["https://wallet.example.org/types/pid/1"]))
    XCTAssertFalse(leaf.mayIssue(["urn:example:other"]))
    XCTAssertEqual(leaf.organizationName, "Example")
    XCTAssertEqual(leaf.dnsNames, ["wallet.example.org"])
    XCTAssertEqual(leaf.uris, ["https://wallet.example.org"])
    // The chain is that of the key.
    let text = try CompactJWS.sign(
      Array("{}".utf8), type: "dc+sd-jwt", chain: signer.chain, signer: signer.signer)
    XCTAssertNoThrow(try CompactJWS(parsing: text).verify(type: "dc+sd-jwt", by: leaf.verifier))
    // A PID of 90 days that is signed on the last day before a start renews the certificate.
    XCTAssertGreaterThan(signer.notAfter, now + 700 * Self.day)

    let status = keys.statusSigner
    XCTAssertNoThrow(try anchors.judge(chain: status.chain, role: .statusList, now: now))
    XCTAssertNotEqual(status.signer.id, signer.signer.id)
    for (chain, role) in [(signer.chain, TrustRole.statusList), (status.chain, .issuer)] {
      XCTAssertThrowsError(try anchors.judge(chain: chain, role: role, now: now)) {
        XCTAssertEqual($0 as? TrustError, .purposeRefused)
      }
    }
    for role in [TrustRole.relyingParty, .registrar] {
      XCTAssertThrowsError(try anchors.judge(chain: signer.chain, role: role, now: now)) {
        XCTAssertEqual($0 as? TrustError, .anchorUnknown)
      }
    }
    // A second start changes nothing.
    let again = try open(try settings())
    XCTAssertEqual(again.identity.keys.documentSigner.chain, signer.chain)
    XCTAssertEqual(again.configuration, directory.configuration)
  }

  func testAnAddressIsNamedAsOne() throws {
    for (url, address) in [
      ("http://127.0.0.1:8740", "IP Address:127.0.0.1"),
      ("https://[2001:db8::1]/wallet", "IP Address:2001:DB8:0:0:0:0:0:1"),
    ] {
      _ = try open(try settings(url))
      let shown = try Program.run(
        "/usr/bin/env",
        [
          "openssl", "x509", "-in", file("document-signer.pem"), "-noout", "-ext", "subjectAltName",
        ])
      XCTAssertTrue(shown.output.contains("\(address), URI:\(url)\n"), shown.output)
    }
  }

  func testMakesACertificateAnewWhenItEndsSoonOrHasOtherNames() throws {
    let first = try open(try settings()).identity.keys
    // 730 days, of which 120 must be left.
    let early = try open(try settings(), after: 609).identity.keys
    XCTAssertEqual(early.documentSigner.chain, first.documentSigner.chain)
    let late = try open(try settings(), after: 611)
    let keys = late.identity.keys
    XCTAssertNotEqual(keys.documentSigner.chain, first.documentSigner.chain)
    XCTAssertNotEqual(keys.statusSigner.chain, first.statusSigner.chain)
    XCTAssertEqual(keys.documentSigner.signer.id, first.documentSigner.signer.id)
    XCTAssertEqual(keys.issuerAuthorities, first.issuerAuthorities)
    XCTAssertNoThrow(
      try anchors(late).judge(
        chain: keys.documentSigner.chain, role: .issuer, now: now + 611 * Self.day))

    var renamed = try settings()
    renamed.proofing.issuingAuthority = "Another"
    let other = try open(renamed, after: 611)
    let leaf = try anchors(other).judge(
      chain: other.identity.keys.documentSigner.chain, role: .issuer, now: now + 611 * Self.day)
    XCTAssertEqual(leaf.organizationName, "Another")
    // A command leaves certificates as they are, whatever its settings.
    let command = try DataDirectory(path: path, settings: settings(), publish: false)
    XCTAssertEqual(
      command.identity.keys.documentSigner.chain, other.identity.keys.documentSigner.chain)
  }

  func testRunsWithoutTheKeyOfTheAuthorityUntilTheChainsEnd() throws {
    _ = try open(try settings())
    try FileManager.default.removeItem(atPath: file("issuer-authority.key"))
    XCTAssertNoThrow(try open(try settings(), after: 700))
    XCTAssertThrowsError(try open(try settings(), after: 731)) {
      XCTAssertTrue("\($0)".contains("one has expired"), "\($0)")
    }
    // Another name does not end a chain that only the authority can replace.
    var renamed = try settings()
    renamed.proofing.issuingAuthority = "Another"
    XCTAssertNoThrow(try open(renamed))
    try FileManager.default.removeItem(atPath: file("status-signer.pem"))
    XCTAssertThrowsError(try open(try settings())) {
      XCTAssertTrue(
        "\($0)".contains("\(file("status-signer.pem")) has no certificate for the current"),
        "\($0)")
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: file("issuer-authority.key")))
  }

  func testMakesLostCertificatesAgainWithTheKeyOfTheAuthority() throws {
    let first = try open(try settings())
    for name in ["document-signer.pem", "status-signer.pem"] {
      try FileManager.default.removeItem(atPath: file(name))
    }
    let second = try open(try settings())
    XCTAssertEqual(second.configuration, first.configuration)
    XCTAssertNoThrow(
      try anchors(second).judge(
        chain: second.identity.keys.documentSigner.chain, role: .issuer, now: now))
    // Another certificate of the same key is another anchor.
    try FileManager.default.removeItem(atPath: file("issuer-authority.pem"))
    let third = try open(try settings())
    XCTAssertEqual(third.configuration.claims.configurationVersion, 2)
    XCTAssertNoThrow(
      try anchors(third).judge(
        chain: third.identity.keys.statusSigner.chain, role: .statusList, now: now))
  }

  func testAnOperatorsEntryForTheOwnAuthorityAddsItsTypes() throws {
    var settings = try settings()
    let first = try open(settings)
    var given = try XCTUnwrap(first.configuration.claims.trustAnchors.first)
    given.types = ["urn:example:card", settings.pidType]
    settings.trustAnchors = [given]
    let second = try open(settings)
    XCTAssertEqual(second.configuration.claims.trustAnchors.count, 2)
    let leaf = try anchors(second).judge(
      chain: second.identity.keys.documentSigner.chain, role: .issuer, now: now)
    XCTAssertTrue(leaf.mayIssue(["urn:example:card", settings.pidType]))
  }

  func testRefusesMoreAnchorsThanWalletsReadTogetherWithItsOwn() throws {
    var settings = try settings()
    settings.trustAnchors = try (0..<255).map { number in
      PublishedAnchor(
        name: "\(number)", role: "registrar", certificate: try TestAuthority("\(number)").text,
        notBefore: 0, notAfter: 1)
    }
    XCTAssertThrowsError(try open(settings)) {
      XCTAssertTrue("\($0)".contains("wallets would refuse the trust anchors"), "\($0)")
    }
  }

  // MARK: Rotation

  func testANewAuthorityIsAnnouncedUsedAndThenReplacesTheFormerOne() throws {
    let rotation = KeyRotation(directory: path, settings: try settings())
    let first = try open(try settings())
    let former = try XCTUnwrap(rotation.keys().first { $0.role == .issuerAuthority })
    let next = try rotation.rotate(.issuerAuthority, now: now)
    func promote(_ directory: DataDirectory, urgent: Bool = false) throws -> String {
      try rotation.promote(
        .issuerAuthority, published: directory.configuration, now: now + 8 * Self.day,
        isUrgent: urgent)
    }
    XCTAssertThrowsError(try promote(first)) {
      XCTAssertTrue("\($0)".contains("is not published yet"), "\($0)")
    }
    let announced = try open(try settings())
    XCTAssertEqual(announced.configuration.claims.trustAnchors.count, 4)
    XCTAssertEqual(
      announced.identity.keys.documentSigner.chain, first.identity.keys.documentSigner.chain)
    XCTAssertEqual(try promote(announced), next)
    let retire = { [self] (directory: DataDirectory) in
      try rotation.retire(
        .issuerAuthority, id: former.id, sealedRows: 0, published: directory.configuration,
        now: now, isUrgent: true)
    }
    XCTAssertThrowsError(try retire(announced)) {
      XCTAssertTrue("\($0)".contains("start a server, which makes another"), "\($0)")
    }
    let used = try open(try settings())
    XCTAssertNotEqual(
      used.identity.keys.documentSigner.chain, first.identity.keys.documentSigner.chain)
    // Wallets of before know the next authority already.
    XCTAssertNoThrow(
      try anchors(announced).judge(
        chain: used.identity.keys.documentSigner.chain, role: .issuer, now: now))
    try retire(used)
    let last = try open(try settings())
    XCTAssertEqual(last.configuration.claims.trustAnchors.count, 2)
    XCTAssertNoThrow(
      try anchors(last).judge(
        chain: last.identity.keys.documentSigner.chain, role: .issuer, now: now))
  }

  func testASignerIsRotatedWithACertificateOfItsOwn() throws {
    let rotation = KeyRotation(directory: path, settings: try settings())
    let first = try open(try settings())
    let next = try rotation.rotate(.documentSigner, now: now)
    let announced = try open(try settings())
    XCTAssertEqual(announced.identity.keys.documentSigners.all.map(\.signer.id).last, next)
    XCTAssertEqual(
      announced.identity.keys.documentSigner.chain, first.identity.keys.documentSigner.chain)
    _ = try rotation.promote(
      .documentSigner, published: announced.configuration, now: now, isUrgent: true)
    let promoted = try open(try settings()).identity.keys
    XCTAssertEqual(promoted.documentSigner.signer.id, next)
    XCTAssertEqual(promoted.documentSigners.others.count, 1)
  }

  func testASignerWithoutACertificateIsNotPromoted() throws {
    let rotation = KeyRotation(directory: path, settings: try settings())
    let directory = try open(try settings())
    try FileManager.default.removeItem(atPath: file("issuer-authority.key"))
    let next = try rotation.rotate(.statusSigner, now: now)
    XCTAssertThrowsError(
      try rotation.promote(
        .statusSigner, published: directory.configuration, now: now, isUrgent: true)
    ) { XCTAssertTrue("\($0)".contains("\(next) has no certificate"), "\($0)") }
    XCTAssertNoThrow(try open(try settings()))
    XCTAssertEqual(
      try rotation.keys().filter { $0.role == .issuerAuthority }.map(\.state), [.offline])
  }
}
