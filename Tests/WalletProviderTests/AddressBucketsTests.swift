import XCTest

@testable import WalletProviderServer

/// Limits for somebody with many IPv6 addresses: a /48 has 65,536 of the /64s that count as one.
final class AddressBucketsTests: XCTestCase {
  private let clock = TestMonotonicClock()

  private func address(_ literal: String) throws -> ClientAddress {
    try XCTUnwrap(ClientAddress(literal: literal))
  }

  func testASiteHasSixteenTimesTheRequestsOfAnAddress() throws {
    let buckets = AddressBuckets(
      RateLimit(perMinute: 6, burst: 2), capacity: 10_000, clock: clock)
    var accepted = 0
    for subnet in 0..<1000 {
      if buckets.take(try address("2001:db8:1:\(String(subnet, radix: 16))::1")) == nil {
        accepted += 1
      }
    }
    XCTAssertEqual(accepted, 32)
    XCTAssertNil(buckets.take(try address("2001:db8:2::1")), "another /48 is not concerned")
    clock.advance(milliseconds: 60_000)
    accepted = 0
    for subnet in 2000..<3000 {
      if buckets.take(try address("2001:db8:1:\(String(subnet, radix: 16))::1")) == nil {
        accepted += 1
      }
    }
    XCTAssertEqual(accepted, 32, "no more than a burst after a pause")
  }

  func testAnAddressCannotUseUpTheLimitOfItsSite() throws {
    let buckets = AddressBuckets(
      RateLimit(perMinute: 1, burst: 2), capacity: 1000, clock: clock)
    let busy = try address("2001:db8:1:1::1")
    for number in 1...1000 { XCTAssertEqual(buckets.take(busy) == nil, number <= 2) }
    XCTAssertNil(buckets.take(try address("2001:db8:1:2::1")))
  }

  func testIPv4AddressesHaveNoSiteAndNoLimitIsNone() throws {
    let buckets = AddressBuckets(
      RateLimit(perMinute: 1, burst: 1), capacity: 1000, clock: clock)
    for number in 0..<100 { XCTAssertNil(buckets.take(try address("192.0.2.\(number)"))) }
    let unlimited = AddressBuckets(
      RateLimit(perMinute: 0, burst: 1), capacity: 1000, clock: clock)
    let one = try address("2001:db8::1")
    for _ in 1...100 { XCTAssertNil(unlimited.take(one)) }
    let fast = AddressBuckets(
      RateLimit(perMinute: RateLimit.fastest, burst: RateLimit.fastest), capacity: 1000,
      clock: clock)
    XCTAssertNil(fast.take(one))
  }

  func testCountsConnectionsOfASite() throws {
    let counter = ConnectionCounter(limit: 10_000, limitPerAddress: 2)
    var open: [ClientAddress] = []
    for subnet in 0..<100 {
      for _ in 1...2 {
        let client = try address("2001:db8:1:\(String(subnet, radix: 16))::1")
        if counter.open(client) == nil { open.append(client) }
      }
    }
    XCTAssertEqual(open.count, 32)
    XCTAssertEqual(counter.open(try address("2001:db8:1:ffff::1")), .connectionsPerAddress)
    XCTAssertNil(counter.open(try address("2001:db8:2::1")))
    for client in open { counter.close(client) }
    XCTAssertEqual(counter.count, 1)
    XCTAssertNil(counter.open(try address("2001:db8:1:ffff::1")))
  }
}
