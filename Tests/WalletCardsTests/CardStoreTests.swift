import WalletAccount
import WalletCards
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletStorage
import XCTest

/// Many cards in one store: order, uses, changes, deletion, and kills in between.
final class CardStoreTests: XCTestCase {
  func testManyCardsOfSeveralIssuersAreKeptInTheirOrder() throws {
    let device = try CardDevice(for: self)
    let issuers = try [TestIssuer(), TestIssuer(organisation: "Sports club")]
    let ids = try (0..<20).map { number in
      try device.take(
        issuers[number % 2],
        [
          .init(hidden: ["number": .integer(Int64(number))]),
          .init(hidden: ["number": .integer(Int64(number))]),
        ])
    }
    XCTAssertEqual(try device.cards.records().map(\.id), ids)
    for (number, id) in ids.enumerated() {
      let content = try device.content(of: id)
      XCTAssertEqual(content.claims["number"], .integer(Int64(number)))
      XCTAssertEqual(content.issuer, number % 2 == 0 ? "City Library" : "Sports club")
    }
  }

  func testAUseIsCountedBeforeTheCopyIsHandedOut() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init(), .init()])
    var used: [String] = []
    for _ in 0..<4 { used.append(try device.use(id).copy) }
    XCTAssertEqual(Set(used.prefix(2)).count, 2, "each copy is used once before one is used twice")
    let record = try device.cards.record(of: id)
    XCTAssertEqual(record.copies.map(\.uses), [2, 2])
    XCTAssertEqual(record.unusedCount(at: TestIssuer.now), 0)
    XCTAssertEqual(record.history.map(\.kind), [.added, .used, .used, .used, .used])
  }

  /// Who gets two presentations in one answer knows that they are of one holder, and would otherwise
  /// see a further copy for nothing.
  func testWhatIsShownOfOneCardInOneAnswerIsOfOneCopy() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init(), .init()])
    let other = try device.take(TestIssuer(), [.init()])
    let chosen = try device.cards.chooseCopies(of: [id, other, id, id], at: TestIssuer.now)
    XCTAssertEqual(chosen.map(\.card), [id, other])
    XCTAssertEqual(try device.cards.record(of: id).copies.map(\.uses), [0, 0], "only chosen")
    try device.cards.countUses(chosen, at: TestIssuer.now)
    XCTAssertEqual(try device.cards.record(of: id).copies.map(\.uses).sorted(), [0, 1])
  }

  /// A copy whose slot did not open comes after those that verifiers have seen, so it does not count
  /// as one that is left; nor does one that is promised.
  func testWhetherTheNextUseShowsACopyThatOthersHaveSeen() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init(), .init(), .init()])
    func isNextSeen(besides promised: [ChosenCopy] = []) throws -> Bool {
      try device.cards.isNextCopySeen(of: id, at: TestIssuer.now, besides: promised)
    }
    XCTAssertFalse(try isNextSeen())
    let closed = try device.cards.chooseCopies(of: [id], at: TestIssuer.now)[0].copy
    try device.cards.update(id) { $0.noteClosedSlot(of: closed) }
    _ = try device.use(id)
    XCTAssertFalse(try isNextSeen())
    let last = try device.cards.chooseCopies(of: [id], at: TestIssuer.now)
    XCTAssertTrue(try isNextSeen(besides: last))
    _ = try device.use(id)
    XCTAssertTrue(try isNextSeen())
    XCTAssertEqual(try device.cards.record(of: id).unusedCount(at: TestIssuer.now), 1)
  }

  func testACopyThatIsPromisedToAnotherUseIsTakenLast() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init(), .init(), .init()])
    let cards = device.cards
    let first = try cards.chooseCopies(of: [id], at: TestIssuer.now)
    let promised =
      first + (try cards.chooseCopies(of: [id], at: TestIssuer.now, besides: first))
    XCTAssertEqual(Set(promised.map(\.copy)).count, 2)
    let chosen = try cards.chooseCopies(of: [id], at: TestIssuer.now, besides: promised)
    XCTAssertFalse(promised.contains(chosen[0]))
    XCTAssertEqual(try cards.record(of: id).copies.map(\.uses), [0, 0, 0], "only chosen")
    try cards.countUses(chosen, at: TestIssuer.now)
    try cards.countUses(promised, at: TestIssuer.now)
    XCTAssertEqual(try cards.record(of: id).copies.map(\.uses), [1, 1, 1])
    // With no other copy left the least used one is taken.
    XCTAssertEqual(
      try cards.chooseCopies(of: [id], at: TestIssuer.now, besides: promised), chosen)
    XCTAssertEqual(
      try cards.chooseCopies(of: [id], at: TestIssuer.now, besides: promised + chosen).count, 1)
  }

  func testUsesAreCountedTogetherOrNotAtAll() throws {
    let device = try CardDevice(for: self)
    let ids = try (0..<2).map { _ in try device.take(TestIssuer(), [.init()]) }
    let chosen = try device.cards.chooseCopies(of: ids, at: TestIssuer.now)
    try device.cards.update(ids[1]) { $0.noteLostKey(of: chosen[1].copy) }
    assertThrows(.cardKeyLost, try device.cards.countUses(chosen, at: TestIssuer.now))
    try device.cards.delete(ids[1], keys: [])
    assertThrows(.cardUnknown, try device.cards.countUses(chosen, at: TestIssuer.now))
    XCTAssertEqual(try device.cards.record(of: ids[0]).copies.map(\.uses), [0])
  }

  func testACopyWhoseSlotDidNotOpenIsUsedAfterAllOthers() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init(), .init()])
    let closed = try device.cards.chooseCopies(of: [id], at: TestIssuer.now)[0].copy
    try device.cards.update(id) { $0.noteClosedSlot(of: closed) }
    let others = try (0..<3).map { _ in try device.use(id).copy }
    XCTAssertFalse(others.contains(closed))
    // The other copy is gone: this one is tried again, and counts as any other from then on.
    try device.cards.update(id) { $0.noteLostKey(of: others[0]) }
    XCTAssertEqual(try device.use(id).copy, closed)
    let record = try device.cards.record(of: id)
    XCTAssertNil(record.copies.first { $0.id == closed }?.isClosed)
  }

  func testAnUnusableCardIsNotUsed() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init()])
    assertThrows(.cardExpired, try device.use(id, at: TestIssuer.now + 100_000))
    assertThrows(.cardUnknown, try device.use("none"))
    XCTAssertEqual(try device.cards.record(of: id).copies.map(\.uses), [0])
  }

  func testASlotIsReplacedAndOnlyThatOfAKnownCopy() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init()])
    let name = try device.cards.record(of: id).copies[0].id
    let copyID = try XCTUnwrap(Base64URL.decode(name))
    let slot = try device.cards.slot(of: name)
    let copy = try slot.open(
      with: device.opened(slot).key, copyID: copyID, walletID: CardDevice.walletID)
    let anew = try CardSlot(
      sealing: copy, copyID: copyID, walletID: CardDevice.walletID, to: device.useKey)
    try device.cards.replace(anew, of: name)
    XCTAssertEqual(try device.cards.slot(of: name), anew)
    assertThrows(.cardUnknown, try device.cards.replace(anew, of: "none"))
    assertThrows(.cardUnknown, try device.cards.slot(of: "none"))
  }

  func testADeletedCardLeavesNothingAndReleasesItsKeys() throws {
    let device = try CardDevice(for: self)
    let issuer = try TestIssuer()
    let kept = try device.take(issuer, [.init()])
    let id = try device.take(issuer, [.init(), .init()])
    let copies = try device.cards.record(of: id).copies.map(\.id)
    let keys = try device.content(of: id).keyIdentifiers
    try device.cards.delete(id, keys: keys)
    XCTAssertEqual(try device.cards.records().map(\.id), [kept])
    assertThrows(.cardUnknown, try device.cards.content(of: id))
    for copy in copies { assertThrows(.cardUnknown, try device.cards.slot(of: copy)) }
    XCTAssertEqual(try CardStore.releasedKeys(in: device.store).sorted(), keys)
    assertThrows(.cardUnknown, try device.cards.delete(id, keys: keys))
    try CardStore.forgetReleasedKeys(keys, in: device.store)
    XCTAssertEqual(try CardStore.releasedKeys(in: device.store), [])
  }

  /// What a kill leaves at every point of every change: the card before or after the change, whole.
  func testAKillAtEveryPointLeavesTheCardBeforeOrAfterTheChange() throws {
    let device = try CardDevice(for: self, watchingCrashPoints: true)
    let id = try device.take(TestIssuer(), [.init(), .init()])
    let copy = try device.use(id).copy
    try device.cards.replace(device.cards.slot(of: copy), of: copy)
    try device.cards.update(id) { $0.noteLostKey(of: copy) }
    let keys = try device.content(of: id).keyIdentifiers
    try device.cards.delete(id, keys: keys)
    try CardStore.forgetReleasedKeys(keys, in: device.store)

    let labels = [
      "card.keys", "card.stored", "card.used", "card.slot", "card.changed", "card.deleted",
    ]
    let points = device.copies.withLock { $0 }
    for label in labels + ["card.keys-released"] {
      for end in ["before", "after"] {
        XCTAssertTrue(
          points.contains { $0.point == "storage.\(label).\(end)-commit" }, "\(label) \(end)")
      }
    }
    func assertWhole(_ record: CardRecord, _ cards: CardStore, _ point: String) throws {
      XCTAssertEqual(try device.content(of: record.id, in: cards).keyIdentifiers, keys, point)
      for copy in record.copies { XCTAssertNoThrow(try cards.slot(of: copy.id), point) }
    }
    var isHere = false
    for (point, path) in points where point.hasPrefix("storage.card.") {
      if point == "storage.card.stored.after-commit" { isHere = true }
      if point == "storage.card.deleted.after-commit" { isHere = false }
      let notes = try PlatformKeyNotes.load(from: StorageDirectory(path: path))
      XCTAssertTrue(Set(notes.current).isSubset(of: keys), point)
      let cards = try device.cards(at: path)
      let records = try cards.records()
      XCTAssertEqual(records.count, isHere ? 1 : 0, point)
      for record in records { try assertWhole(record, cards, point) }
      let isCounted = records.first.map { $0.copies.contains { $0.uses == 1 } } ?? false
      if point == "storage.card.used.before-commit" { XCTAssertFalse(isCounted) }
      if point == "storage.card.used.after-commit" { XCTAssertTrue(isCounted) }
      // No key is lost: each is prepared, bound or released.
      let prepared = try cards.prepared(
        for: .card, platform: device.keyStore, cancellation: Cancellation()
      ).map(\.identifier)
      let released = try CardStore.releasedKeys(in: cards.store)
      if point != "storage.card.keys.before-commit", !point.contains("keys-released") {
        XCTAssertEqual((isHere ? keys : prepared + released).sorted(), keys, point)
      }
    }
  }
}
