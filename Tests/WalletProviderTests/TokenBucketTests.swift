import XCTest

@testable import WalletProviderServer

final class TokenBucketTests: XCTestCase {
  private let clock = TestMonotonicClock()

  private func buckets(
    perMinute: Int64, burst: Int64, capacity: Int = 1000
  ) -> TokenBuckets<Int> {
    TokenBuckets(
      RateLimit(perMinute: perMinute, burst: burst), capacity: capacity, clock: clock)
  }

  func testAllowsABurstAndThenOneTokenAtATime() {
    let buckets = buckets(perMinute: 30, burst: 3)
    for _ in 1...3 { XCTAssertNil(buckets.take(1)) }
    XCTAssertEqual(buckets.take(1), 2)
    clock.advance(milliseconds: 1999)
    XCTAssertEqual(buckets.take(1), 1)
    clock.advance(milliseconds: 1)
    XCTAssertNil(buckets.take(1))
    XCTAssertEqual(buckets.take(1), 2)
    clock.advance(milliseconds: 3_600_000)
    for _ in 1...3 { XCTAssertNil(buckets.take(1)) }
    XCTAssertEqual(buckets.take(1), 2, "a long pause gives no more than the burst")
  }

  func testRefusalsAndQueriesTakeNoToken() {
    let buckets = buckets(perMinute: 60, burst: 1)
    for _ in 1...10 { XCTAssertNil(buckets.pause(1)) }
    XCTAssertNil(buckets.take(1))
    for _ in 1...10 { XCTAssertEqual(buckets.take(1), 1) }
    XCTAssertEqual(buckets.pause(1), 1)
    clock.advance(milliseconds: 1000)
    XCTAssertNil(buckets.take(1))
  }

  func testKeysHaveSeparateBuckets() {
    let buckets = buckets(perMinute: 1, burst: 1)
    XCTAssertNil(buckets.take(1))
    XCTAssertNil(buckets.take(2))
    XCTAssertEqual(buckets.take(1), 60)
  }

  func testZeroMeansNoLimit() {
    let buckets = buckets(perMinute: 0, burst: 1)
    for _ in 1...1000 { XCTAssertNil(buckets.take(1)) }
    XCTAssertEqual(buckets.count, 0)
  }

  func testKeepsAtMostTheAllowedBucketsAndTheBusyOnes() {
    let buckets = buckets(perMinute: 1, burst: 1, capacity: 100)
    XCTAssertNil(buckets.take(0))
    for key in 1...10_000 {
      _ = buckets.take(key)
      if key.isMultiple(of: 20) { XCTAssertNotNil(buckets.take(0), "forgotten after \(key)") }
      XCTAssertLessThanOrEqual(buckets.count, 100)
    }
  }

  func testTheLargestLimitsDoNotOverflow() {
    let buckets = buckets(perMinute: 1, burst: .max)
    for _ in 1...100 { XCTAssertNil(buckets.take(1)) }
    let fastest = self.buckets(perMinute: .max, burst: .max)
    XCTAssertNil(fastest.take(1))
  }
}
