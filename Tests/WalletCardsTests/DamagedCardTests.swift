import WalletCards
import WalletCrypto
import WalletModel
import WalletStorage
import XCTest

/// What is damaged of one card hides no other card, and the damaged one can be deleted.
final class DamagedCardTests: XCTestCase {
  private var device: CardDevice!
  private var ids: [String] = []

  override func setUpWithError() throws {
    device = try CardDevice(for: self)
    let issuer = try TestIssuer()
    ids = try (0..<3).map { number in
      try device.take(
        issuer, [.init(issuedAt: TestIssuer.now + Int64(number)), .init(issuedAt: TestIssuer.now)])
    }
  }

  override func tearDown() {
    device = nil
  }

  private func change(_ body: (SealedStore.Transaction) throws -> Void) throws {
    try device.store.transaction(label: "test", body)
  }

  /// Puts a value under another key in the place of one of the account.
  private func damageAccount(_ name: String) throws {
    try change { try $0.setAccount(name, Secret(copying: [1]), key: Secret.random(count: 32)) }
  }

  private func slots() throws -> Set<String> { try device.store.read { Set(try $0.slotNames()) } }

  private func slots(of id: String) throws -> Set<String> {
    Set(try device.cards.record(of: id).copies.map(\.id))
  }

  private func assertOthersAreWhole(_ others: [String], line: UInt = #line) throws {
    XCTAssertEqual(try device.cards.records().map(\.id), others, line: line)
    for id in others {
      XCTAssertNoThrow(try device.content(of: id), line: line)
      XCTAssertNoThrow(try device.use(id), line: line)
    }
  }

  func testADamagedOrMissingRecordIsListedInItsPlaceAndIsNotUsed() throws {
    for damage in [damageAccount, { name in try self.change { try $0.deleteAccount(name) } }] {
      try damage("card." + ids[1])
      XCTAssertEqual(try device.cards.all().map(\.id), ids)
      XCTAssertEqual(try device.cards.all()[1], .damaged(id: ids[1]))
      XCTAssertNoThrow(try device.content(of: ids[1]), "its content is intact")
      assertThrows(.cardRefused, try device.use(ids[1]))
      try assertOthersAreWhole([ids[0], ids[2]])
    }
  }

  func testWorkOnAllCardsPassesADamagedOneOver() throws {
    let issuer = try TestIssuer()
    let uri = "https://library.example/status/1"
    let id = try device.take(issuer, [.init(status: (uri, 0))])
    try damageAccount("card." + ids[0])
    let now = TestIssuer.now
    XCTAssertEqual(try device.cards.wantedStatusLists(at: now).map(\.uri), [uri])
    try device.cards.noteAttempts([uri], at: now)
    try device.cards.note(
      statusList: issuer.statusList([1], uri: uri), uri: uri, anchors: issuer.anchors, now: now)
    XCTAssertTrue(
      try device.cards.takeChanges(at: now, trusting: issuer.anchors)
        .contains(CardChange(id: id, state: .revoked)))
  }

  func testADamagedCardIsDeletedWithItsSlots() throws {
    let (content, gone) = (try device.content(of: ids[1]), try slots(of: ids[1]))
    try damageAccount("card." + ids[1])
    try device.cards.delete(ids[1], keys: content.keyIdentifiers)
    XCTAssertEqual(try device.cards.all().map(\.id), [ids[0], ids[2]])
    XCTAssertTrue(try slots().isDisjoint(with: gone))
    XCTAssertEqual(
      try CardStore.releasedKeys(in: device.store).sorted(), content.keyIdentifiers)
    try assertOthersAreWhole([ids[0], ids[2]])
    assertThrows(.cardUnknown, try device.cards.delete(ids[1], keys: []))
  }

  func testSlotsThatAnotherDamagedCardCouldHaveStayUntilThatIsDeletedToo() throws {
    let all = try slots()
    let kept = try slots(of: ids[2])
    for id in ids[0...1] { try damageAccount("card." + id) }
    try device.cards.delete(ids[0], keys: [])
    XCTAssertEqual(try slots(), all)
    try device.cards.delete(ids[1], keys: [])
    XCTAssertEqual(try slots(), kept)
  }

  func testADamagedOrMissingListOfCardsIsFoundAgainByTheNames() throws {
    let last = try XCTUnwrap(ids.last)
    for damage in [damageAccount, { name in try self.change { try $0.deleteAccount(name) } }] {
      try damage("cards")
      XCTAssertEqual(Set(try device.cards.all().map(\.id)), Set(ids))
      try damageAccount("card." + last)
      XCTAssertEqual(try device.cards.all().last, .damaged(id: last), "of unknown age")
    }
    // The next change stores a whole list.
    try device.cards.delete(last, keys: [])
    XCTAssertEqual(Set(try device.cards.all().map(\.id)), Set(ids.dropLast()))
    try assertOthersAreWhole(try device.cards.all().map(\.id))
  }

  func testADamagedContentIsStorageCorruptAndAMissingOneToo() throws {
    try change {
      try $0.setVault("card." + ids[0], Secret(copying: [1]), key: Secret.random(count: 32))
      try $0.deleteVault("card." + ids[1])
    }
    for id in ids[0...1] { assertThrows(.storageCorrupt, try device.content(of: id)) }
    try device.cards.delete(ids[0], keys: [])
    try device.cards.delete(ids[1], keys: [])
    try assertOthersAreWhole([ids[2]])
  }

  func testADamagedSlotIsPassedOverForTheNextCopy() throws {
    let copies = try device.cards.record(of: ids[0]).copies.map(\.id)
    try change { try $0.setSlot(copies[0], [1, 2, 3]) }
    XCTAssertEqual(
      try (0..<3).map { _ in try device.use(ids[0]).copy }, [copies[1], copies[1], copies[1]])
    try change { try $0.deleteSlot(copies[1]) }
    assertThrows(.cardRefused, try device.use(ids[0]))
  }
}
