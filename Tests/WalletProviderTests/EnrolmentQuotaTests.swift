import WalletProvider
import XCTest

final class EnrolmentQuotaTests: XCTestCase {
  func testCountsFewChallengesEachTimeAndKeepsTheLimit() {
    let quota = EnrolmentQuota()
    for _ in 1...5 { XCTAssertTrue(quota.take(of: 3, count: { 0 })) }
    XCTAssertTrue(EnrolmentQuota().take(of: 3, count: { 2 }))
    XCTAssertFalse(EnrolmentQuota().take(of: 3, count: { 3 }))
  }

  func testCountsManyChallengesOccasionallyAndKeepsTheLimitInBetween() {
    let quota = EnrolmentQuota()
    var counts = 0
    let taken = (1...10).map { _ in
      quota.take(of: 1_000_003) {
        counts += 1
        return 1_000_000
      }
    }
    XCTAssertEqual(taken, [true, true, true] + Array(repeating: false, count: 7))
    XCTAssertEqual(counts, 1)
  }

  func testFailedCountTakesNoSlot() {
    struct Failure: Error {}
    let quota = EnrolmentQuota()
    XCTAssertThrowsError(try quota.take(of: 3, count: { throw Failure() }))
    XCTAssertTrue(quota.take(of: 1, count: { 0 }))
  }
}
