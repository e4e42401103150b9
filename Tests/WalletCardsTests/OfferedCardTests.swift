import WalletAccount
import WalletCards
import WalletCredentials
import WalletModel
import WalletPlatform
import WalletProtocol
import XCTest

/// Which cards of other issuers the wallet takes, and what it keeps of them.
final class OfferedCardTests: XCTestCase {
  private func offer(
    _ device: CardDevice, _ issuer: TestIssuer, _ recipes: [TestIssuer.Recipe],
    now: Int64 = TestIssuer.now
  ) throws -> OfferedCard {
    let keys = try device.prepare(recipes.count)
    return try OfferedCard(
      zip(recipes, keys).map { try issuer.card($0, holder: $1.subjectKey) }, keys: keys,
      anchors: issuer.anchors, now: now)
  }

  func testACardIsTakenWithItsClaimsAndTheNameInTheCertificate() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init(), .init()])
    let content = try device.content(of: id)
    XCTAssertEqual(content.type, TestIssuer.type)
    XCTAssertEqual(content.issuer, "City Library")
    XCTAssertEqual(content.issuerURL, "https://library.example/issuer")
    XCTAssertEqual(content.display.name, "Library card")
    XCTAssertEqual(
      content.claims, ["loan_limit": .number("2.50"), "family_name": .string("Jansen")])
    XCTAssertEqual(content.disclosable.map(\.json), [.array([.string("family_name")])])
    XCTAssertEqual(content.keyIdentifiers, device.keyStore.identifiers)
    XCTAssertEqual(try device.cards.records().map(\.id), [id])
  }

  func testWithoutAnOrganisationTheAuthorityIsNamed() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(organisation: nil), [.init()])
    XCTAssertEqual(try device.content(of: id).issuer, "Libraries")
  }

  func testACardOfAnUntrustedIssuerIsRefused() throws {
    let device = try CardDevice(for: self)
    let keys = try device.prepare(1)
    let text = try TestIssuer().card(holder: keys[0].subjectKey)
    assertThrows(
      .cardRefused,
      try OfferedCard(
        [text], keys: keys, anchors: TestIssuer().anchors, now: TestIssuer.now))
  }

  func testAnIssuerMayNotIssueAnotherType() throws {
    let device = try CardDevice(for: self)
    assertThrows(
      .cardRefused, try offer(device, TestIssuer(), [.init(type: "urn:example:pid:1")]))
  }

  func testAnExpiredCardIsRefused() throws {
    let device = try CardDevice(for: self)
    let issuer = try TestIssuer()
    assertThrows(
      .cardRefused, try offer(device, issuer, [.init()], now: TestIssuer.now + 100_000))
    XCTAssertNoThrow(try offer(device, issuer, [.init()], now: TestIssuer.now + 99_999))
  }

  func testACardForAKeyOfAnotherWalletIsRefused() throws {
    let device = try CardDevice(for: self)
    let other = try CardDevice(for: self)
    let issuer = try TestIssuer()
    let text = try issuer.card(holder: other.prepare(1)[0].subjectKey)
    assertThrows(
      .cardRefused,
      try OfferedCard(
        [text], keys: device.prepare(1), anchors: issuer.anchors, now: TestIssuer.now))
  }

  func testTwoCopiesForOneKeyAreRefused() throws {
    let device = try CardDevice(for: self)
    let issuer = try TestIssuer()
    let keys = try device.prepare(2)
    let texts = try (0..<2).map { _ in try issuer.card(holder: keys[0].subjectKey) }
    assertThrows(
      .cardRefused,
      try OfferedCard(texts, keys: keys, anchors: issuer.anchors, now: TestIssuer.now))
  }

  func testCopiesThatStateDifferentThingsAreRefused() throws {
    let device = try CardDevice(for: self)
    assertThrows(
      .cardRefused,
      try offer(
        device, TestIssuer(), [.init(), .init(hidden: ["family_name": .string("Bakker")])]))
  }

  func testACardWithoutCopiesOrWithTooManyIsRefused() throws {
    let issuer = try TestIssuer()
    for count in [0, CardStore.maximumCopies + 1] {
      assertThrows(
        .cardRefused,
        try OfferedCard(
          Array(repeating: "x", count: count), keys: [], anchors: issuer.anchors,
          now: TestIssuer.now))
    }
  }

  func testNoNameOrColourIsKeptThatCouldDeceive() throws {
    let device = try CardDevice(for: self)
    let issuer = try TestIssuer()
    for name in ["", " ", "\u{2800}", "\u{3164}", "\u{FFFD}", "a\u{202E}b", "a\u{FE0F}", "a\nb"] {
      let id = try device.take(issuer, [.init()], display: CardDisplay(name: name))
      XCTAssertNil(try device.content(of: id).display.name, name.debugDescription)
    }
    let display = CardDisplay(name: "Ä", backgroundColor: "#0A0b0C", textColor: "red")
    let shown = try device.content(of: device.take(issuer, [.init()], display: display)).display
    XCTAssertEqual(shown, CardDisplay(name: "Ä", backgroundColor: "#0a0b0c"))
  }

  func testGarbageIsRefusedWithoutQuotingIt() throws {
    let device = try CardDevice(for: self)
    let issuer = try TestIssuer()
    let keys = try device.prepare(1)
    let good = try issuer.card(holder: keys[0].subjectKey)
    for text in ["", "~", "secret-text", good + "x", String(good.dropFirst(5)), good + good] {
      XCTAssertThrowsError(
        try OfferedCard([text], keys: keys, anchors: issuer.anchors, now: TestIssuer.now)
      ) {
        XCTAssertEqual(($0 as? WalletError)?.kind, .cardRefused)
        XCTAssertFalse(($0 as? WalletError)?.message.contains("secret") ?? true)
      }
    }
  }

  func testAPlatformWithEd25519KeysGetsAClearStatusAndItsKeysAreInNobodysWay() throws {
    let device = try CardDevice(for: self)
    assertThrows(
      .cardKeyUnsupported,
      try device.cards.prepareKeys(
        1, for: .card, platform: TestKeyStore(makesEd25519: true), cancellation: Cancellation()))
    XCTAssertEqual(try CardStore.releasedKeys(in: device.store).count, 1)
    try device.take(TestIssuer(), [.init()])
    XCTAssertEqual(device.keyStore.identifiers.count, 1, "the platform makes P-256 keys now")
  }

  func testCopiesThatVerifiersCouldPutTogetherAreRefused() throws {
    let device = try CardDevice(for: self)
    let issuer = try TestIssuer()
    let entry = (uri: "https://library.example/status/1", index: Int64(7))
    assertThrows(
      .cardRefused, try offer(device, issuer, [.init(status: entry), .init(status: entry)]))
    let keys = try device.prepare(2)
    let salt = "AAAAAAAAAAAAAAAAAAAAAA"
    let texts = try keys.map { try issuer.card(holder: $0.subjectKey, salt: salt) }
    assertThrows(
      .cardRefused,
      try OfferedCard(texts, keys: keys, anchors: issuer.anchors, now: TestIssuer.now))
  }

  func testPreparedKeysAreTakenBeforeNewOnes() throws {
    let device = try CardDevice(for: self)
    let first = try device.prepare(3)
    XCTAssertEqual(try device.prepare(2), Array(first.prefix(2)))
    XCTAssertEqual(try Array(device.prepare(5).prefix(3)), first)
    XCTAssertEqual(device.keyStore.identifiers.count, 5)
    for count in [0, CardStore.maximumCopies + 1] {
      assertThrows(.invalidArgument, try device.prepare(count))
    }
  }
}
