import WalletAccount
import WalletCards
import WalletCredentials
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletStorage
import XCTest

/// The PID as a card: what is taken as one, and how a new one takes the place of the former.
final class PIDCardTests: XCTestCase {
  private func copies(
    _ issuer: TestIssuer, _ keys: [CardKey],
    change: (inout CredentialStatement) throws -> Void = { _ in }
  ) throws -> [String] {
    try keys.enumerated().map { index, key in
      try issuer.pid(holder: key.subjectKey, index: Int64(index), change: change)
    }
  }

  private func offer(
    _ device: CardDevice, _ issuer: TestIssuer, count: Int = 2,
    change: (inout CredentialStatement) throws -> Void = { _ in }
  ) throws -> OfferedCard {
    let keys = try device.prepare(count, for: .pid)
    return try OfferedCard(
      copies(issuer, keys, change: change), keys: keys, for: .pid, anchors: issuer.anchors,
      now: TestIssuer.now)
  }

  /// Takes a PID in place of the former one.
  @discardableResult
  private func take(_ device: CardDevice, _ issuer: TestIssuer) throws -> CardRecord {
    let offered = try offer(device, issuer)
    try offered.requirePID(type: TestIssuer.type, count: 2)
    let former =
      try device.cards.storedPID() == nil
      ? nil : device.content(of: CardStore.pid).keyIdentifiers
    return try offered.store(
      in: device.cards, as: CardStore.pid, replacing: former, walletID: CardDevice.walletID,
      useKey: device.useKey, now: TestIssuer.now,
      with: { try $0.setMarker("test.changed", 1) }
    ) { [vaultKey = device.vaultKey] content, id throws(WalletError) in
      try content.sealed(card: id, key: vaultKey)
    }
  }

  func testAPIDIsTakenAndIsTheFirstCard() throws {
    let (device, issuer) = (try CardDevice(for: self), try TestIssuer())
    XCTAssertNil(try device.cards.storedPID())
    let other = try device.take(issuer, [.init()])
    let record = try take(device, issuer)
    XCTAssertEqual(try device.cards.records().map(\.id), [CardStore.pid, other])
    XCTAssertEqual(try device.cards.storedPID(), .intact(record))
    XCTAssertEqual(record.copies.count, 2)
    let content = try device.content(of: CardStore.pid)
    XCTAssertEqual(content.claims["family_name"], .string("Jansen"))
    XCTAssertEqual(Set(content.disclosable), PIDClaims.disclosable)
    XCTAssertEqual(content.keyIdentifiers.count, 2)
    XCTAssertTrue(content.keyIdentifiers.allSatisfy { $0.contains(".pid.") })
  }

  func testANewPIDTakesThePlaceOfTheFormerOneAndReleasesItsKeys() throws {
    let (device, issuer) = (try CardDevice(for: self), try TestIssuer())
    let former = try take(device, issuer)
    let formerKeys = try device.content(of: CardStore.pid).keyIdentifiers
    let record = try take(device, issuer)
    XCTAssertEqual(try device.cards.records(), [record])
    for copy in former.copies { assertThrows(.cardUnknown, try device.cards.slot(of: copy.id)) }
    for copy in record.copies { XCTAssertNoThrow(try device.cards.slot(of: copy.id)) }
    XCTAssertEqual(try CardStore.releasedKeys(in: device.store).sorted(), formerKeys)
    XCTAssertTrue(
      Set(try device.content(of: CardStore.pid).keyIdentifiers).isDisjoint(with: formerKeys))
  }

  func testWhatIsNoPIDIsRefused() throws {
    let issuer = try TestIssuer()
    let changes: [(String, (inout CredentialStatement) throws -> Void)] = [
      (
        "a missing claim",
        {
          $0.claims["family_name"] = nil; $0.disclosable.remove(try Self.path("family_name"))
        }
      ),
      ("a further claim", { $0.claims["height"] = .integer(180) }),
      ("a claim of another form", { $0.claims["birthdate"] = .string("1979-02-30") }),
      ("a visible name", { $0.disclosable.remove(try Self.path("family_name")) }),
      ("a hidden authority", { $0.disclosable.insert(try Self.path("issuing_authority")) }),
      (
        "an age that is not stated",
        {
          $0.claims["age_equal_or_over"] = .object(["18": .boolean(true)])
          $0.disclosable = $0.disclosable.filter { $0.components.count == 1 }
        }
      ),
      ("more than 90 days", { $0.expires = $0.issuedAt + PIDClaims.maximumValidity + 1 }),
      ("no status", { $0.status = .none }),
    ]
    for (name, change) in changes {
      let device = try CardDevice(for: self)
      let offered = try offer(device, issuer, change: change)
      assertThrows(
        .serverRefused, try offered.requirePID(type: TestIssuer.type, count: 2), name)
    }
    let offered = try offer(CardDevice(for: self), issuer)
    assertThrows(.serverRefused, try offered.requirePID(type: TestIssuer.type, count: 3))
    assertThrows(.serverRefused, try offered.requirePID(type: "urn:eudi:pid:1", count: 2))
    XCTAssertNoThrow(try offered.requirePID(type: TestIssuer.type, count: 2))
  }

  func testKeysThatTheProviderHasSeenAreNotOfferedToOtherIssuers() throws {
    let device = try CardDevice(for: self)
    let pid = try device.prepare(3, for: .pid)
    let card = try device.prepare(3, for: .card)
    XCTAssertTrue(Set(pid.map(\.identifier)).isDisjoint(with: card.map(\.identifier)))
    // A repeated request is for the same keys.
    XCTAssertEqual(try device.prepare(3, for: .pid), pid)
    try device.cards.giveUpPreparedKeys(.pid)
    XCTAssertTrue(
      Set(try device.prepare(3, for: .pid).map(\.identifier))
        .isDisjoint(with: pid.map(\.identifier)))
    XCTAssertEqual(
      try CardStore.releasedKeys(in: device.store).sorted(), pid.map(\.identifier).sorted())
    XCTAssertEqual(try device.prepare(3, for: .card), card)
  }

  func testAKillLeavesTheFormerPIDOrTheNewOneWhole() throws {
    let (device, issuer) = (try CardDevice(for: self, watchingCrashPoints: true), try TestIssuer())
    let former = try take(device, issuer)
    let before = device.copies.withLock { $0.count }
    let record = try take(device, issuer)
    var seen: Set<String> = []
    for (point, path) in device.copies.withLock({ Array($0[before...]) }) {
      let cards = try device.cards(at: path)
      let found = try XCTUnwrap(cards.storedPID()?.record)
      XCTAssertTrue([former, record].contains(found), point)
      for copy in found.copies { XCTAssertNoThrow(try cards.slot(of: copy.id), point) }
      XCTAssertEqual(
        try device.content(of: CardStore.pid, in: cards).keyIdentifiers.count, 2, point)
      if point == "storage.card.stored.before-commit" { XCTAssertEqual(found, former) }
      if point == "storage.card.stored.after-commit" { XCTAssertEqual(found, record) }
      seen.insert(point)
    }
    XCTAssertTrue(
      seen.isSuperset(of: ["storage.card.stored.before-commit", "storage.card.stored.after-commit"])
    )
  }

  private static func path(_ name: String) throws -> ClaimsPath { try ClaimsPath([.name(name)]) }
}
