import Foundation
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletStorage
import WalletTransport
import XCTest

@testable import WalletConfiguration

/// A provider that the test tells what to answer. With neither policy nor configuration it cannot
/// be reached.
private final class ScriptedProvider: Transport, Sendable {
  struct Answers: Sendable {
    var policy: UpdatePolicyClaims?
    var configuration: ConfigurationClaims?
    /// Whether the policy has the nonce of the request.
    var isFresh = true
    var requests = 0
  }

  let publisher: Publisher
  let answers = Monitor(Answers())

  init(_ publisher: Publisher) { self.publisher = publisher }

  func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    let answers = answers.update { answers in
      answers.requests += 1
      return answers
    }
    do {
      if request.path == Route.updatePolicy, var policy = answers.policy {
        if answers.isFresh { policy.nonce = request.headers[Route.nonceHeader] }
        let compact = try SignedMessage.sign(
          policy, type: .updatePolicy, signer: publisher.online)
        return HTTPResponse(status: 200, body: Array(compact.utf8))
      }
      if request.path == Route.configuration, let claims = answers.configuration {
        return HTTPResponse(status: 200, body: Array(try publisher.compact(claims).utf8))
      }
    } catch { throw WalletError(.internalDefect, "\(error)") }
    throw WalletError(.noInternet, "no answer")
  }
}

/// The configuration that something may be sealed under.
final class CurrentConfigurationTests: XCTestCase {
  private static let day: Int64 = 86_400
  private let clock = AdjustableClock()
  private let calendar = Monitor<Int64>(0)
  private var publisher: Publisher!
  private var provider: ScriptedProvider!
  private var directory: StorageDirectory!
  private var path: String!
  private var refreshers: [ConfigurationRefresher] = []

  override func setUpWithError() throws {
    publisher = try Publisher()
    provider = ScriptedProvider(publisher)
    clock.stop()
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("current-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    directory = try StorageDirectory(path: path)
  }

  override func tearDown() {
    for refresher in refreshers { refresher.shutDown() }
    directory.release()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// A configuration and the policy that names it, of one day by the provider's time.
  private func publish(
    onDay day: Int64, version: UInt64 = 6, isFresh: Bool = true,
    _ change: (inout UpdatePolicyClaims, inout ConfigurationClaims) -> Void = { _, _ in }
  ) throws {
    var configuration = publisher.claims(version)
    configuration.validUntil = (day + 7) * Self.day
    let hash = Base64URL.encode(
      Hash.sha256(Array(try publisher.compact(configuration).utf8)))
    var policy = UpdatePolicyClaims(
      providerID: "provider", issuedAt: day * Self.day, rules: [],
      validUntil: (day + 7) * Self.day, configurationVersion: version, configurationHash: hash)
    change(&policy, &configuration)
    provider.answers.update { [policy, configuration] answers in
      answers.policy = policy
      answers.configuration = configuration
      answers.isFresh = isFresh
    }
  }

  /// The wallet as a new process finds it.
  private func start() throws -> CurrentConfiguration {
    let anchor = try ConfigurationAnchor(document: publisher.document(), pinnedKeys: [])
    var environment = SystemEnvironment()
    environment.clock = clock
    environment.calendarSeconds = { [calendar] in calendar.withLock { $0 } }
    let repository = ConfigurationRepository(anchor: anchor, log: .silent, onChange: { _ in })
    let updatePolicy = UpdatePolicyRepository(
      anchor: anchor, appVersion: try XCTUnwrap(AppVersion("1.0.0")), environment: environment,
      log: .silent, onChange: { _ in })
    let provider: ScriptedProvider = try XCTUnwrap(provider)
    let refresher = ConfigurationRefresher(
      repository: repository, updatePolicy: updatePolicy, clock: clock, log: .silent,
      makeTransport: { provider })
    refreshers.append(refresher)
    repository.load(from: directory)
    updatePolicy.load(from: directory)
    return CurrentConfiguration(
      repository: repository, updatePolicy: updatePolicy, refresher: refresher)
  }

  private func setDay(_ day: Int64) { calendar.update { $0 = day * Self.day } }

  private func fetch(_ current: CurrentConfiguration) throws -> UInt64 {
    try current.fetched(cancellation: Cancellation()).configurationVersion
  }

  private func assertFetchFails(
    _ current: CurrentConfiguration, _ kind: WalletError.Kind, line: UInt = #line
  ) {
    XCTAssertThrowsError(try fetch(current), line: line) {
      XCTAssertEqual(($0 as? WalletError)?.kind, kind, line: line)
    }
    XCTAssertNil(current.known, line: line)
  }

  func testTheEmbeddedConfigurationHasToBeFetchedFirst() throws {
    setDay(1)
    let current = try start()
    XCTAssertNil(current.known)
    assertFetchFails(current, .noInternet)
    try publish(onDay: 1)
    XCTAssertEqual(try fetch(current), 6)
    XCTAssertEqual(current.known?.configurationVersion, 6)
    XCTAssertEqual(try start().known?.configurationVersion, 6, "known to the next process")
  }

  func testItExpiresByTheClockWhateverTheCalendarSaysAndAFetchRenewsIt() throws {
    setDay(1)
    try publish(onDay: 1)
    let current = try start()
    XCTAssertEqual(try fetch(current), 6)
    setDay(300)
    XCTAssertNotNil(current.known, "the provider has told the time")
    setDay(-300)
    clock.advance(by: 7 * Self.day * 1000 - 1000)
    XCTAssertNotNil(current.known)
    clock.advance(by: 1000)
    XCTAssertNil(current.known)
    clock.advance(by: -8 * Self.day * 1000)
    XCTAssertNil(current.known, "a clock that goes back")
    clock.advance(by: 8 * Self.day * 1000)
    try publish(onDay: 8)
    XCTAssertEqual(try fetch(current), 6)
    XCTAssertNotNil(current.known)
  }

  func testReplayedAnswersDoNotTurnTheTimeBack() throws {
    setDay(1)
    try publish(onDay: 1)
    XCTAssertEqual(try fetch(start()), 6)
    setDay(20)
    // The one that is known, and one that was kept back.
    for day in [1, 2] as [Int64] {
      try publish(onDay: day, isFresh: false)
      let current = try start()
      XCTAssertNil(current.known)
      assertFetchFails(current, .serverUnreachable)
    }
    setDay(2)
    XCTAssertNil(try start().known, "a calendar that is set back")
    try publish(onDay: 2)
    XCTAssertEqual(try fetch(start()), 6, "an answer to this request puts the time right")
    XCTAssertNotNil(try start().known)
  }

  func testACalendarThatIsAheadOnlyCostsAFetch() throws {
    setDay(400)
    try publish(onDay: 1)
    let current = try start()
    XCTAssertEqual(try fetch(current), 6)
    XCTAssertNotNil(current.known)
  }

  func testAProviderWhoseClockWasAheadLocksNobodyOut() throws {
    setDay(1)
    try publish(onDay: 40)
    XCTAssertEqual(try fetch(start()), 6)
    // The clock was put right. A replay of an older answer is still refused.
    try publish(onDay: 2, isFresh: false)
    assertFetchFails(try start(), .serverUnreachable)
    try publish(onDay: 2)
    let current = try start()
    XCTAssertEqual(try fetch(current), 6)
    XCTAssertNotNil(current.known)
  }

  func testOneThatThePolicyDoesNotNameHasToBeFetched() throws {
    setDay(1)
    try publish(onDay: 1) { policy, _ in policy.configurationVersion = 7 }
    assertFetchFails(try start(), .serverUnreachable)
    try publish(onDay: 1) { policy, _ in policy.configurationHash = "another" }
    assertFetchFails(try start(), .serverUnreachable)
    try publish(onDay: 1) { policy, _ in policy.validUntil = nil }
    assertFetchFails(try start(), .serverUnreachable)
    try publish(onDay: 1) { policy, _ in policy.configurationVersion = 5 }
    XCTAssertEqual(try fetch(start()), 6, "newer than the policy")
  }

  func testARenewalKeepsItsVersionAndAnEarlierOneIsNoRollBack() throws {
    setDay(1)
    try publish(onDay: 3)
    let current = try start()
    XCTAssertEqual(try fetch(current), 6)
    try publish(onDay: 5)
    XCTAssertEqual(try fetch(current), 6)
    XCTAssertEqual(current.known?.validUntil, 12 * Self.day)
    try publish(onDay: 5, version: 5)
    XCTAssertEqual(try fetch(current), 6, "a policy of an earlier time does not take it back")
  }
}
