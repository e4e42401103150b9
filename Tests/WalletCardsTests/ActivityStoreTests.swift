import WalletCards
import WalletCrypto
import WalletModel
import WalletStorage
import XCTest

/// The history: how it is kept, and what leaves it.
final class ActivityStoreTests: XCTestCase {
  private var device: CardDevice!
  private var store: ActivityStore { ActivityStore(store: device.store) }

  override func setUpWithError() throws { device = try CardDevice(for: self) }

  private func all() throws -> [Activity] {
    try store.all().map { sealed in
      try XCTUnwrap(sealed).open(key: device.vaultKey).withBytes { try Activity(stored: $0) }
    }
  }

  private func prepare(
    _ results: [Activity.Result], among others: [Activity]
  ) throws -> ActivityStore.Prepared {
    let id = try store.nextID()
    return try ActivityStore.Prepared(
      Activity(
        id: id, kind: .sharing, result: .failed, at: Int64(id),
        party: .init(name: "Shop", identifier: nil, authority: "A", host: "shop.example"),
        registrations: [.init(purposes: ["en": "Delivery"], privacyPolicy: nil, registrar: "R")],
        items: []),
      results: results, among: others, key: device.vaultKey)
  }

  /// Adds activities as fast as a test can: what is there is only read at the bounds.
  private func add(_ result: Activity.Result, _ count: Int = 1) throws {
    for _ in 0..<count { try store.store(prepare([result], among: []), result) }
  }

  func testAResultTakesThePlaceOfTheFormerOne() throws {
    let prepared = try prepare([.mayHaveBeenShared, .shared, .failed], among: [])
    for result in [Activity.Result.mayHaveBeenShared, .failed, .shared] {
      try store.store(prepared, result)
      let found = try all()
      XCTAssertEqual(found.map(\.result), [result])
      XCTAssertEqual(found.first?.registrations.first?.purposes, ["en": "Delivery"])
    }
    try add(.stopped)
    XCTAssertEqual(try all().map(\.result), [.stopped, .shared], "the newest first")
  }

  func testRefusedRequestsPushOutNothingThatWasShared() throws {
    try add(.shared)
    try add(.mayHaveBeenShared)
    try add(.stopped)
    try add(.failed, ActivityStore.maximumRefusals - 1)
    for _ in 0..<3 { try store.store(prepare([.failed], among: all()), .failed) }
    let found = try all()
    XCTAssertEqual(found.count, 2 + ActivityStore.maximumRefusals)
    XCTAssertEqual(found.suffix(2).map(\.result), [.mayHaveBeenShared, .shared])
    XCTAssertFalse(found.contains { $0.result == .stopped }, "the oldest of its kind leaves")
  }

  func testTheOldestShareLeavesForANewOneAndNotForOneThatIsPrepared() throws {
    try add(.failed)
    try add(.shared, ActivityStore.maximumShares)
    let before = try all()
    let prepared = try prepare([.mayHaveBeenShared, .shared, .failed], among: before)
    XCTAssertEqual(try all(), before)
    try store.store(prepared, .mayHaveBeenShared)
    try store.store(prepared, .shared)
    let found = try all()
    XCTAssertEqual(found.count, 1 + ActivityStore.maximumShares)
    XCTAssertEqual(found.last?.result, .failed)
    XCTAssertEqual(found.first?.id, before[0].id + 1)
    XCTAssertFalse(found.contains(before[before.count - 2]), "the oldest share is gone")
  }
}
