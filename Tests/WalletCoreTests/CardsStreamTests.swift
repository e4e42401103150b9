import CWalletCore
import XCTest

/// How the word that cards have changed reaches a client. It has no value, so unlike that of the
/// other streams it is delivered once and never again.
final class CardsStreamTests: WalletCoreTestCase {
  func testANewClientIsToldNothing() throws {
    let client = try start()
    for _ in 0..<3 { XCTAssertNotEqual(pull(client).event?.kind, Kind.cardsChanged) }
    XCTAssertEqual(pull(client).status, Status.timeout)
  }

  func testSeveralChangesArriveAsOneEventWithNothingButItsKind() throws {
    let client = try start()
    while pull(client).event != nil {}
    for _ in 0..<3 { try tellOfCards(client) }
    let event = pull(client).event
    XCTAssertEqual(event?.kind, Kind.cardsChanged)
    XCTAssertEqual(event?.json, #"{"kind":"cards_changed","schema":1}"#)
    XCTAssertEqual(event?.isLocked, 1, "of no other kind")
    XCTAssertEqual(pull(client).status, Status.timeout)
  }

  func testAStreamReceivesWhatWaitsAndNothingThatWasTaken() throws {
    let client = try start()
    while pull(client).event != nil {}
    try tellOfCards(client)
    let (first, second) = (Recorder(), Recorder())
    TestEventSink.cards.set(client, first)
    XCTAssertTrue(first.waitFor(1))
    TestEventSink.cards.set(client, second)
    // The lock state comes on the same thread after anything that waits.
    let lock = Recorder()
    TestEventSink.lock.set(client, lock)
    XCTAssertTrue(lock.waitFor(1))
    XCTAssertEqual(second.events, [])
    try tellOfCards(client)
    XCTAssertTrue(second.waitFor(1))
    XCTAssertEqual(first.kinds + second.kinds, [Kind.cardsChanged, Kind.cardsChanged])
    XCTAssertEqual(pull(client).status, Status.timeout)
  }

  func testAStreamTakesItsKindFromTheEventCallback() throws {
    let client = try start()
    let (cards, events) = (Recorder(), Recorder())
    TestEventSink.cards.set(client, cards)
    TestEventSink.events.set(client, events)
    try tellOfCards(client)
    XCTAssertTrue(cards.waitFor(1))
    XCTAssertTrue(events.waitFor(3))
    TestEventSink.cards.clear(client)
    try tellOfCards(client)
    XCTAssertTrue(events.waitFor(4))
    XCTAssertEqual(cards.kinds, [Kind.cardsChanged])
    XCTAssertEqual(events.kinds.last, Kind.cardsChanged)
  }
}
