import WalletCards
import WalletModel
import WalletStorage
import XCTest

/// Status lists: when they are wanted, which are accepted, and what they change.
final class CardStatusTests: XCTestCase {
  private let uri = "https://library.example/status/1"
  private let now = TestIssuer.now

  private func device(_ issuer: TestIssuer, _ indices: [Int64?]) throws -> CardDevice {
    let device = try CardDevice(for: self)
    for index in indices {
      try device.take(issuer, [.init(status: index.map { (uri, $0) })])
    }
    return device
  }

  private func states(_ device: CardDevice, at time: Int64? = nil) throws -> [CardState] {
    try device.cards.records().map { $0.state(at: time ?? now) }
  }

  func testAListIsWantedOnceUntilItIsFetchedAndAgainWhenItIsDue() throws {
    let issuer = try TestIssuer()
    let device = try device(issuer, [0, 1, nil])
    XCTAssertEqual(try device.cards.wantedStatusLists(at: now).map(\.uri), [uri])
    try device.cards.note(
      statusList: issuer.statusList([0, 0], uri: uri), uri: uri, anchors: issuer.anchors, now: now)
    XCTAssertEqual(try device.cards.wantedStatusLists(at: now + 599), [])
    XCTAssertEqual(try device.cards.wantedStatusLists(at: now + 600).map(\.fetchedAt), [now])
    XCTAssertEqual(try device.cards.wantedStatusLists(at: now - 1).count, 1, "a clock was set back")
    XCTAssertEqual(
      try device.cards.wantedStatusLists(at: now + 100_000), [], "the cards have expired")
  }

  func testAListIsNotWantedForCardsThatCanNeverBeUsedAgain() throws {
    let issuer = try TestIssuer()
    for (value, isWanted) in [(0, true), (1, false), (2, true)] as [(UInt8, Bool)] {
      let device = try CardDevice(for: self)
      let id = try device.take(
        issuer, ([0, 1] as [Int64]).map { TestIssuer.Recipe(status: (uri: uri, index: $0)) })
      // The other copy is good, and its entry would be due.
      try device.cards.note(
        statusList: issuer.statusList([0, value], uri: uri), uri: uri, anchors: issuer.anchors,
        now: now)
      XCTAssertEqual(
        try device.cards.wantedStatusLists(at: now + 700).isEmpty, !isWanted, "\(value)")
      XCTAssertEqual(
        try device.cards.wantedStatusLists(at: now + 100_000), [], "\(value): it has expired")
      for copy in try XCTUnwrap(device.cards.records().first).copies {
        try device.cards.update(id) { $0.noteLostKey(of: copy.id) }
      }
      XCTAssertEqual(try device.cards.wantedStatusLists(at: now + 700), [], "no key is left")
    }
  }

  /// A provider's clock was ahead for a while, and so was a list that was read then.
  func testAListFromTheFutureBlocksNoNewerOneAndTakesNoWithdrawalBack() throws {
    let issuer = try TestIssuer()
    let device = try device(issuer, [0, 1])
    let later = now + 1000
    try device.cards.note(
      statusList: issuer.statusList([0, 2], uri: uri, issuedAt: later), uri: uri,
      anchors: issuer.anchors, now: later)
    XCTAssertEqual(try states(device), [.unchecked, .suspended])
    try device.cards.note(
      statusList: issuer.statusList([0, 0], uri: uri), uri: uri, anchors: issuer.anchors, now: now)
    XCTAssertEqual(try states(device), [.valid, .suspended])
  }

  func testATimeThatNoClockShowsStopsNothing() throws {
    let device = try device(TestIssuer(), [0])
    try device.cards.noteAttempts([uri], at: .min)
    XCTAssertEqual(try device.cards.wantedStatusLists(at: now).count, 1)
  }

  func testAHostOfAnotherPartyIsNotAskedAgainAtOnce() throws {
    let issuer = try TestIssuer()
    let device = try device(issuer, [0, nil])
    try device.cards.noteAttempts([uri], at: now)
    for (seconds, count) in [(0, 0), (599, 0), (600, 1), (-1, 1)] as [(Int64, Int)] {
      XCTAssertEqual(
        try device.cards.wantedStatusLists(at: now + seconds).count, count, "\(seconds)")
    }
    try device.cards.noteAttempts(["https://other.example/1"], at: now + 700)
    XCTAssertEqual(try device.cards.wantedStatusLists(at: now + 700).count, 1)
  }

  func testAListChangesTheCardsThatReferToItAndEachChangeIsToldOnce() throws {
    let issuer = try TestIssuer()
    let device = try device(issuer, [0, 1, nil])
    let ids = try device.cards.records().map(\.id)
    XCTAssertEqual(try states(device), [.unchecked, .unchecked, .valid])
    XCTAssertEqual(try device.cards.takeChanges(at: now, trusting: issuer.anchors), [])
    try device.cards.note(
      statusList: issuer.statusList([0, 1], uri: uri), uri: uri, anchors: issuer.anchors, now: now)
    XCTAssertEqual(try states(device), [.valid, .revoked, .valid])
    XCTAssertEqual(
      try device.cards.takeChanges(at: now, trusting: issuer.anchors),
      [CardChange(id: ids[0], state: .valid), CardChange(id: ids[1], state: .revoked)])
    XCTAssertEqual(try device.cards.takeChanges(at: now, trusting: issuer.anchors), [])
    XCTAssertEqual(try states(device, at: now + 4999), [.valid, .revoked, .valid])
    XCTAssertEqual(
      try states(device, at: now + 5000), [.unchecked, .revoked, .valid], "the list has expired")
    try device.cards.note(
      statusList: issuer.statusList([1, 0], uri: uri, issuedAt: now - 1), uri: uri,
      anchors: issuer.anchors, now: now)
    XCTAssertEqual(try states(device), [.valid, .revoked, .valid], "an older list says nothing")
    assertThrows(.cardRefused, try device.use(ids[1], at: now))
  }

  func testAListThatIsNotAcceptedChangesNothing() throws {
    let issuer = try TestIssuer()
    let device = try device(issuer, [0])
    let good = try issuer.statusList([0], uri: uri)
    let before = try device.cards.records()
    let lists: [(String, String)] = try [
      ("of another authority", TestIssuer().statusList([0], uri: uri)),
      ("of another address", issuer.statusList([0], uri: uri + "0")),
      ("expired", issuer.statusList([0], uri: uri, expires: now)),
      ("from the future", issuer.statusList([0], uri: uri, issuedAt: now + 61)),
      ("spoilt", String(good.dropLast(2)) + "AA"), ("garbage", "x"), ("empty", ""),
    ]
    for (name, text) in lists {
      assertThrows(
        .cardRefused,
        try device.cards.note(statusList: text, uri: uri, anchors: issuer.anchors, now: now), name)
    }
    XCTAssertEqual(try device.cards.records(), before)
  }

  func testAnIndexBeyondTheListIsUnchecked() throws {
    let issuer = try TestIssuer()
    let device = try device(issuer, [7])
    try device.cards.note(
      statusList: issuer.statusList([0], uri: uri), uri: uri, anchors: issuer.anchors, now: now)
    XCTAssertEqual(try states(device), [.unchecked])
  }
}
