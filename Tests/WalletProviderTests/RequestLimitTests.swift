import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import WalletProtocol
import WalletProvider
import XCTest

@testable import WalletProviderServer

/// Requests per address and in progress, through the HTTP layer.
final class RequestLimitTests: XCTestCase {
  private let clock = TestMonotonicClock()

  private func limits(_ change: (inout LimitSettings) -> Void) -> RequestLimits {
    var settings = LimitSettings()
    change(&settings)
    return RequestLimits(settings, proxyHeader: .xForwardedFor, clock: clock)
  }

  private func from(_ address: String) throws -> HTTPFields { try Self.from(address) }

  private static func from(_ address: String) throws -> HTTPFields {
    [try XCTUnwrap(HTTPField.Name("X-Forwarded-For")): "203.0.113.9, " + address]
  }

  func testLimitsAnAddressWithTooManyRequestsButNotOthers() async throws {
    let limits = limits { $0.address = RateLimit(perMinute: 12, burst: 3) }
    let (busy, other) = (try from("192.0.2.1"), try from("192.0.2.2"))
    try await withHTTP(try ProviderHarness(), limits: limits) { http in
      for path in [Route.configuration, "/none", Route.updatePolicy] {
        let served = try await http.get(path, headers: busy)
        XCTAssertNotEqual(served.status, .tooManyRequests)
      }
      for path in [Route.configuration, "/none", Route.registrations] {
        let limited = try await http.get(path, headers: busy)
        XCTAssertEqual(limited.problemKind(), .tooManyRequests)
        XCTAssertEqual(limited.headers[.retryAfter], "5")
      }
      let served = try await http.get(Route.configuration, headers: other)
      XCTAssertEqual(served.status, .ok)
      for path in [Route.live, Route.ready] {
        let health = try await http.get(path, headers: busy)
        XCTAssertEqual(health.status, .ok, "monitoring is not limited")
      }
    }
    clock.advance(milliseconds: 5000)
    try await withHTTP(try ProviderHarness(), limits: limits) { http in
      let served = try await http.get(Route.configuration, headers: busy)
      XCTAssertEqual(served.status, .ok)
    }
    XCTAssertEqual(limits.metrics.limitsHit.value("address_rate"), 3)
  }

  /// A site with a /48 has 65,536 of the /64s that count as one address.
  private static func from(subnet: Int, of site: Int = 1) throws -> HTTPFields {
    try from("2001:db8:\(site):\(String(subnet, radix: 16))::1")
  }

  /// The number of requests that were not limited, one from each of 40 subnets of a site.
  private static func accepted(
    _ request: (HTTPFields) async throws -> TestResponse
  ) async throws -> Int {
    var accepted = 0
    for subnet in 0..<40 {
      let answer = try await request(try from(subnet: subnet))
      if answer.status == .tooManyRequests {
        XCTAssertEqual(answer.problemKind(), .tooManyRequests)
      } else {
        accepted += 1
      }
    }
    let elsewhere = try await request(try from(subnet: 0, of: 2))
    XCTAssertNotEqual(elsewhere.status, .tooManyRequests, "another site is not concerned")
    return accepted
  }

  func testLimitsRequestsOfASiteWithManySubnets() async throws {
    let limits = limits { $0.address = RateLimit(perMinute: 6, burst: 2) }
    try await withHTTP(try ProviderHarness(), limits: limits) { http in
      let accepted = try await Self.accepted {
        try await http.get(Route.configuration, headers: $0)
      }
      XCTAssertEqual(accepted, 32)
    }
    XCTAssertEqual(limits.metrics.limitsHit.value("address_rate"), 8)
  }

  func testLimitsRegistrationsOfASiteWithManySubnets() async throws {
    let limits = limits { $0.registration = RateLimit(perMinute: 6, burst: 2) }
    try await withHTTP(try ProviderHarness(), limits: limits) { http in
      let accepted = try await Self.accepted {
        try await http.post(Route.registrationChallenge, [], headers: $0)
      }
      XCTAssertEqual(accepted, 32)
    }
    XCTAssertEqual(limits.metrics.limitsHit.value("registration_rate"), 8)
  }

  func testLimitsFormsOfASiteWithManySubnets() async throws {
    let limits = limits { $0.enrolment = RateLimit(perMinute: 6, burst: 2) }
    let site = try XCTUnwrap(HTTPField.Name("Sec-Fetch-Site"))
    try await withHTTP(try ProviderHarness(), enrolment: true, limits: limits) { http in
      let accepted = try await Self.accepted {
        var headers = $0
        headers[site] = "same-origin"
        return try await http.post(
          "/enrol", [], type: "application/x-www-form-urlencoded", headers: headers)
      }
      XCTAssertEqual(accepted, 32)
    }
    XCTAssertEqual(limits.metrics.limitsHit.value("enrol_rate"), 8)
  }

  func testLimitsFormsMoreStrictlyThanPages() async throws {
    let limits = limits { $0.enrolment = RateLimit(perMinute: 1, burst: 2) }
    let origin = try XCTUnwrap(HTTPField.Name("Sec-Fetch-Site"))
    var headers = try from("192.0.2.1")
    headers[origin] = "same-origin"
    let (busy, form) = (headers, "application/x-www-form-urlencoded")
    try await withHTTP(try ProviderHarness(), enrolment: true, limits: limits) { http in
      for _ in 1...2 {
        let refused = try await http.post("/enrol", [], type: form, headers: busy)
        XCTAssertEqual(refused.status, .badRequest)
      }
      let limited = try await http.post("/enrol", [], type: form, headers: busy)
      XCTAssertEqual(limited.problemKind(), .tooManyRequests)
      XCTAssertEqual(limited.headers[.retryAfter], "60")
      let page = try await http.get("/enrol", headers: busy)
      XCTAssertEqual(page.status, .ok)
    }
  }

  func testStartsNoWorkBeyondTheRequestsInProgress() async throws {
    let limits = limits { $0.requestsInProgress = 2 }
    let store = GatedStore()
    let harness = try ProviderHarness()
    let body = try TestWallet(harness).prepareRegistrationChallenge().body
    try await withHTTP(harness, store: store, limits: limits) { http in
      try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for _ in 1...2 {
          group.addTask { try await http.post(Route.registrationChallenge, body).status }
        }
        await store.waitForTransactions(2)
        let refused = try await http.post(Route.registrationChallenge, body)
        XCTAssertEqual(refused.problemKind(), .unavailable)
        XCTAssertEqual(refused.headers[.retryAfter], "1")
        let configuration = try await http.get(Route.configuration)
        XCTAssertEqual(configuration.status, .ok, "liveness needs no store")
        XCTAssertEqual(store.held.withLock { $0 }, 2, "the refused request did not reach the store")
        store.open()
        for try await status in group { XCTAssertEqual(status, .serviceUnavailable) }
      }
      let next = try await http.post(Route.registrationChallenge, body)
      XCTAssertEqual(next.status, .serviceUnavailable, "the slot is free, but the store fails")
    }
    XCTAssertEqual(store.held.withLock { $0 }, 3)
    XCTAssertEqual(limits.requestsInProgress, 0)
    XCTAssertEqual(limits.metrics.limitsHit.value("requests_in_progress"), 1)
  }

  func testLimitsAndReleasesTheMemoryOfAllBodies() async throws {
    let limits = limits { _ in }
    let all = limits.settings.anyBodiesBytes
    let long = [UInt8](repeating: 32, count: BodyMemory.smallBody + 1)
    let others = try limits.memory(forBody: all)
    try await withHTTP(try ProviderHarness(), limits: limits) { http in
      let refused = try await http.post(Route.registrations, long)
      XCTAssertEqual(refused.problemKind(), .unavailable)
      let small = try await http.post(Route.registrations, [1])
      XCTAssertEqual(
        small.problemKind(), .malformedRequest, "long bodies do not use the memory of small ones")
      limits.bodies.giveBack(others)
      let read = try await http.post(Route.registrations, long)
      XCTAssertEqual(read.problemKind(), .malformedRequest)
    }
    XCTAssertEqual(limits.bodies.taken, 0)
    XCTAssertEqual(limits.metrics.limitsHit.value("body_memory"), 1)
  }

  func testSmallBodiesUseSharedMemoryWhenTheirOwnIsFull() throws {
    let memory = BodyMemory(small: 20, any: 30)
    let first = try XCTUnwrap(memory.take(20))
    let second = try XCTUnwrap(memory.take(20))
    XCTAssertNil(memory.take(20))
    memory.giveBack(first)
    let third = try XCTUnwrap(memory.take(20))
    for share in [second, third] { memory.giveBack(share) }
    XCTAssertEqual(memory.taken, 0)
  }

  func testBodyCountsWithItsReservedMemory() async throws {
    let limits = limits { _ in }
    let most = limits.settings.bodyBytes
    let cases: [(declared: Int?, sent: Int, taken: Int)] = [
      (100_000, 3, 100_000), (nil, 3, BodyMemory.smallBody), (nil, 20_000, most),
    ]
    for (declared, sent, taken) in cases {
      var head = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/")
      head.headerFields[.contentLength] = declared.map { String($0) }
      let half = ByteBuffer(repeating: 1, count: sent / 2)
      let rest = ByteBuffer(repeating: 1, count: sent - sent / 2)
      let parts = AsyncStream { continuation in
        for part in [half, rest] { continuation.yield(part) }
        continuation.finish()
      }
      let request = Request(head: head, body: RequestBody(asyncSequence: parts))
      try await RequestBodyReader(limits, maximumLength: most).with(request) { body in
        XCTAssertEqual(body.count, sent)
        XCTAssertEqual(limits.bodies.taken, taken)
      }
      XCTAssertEqual(limits.bodies.taken, 0)
    }
  }

  func testLimitsChallengesForRegistrationsMoreStrictlyThanOtherRequests() async throws {
    let limits = limits { $0.registration = RateLimit(perMinute: 1, burst: 2) }
    let (busy, other) = (try from("192.0.2.1"), try from("192.0.2.2"))
    let harness = try ProviderHarness()
    let body = try TestWallet(harness).prepareRegistrationChallenge().body
    let most = limits.settings.bodyBytes
    try await withHTTP(harness, limits: limits) { http in
      let long = try await http.post(
        Route.registrationChallenge, [UInt8](repeating: 32, count: most + 1), headers: busy)
      XCTAssertEqual(long.problemKind(), .bodyTooLarge)
      let served = try await http.post(Route.registrationChallenge, body, headers: busy)
      XCTAssertEqual(served.status, .ok)
      let limited = try await http.post(Route.registrationChallenge, body, headers: busy)
      XCTAssertEqual(limited.problemKind(), .tooManyRequests)
      XCTAssertEqual(limited.headers[.retryAfter], "60")
      let another = try await http.post(Route.registrationChallenge, body, headers: other)
      XCTAssertEqual(another.status, .ok)
      let configuration = try await http.get(Route.configuration, headers: busy)
      XCTAssertEqual(configuration.status, .ok)
    }
    XCTAssertEqual(limits.metrics.limitsHit.value("registration_rate"), 1)
  }

  func testReadinessQueriesTheStoreOnceASecondWithADeadline() async throws {
    let harness = try ProviderHarness()
    let store = GatedStore()
    let provider = Provider(
      identity: harness.directory.identity, store: store, evaluator: harness.evaluator,
      settings: harness.settings)
    let readiness = Readiness(
      provider, metrics: ServerMetrics(), deadline: .milliseconds(1), clock: clock)
    for _ in 1...3 {
      let kind = await problem { try await readiness.check() }
      XCTAssertEqual(kind, .unavailable)
    }
    await store.waitForTransactions(1)
    XCTAssertEqual(store.held.withLock { $0 }, 1, "one query at a time")
    store.open()
  }
}

/// A store that holds transactions until it is opened, and then fails.
private final class GatedStore: ProviderStore {
  var clock: any ProviderClock { SystemWallClock() }
  let held = Mutex(0)
  private let gate = AsyncStream.makeStream(of: Void.self)
  private let arrivals = AsyncStream.makeStream(of: Void.self)

  func open() { gate.continuation.finish() }

  func waitForTransactions(_ count: Int) async {
    var iterator = arrivals.stream.makeAsyncIterator()
    while held.withLock({ $0 }) < count { await iterator.next() }
  }

  private func hold() async throws {
    held.withLock { $0 += 1 }
    arrivals.continuation.yield()
    for await _ in gate.stream {}
    throw StoreFailure("gone")
  }

  func transaction<Result: Sendable>(
    _: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    try await hold()
    throw StoreFailure("gone")
  }

  func ping() async throws { try await hold() }
}
