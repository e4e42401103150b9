import Foundation
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletStorage
import WalletTransport
import XCTest

@testable import WalletConfiguration

/// PF1.4 1.1: the state of a version under a policy.
final class UpdatePolicyTests: XCTestCase {
  private func state(_ version: String, now: Int64 = 1000, _ rules: UpdateRule...) -> VersionState?
  {
    let claims = UpdatePolicyClaims(providerID: "provider", issuedAt: 0, rules: rules)
    return AppVersion(version).map {
      UpdatePolicyEvaluation(claims: claims).state(of: $0, now: now)
    }
  }

  func testNoRuleIsOk() {
    XCTAssertEqual(state("1.0.0"), .ok)
  }

  func testARuleHoldsFromItsMinimumToBelowItsEnd() {
    let rule = UpdateRule(minimumVersion: "1.2.0", belowVersion: "1.10.0", grade: .recommend)
    XCTAssertEqual(state("1.1.9", rule), .ok)
    XCTAssertEqual(state("1.2.0", rule), .recommend)
    XCTAssertEqual(state("1.9.99-dev", rule), .recommend)
    XCTAssertEqual(state("1.10.0", rule), .ok)
  }

  func testABlockInTheFutureIsAWarningWithTheTimeLeft() {
    let rule = UpdateRule(grade: .block, from: 1000, warningSeconds: 100, updateAvailable: false)
    XCTAssertEqual(state("1.0.0", now: 899, rule), .ok)
    XCTAssertEqual(state("1.0.0", now: 900, rule), .warn(milliseconds: 100_000))
    XCTAssertEqual(state("1.0.0", now: 999, rule), .warn(milliseconds: 1000))
    XCTAssertEqual(state("1.0.0", now: 1000, rule), .block(updateAvailable: false))
  }

  func testTheMostSevereRuleHolds() {
    let soon = UpdateRule(grade: .block, from: 1100)
    let later = UpdateRule(grade: .block, from: 2000)
    let recommend = UpdateRule(grade: .recommend)
    XCTAssertEqual(state("1.0.0", recommend, later, soon), .warn(milliseconds: 100_000))
    XCTAssertEqual(
      state("1.0.0", recommend, soon, UpdateRule(grade: .block)), .block(updateAvailable: true))
  }

  func testExtremeTimesDoNotTrap() {
    for from in [Int64.min, .max, 0] {
      for warning in [Int64.min, .max, -1] {
        let rule = UpdateRule(grade: .block, from: from, warningSeconds: warning)
        for now in [Int64.min, .max, 0] { XCTAssertNotNil(state("1.0.0", now: now, rule)) }
      }
    }
  }

  func testOnlyThreeNumbersAreAVersion() {
    for text in ["", "1", "1.2", "1.2.3.4", "a.b.c", "1..2", "-1.2.3", "1.2.99999999999"] {
      XCTAssertNil(AppVersion(text), text)
    }
  }
}

/// An offline start neither forgets a block nor stops an allowed wallet, and setting the calendar
/// back has no effect.
final class UpdatePolicyRepositoryTests: XCTestCase {
  private var publisher: Publisher!
  private var directory: StorageDirectory!
  private var path: String!

  override func setUpWithError() throws {
    publisher = try Publisher()
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("policy-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    directory = try StorageDirectory(path: path)
  }

  override func tearDown() {
    directory.release()
    try? FileManager.default.removeItem(atPath: path)
  }

  private func repository(
    calendar: Int64, clock: AdjustableClock = AdjustableClock(), isLoaded: Bool = true,
    onChange: @escaping @Sendable (Versioned<VersionState>) -> Void = { _ in }
  ) throws -> UpdatePolicyRepository {
    var environment = SystemEnvironment()
    clock.stop()
    environment.clock = clock
    environment.calendarSeconds = { calendar }
    let repository = UpdatePolicyRepository(
      anchor: try ConfigurationAnchor(document: publisher.document(), pinnedKeys: []),
      appVersion: try XCTUnwrap(AppVersion("1.0.0")), environment: environment, log: .silent,
      onChange: onChange)
    if isLoaded { repository.load(from: directory) }
    return repository
  }

  private func policy(
    issuedAt: Int64, _ rules: UpdateRule..., provider: String = "provider", nonce: String? = nil
  ) throws -> String {
    try policy(issuedAt: issuedAt, rules, provider: provider, nonce: nonce)
  }

  private func policy(
    issuedAt: Int64, _ rules: [UpdateRule], provider: String = "provider", nonce: String? = nil
  ) throws -> String {
    var claims = UpdatePolicyClaims(providerID: provider, issuedAt: issuedAt, rules: rules)
    claims.nonce = nonce
    return try SignedMessage.sign(claims, type: .updatePolicy, signer: publisher.online)
  }

  func testWithoutAnyPolicyTheWalletIsAllowed() throws {
    XCTAssertEqual(try repository(calendar: 0).current.value, .ok)
  }

  func testAFetchWithoutAThreadFailsImmediately() throws {
    let anchor = try ConfigurationAnchor(document: publisher.document(), pinnedKeys: [])
    let refresher = ConfigurationRefresher(
      repository: ConfigurationRepository(anchor: anchor, log: .silent, onChange: { _ in }),
      updatePolicy: try repository(calendar: 1000), clock: AdjustableClock(), log: .silent,
      makeTransport: {
        ProviderTransport(address: anchor.address, certificateAuthority: nil)
      })
    refresher.shutDown()
    let failure = Monitor<WalletError?>(nil)
    refresher.fetchUpdatePolicySoon { answer in failure.update { $0 = answer } }
    XCTAssertEqual(failure.withLock { $0?.kind }, .outOfResources)
  }

  func testAnUnchangedPolicyIsNotAnnounced() throws {
    let announced = Monitor<Int>(0)
    let repository = try repository(calendar: 1000) { _ in announced.update { $0 += 1 } }
    XCTAssertTrue(try repository.accept(policy(issuedAt: 1000)))
    XCTAssertTrue(try repository.accept(policy(issuedAt: 1001)))
    XCTAssertEqual(announced.withLock { $0 }, 0)
  }

  func testABlockSurvivesAnOfflineStart() throws {
    let first = try repository(calendar: 1000)
    XCTAssertTrue(try first.accept(policy(issuedAt: 1000, UpdateRule(grade: .block))))
    XCTAssertEqual(
      try repository(calendar: 1000).current.value, .block(updateAvailable: true))
  }

  func testABlockThatIsLiftedIsForgotten() throws {
    let first = try repository(calendar: 1000)
    XCTAssertTrue(try first.accept(policy(issuedAt: 1000, UpdateRule(grade: .block))))
    XCTAssertTrue(try first.accept(policy(issuedAt: 1001)))
    XCTAssertEqual(try repository(calendar: 1000).current.value, .ok)
  }

  func testAnOlderForgedOrForeignPolicyChangesNothing() throws {
    let repository = try repository(calendar: 1000)
    XCTAssertTrue(try repository.accept(policy(issuedAt: 1000, UpdateRule(grade: .block))))
    XCTAssertFalse(try repository.accept(policy(issuedAt: 999)))
    XCTAssertFalse(try repository.accept(policy(issuedAt: 1001, provider: "other")))
    XCTAssertFalse(try repository.accept(publisher.compact(publisher.claims(9))))
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
  }

  func testTheBlockComesByTimeAloneAndIsAnnouncedOnce() throws {
    let clock = AdjustableClock()
    let announced = Monitor<[VersionState]>([])
    let repository = try repository(calendar: 1000, clock: clock) { state in
      announced.update { $0.append(state.value) }
    }
    XCTAssertTrue(
      try repository.accept(policy(issuedAt: 1000, UpdateRule(grade: .block, from: 1100))))
    clock.advance(by: 100_000)
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    let all = announced.withLock { $0 }
    XCTAssertEqual(all.count, 2)
    XCTAssertEqual(all.last, .block(updateAvailable: true))
  }

  func testAReplayedPolicyDoesNotStopTheTime() throws {
    let clock = AdjustableClock()
    let repository = try repository(calendar: 1000, clock: clock)
    let kept = try policy(issuedAt: 1000, UpdateRule(grade: .block, from: 1100))
    XCTAssertTrue(try repository.accept(kept))
    clock.advance(by: 60_000)
    XCTAssertTrue(try repository.accept(kept))
    clock.advance(by: 60_000)
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
  }

  func testADelayedPolicyAndAClockThatGoesBackLiftNoBlock() throws {
    let clock = AdjustableClock()
    let repository = try repository(calendar: 1000, clock: clock)
    let rule = UpdateRule(grade: .block, from: 2000)
    XCTAssertTrue(try repository.accept(policy(issuedAt: 1000, rule)))
    clock.advance(by: 1_000_000)
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    XCTAssertTrue(try repository.accept(policy(issuedAt: 1001, rule)), "a delayed policy")
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    clock.advance(by: -1_000_000)
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    repository.keepTime()
    XCTAssertEqual(try self.repository(calendar: 0).current.value, .block(updateAvailable: true))
  }

  func testACalendarSetBackDoesNotLiftABlock() throws {
    let clock = AdjustableClock()
    let first = try repository(calendar: 1000, clock: clock)
    XCTAssertTrue(
      try first.accept(policy(issuedAt: 1000, UpdateRule(grade: .block, from: 1100))))
    clock.advance(by: 100_000)
    first.keepTime()
    XCTAssertEqual(try repository(calendar: 0).current.value, .block(updateAvailable: true))
  }

  func testACalendarSetForwardIsCorrectedByTheNextFetch() throws {
    let first = try repository(calendar: 1000)
    let rule = UpdateRule(grade: .block, from: 2_000_000)
    XCTAssertTrue(try first.accept(policy(issuedAt: 1000, rule)))
    let second = try repository(calendar: 3_000_000)
    XCTAssertEqual(second.current.value, .block(updateAvailable: true))
    let request = second.request()
    XCTAssertTrue(
      try second.accept(policy(issuedAt: 1001, rule, nonce: request.nonce), answering: request))
    XCTAssertEqual(second.current.value, .ok)
  }

  /// It may have been held back for long.
  func testAnAnswerWithoutTheNonceTellsNoTime() throws {
    let clock = AdjustableClock()
    let rule = UpdateRule(grade: .block, from: 2_000_000)
    let known = try policy(issuedAt: 1000, rule)
    XCTAssertTrue(try repository(calendar: 1000).accept(known))
    let repository = try repository(calendar: 3_000_000, clock: clock)
    for answer in [known, try policy(issuedAt: 1001, rule)] {
      XCTAssertTrue(try repository.accept(answer))
      XCTAssertFalse(repository.hasAnswer)
      XCTAssertNil(repository.calendarSkew)
      XCTAssertEqual(repository.providerTime, 3_000_000)
      XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    }
  }

  /// It was written while the provider's clock was ahead.
  func testAnOldAnswerDoesNotMoveATimeThatAnAnswerWithTheNonceHasSet() throws {
    let (day, clock): (Int64, AdjustableClock) = (86_400, AdjustableClock())
    let rule = UpdateRule(grade: .block, from: 30 * day)
    let repository = try repository(calendar: day, clock: clock)
    let ahead = try policy(issuedAt: 40 * day, rule)
    XCTAssertTrue(try repository.accept(ahead))
    let request = repository.request()
    XCTAssertTrue(
      try repository.accept(
        policy(issuedAt: 2 * day, rule, nonce: request.nonce), answering: request))
    for old in [ahead, try policy(issuedAt: 2 * day + 11, rule)] {
      XCTAssertFalse(try repository.accept(old))
    }
    XCTAssertTrue(try repository.accept(policy(issuedAt: 2 * day + 10, rule)))
    XCTAssertEqual(repository.providerTime, 2 * day)
    XCTAssertEqual(repository.current.value, .ok)
    repository.keepTime()
    XCTAssertEqual(try self.repository(calendar: day).providerTime, 2 * day + 10)
  }

  /// The answer took five minutes, so the provider's time may be later than what the answer says.
  func testANewPolicyWithoutTheNonceCountsAfterAnAnswerThatWasLongOnItsWay() throws {
    let clock = AdjustableClock()
    let repository = try repository(calendar: 1000, clock: clock)
    let request = repository.request()
    clock.advance(by: 300_000)
    XCTAssertTrue(
      try repository.accept(policy(issuedAt: 1000, nonce: request.nonce), answering: request))
    XCTAssertTrue(
      try repository.accept(policy(issuedAt: 1300, UpdateRule(grade: .block))))
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    XCTAssertEqual(repository.providerTime, 1000)
  }

  /// The provider wrote its answer at some time between the request and its arrival.
  func testTheCalendarIsRightAnywhereWithinTheTimeThatTheAnswerTook() throws {
    let clock = AdjustableClock()
    for (calendar, skew) in [(990, -10), (1000, 0), (1300, 0), (1310, 10)] as [(Int64, Int64)] {
      let repository = try repository(calendar: calendar, clock: clock)
      let request = repository.request()
      clock.advance(by: 300_000)
      XCTAssertTrue(
        try repository.accept(
          policy(issuedAt: 1000, nonce: request.nonce), answering: request))
      XCTAssertEqual(repository.calendarSkew, skew, "\(calendar)")
    }
  }

  /// The clock of one provider was ahead for a moment. Afterwards nothing keeps that time: not the
  /// process, not the file, and not a process that starts from it.
  func testAnAnswerWithTheNonceTakesBackTheTimeOfAClockThatWasAhead() throws {
    let (day, clock): (Int64, AdjustableClock) = (86_400, AdjustableClock())
    let rule = UpdateRule(grade: .block, from: 30 * day)
    let repository = try repository(calendar: day, clock: clock)
    XCTAssertTrue(try repository.accept(policy(issuedAt: 40 * day, rule)))
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    let request = repository.request()
    clock.advance(by: 3000)
    XCTAssertTrue(
      try repository.accept(
        policy(issuedAt: 2 * day, rule, nonce: request.nonce), answering: request))
    XCTAssertEqual(repository.providerTime, 2 * day + 3, "the answer may be as old as the request")
    clock.advance(by: 3000)
    XCTAssertEqual(repository.current.value, .ok)
    repository.keepTime()
    let next = try self.repository(calendar: day)
    XCTAssertEqual(next.providerTime, 2 * day + 6)
    XCTAssertEqual(next.current.value, .ok)
  }

  /// The device slept while the answer was on its way, and the block began meanwhile.
  func testAnAnswerWithTheNonceThatWasLongOnItsWayLiftsNoBlock() throws {
    for ahead in [0, 20] as [Int64] { try assertNoBlockIsLifted(ahead: ahead) }
  }

  /// The same after a start that knows the time from the device's calendar only.
  func testAnAnswerToTheFirstRequestThatWasLongOnItsWayLiftsNoBlock() throws {
    let (hour, clock): (Int64, AdjustableClock) = (3600, AdjustableClock())
    let rule = UpdateRule(grade: .block, from: 12 * hour)
    XCTAssertTrue(try repository(calendar: 8 * hour).accept(policy(issuedAt: 8 * hour, rule)))
    let repository = try repository(calendar: 11 * hour, clock: clock)
    try assertHeldAnswerKeepsTheBlock(repository, clock, issuedAt: 11 * hour, rule)
  }

  func testAnAnswerWithoutTheNonceLiftsNoBlockThatTheCalendarKnowsOf() throws {
    let hour: Int64 = 3600
    let rule = UpdateRule(grade: .block, from: 12 * hour)
    XCTAssertTrue(try repository(calendar: 9 * hour).accept(policy(issuedAt: 9 * hour, rule)))
    let repository = try repository(calendar: 13 * hour)
    let request = repository.request()
    let old = try policy(issuedAt: 10 * hour, rule, nonce: repository.request().nonce)
    XCTAssertTrue(try repository.accept(old, answering: request))
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
  }

  private func assertNoBlockIsLifted(ahead: Int64) throws {
    let (hour, clock): (Int64, AdjustableClock) = (3600, AdjustableClock())
    let rule = UpdateRule(grade: .block, from: 12 * hour)
    let repository = try repository(calendar: 10 * hour, clock: clock)
    // Whether a provider's clock was a little ahead before makes no difference.
    XCTAssertTrue(try repository.accept(policy(issuedAt: 10 * hour + ahead, rule)))
    try assertHeldAnswerKeepsTheBlock(repository, clock, issuedAt: 10 * hour, rule)
    XCTAssertEqual(repository.providerTime, 13 * hour)
  }

  /// Asks, gets the answer three hours later, and checks that the block that began meanwhile holds.
  private func assertHeldAnswerKeepsTheBlock(
    _ repository: UpdatePolicyRepository, _ clock: AdjustableClock, issuedAt: Int64,
    _ rule: UpdateRule
  ) throws {
    let request = repository.request()
    clock.advance(by: 3 * 3_600_000)
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    XCTAssertTrue(
      try repository.accept(
        policy(issuedAt: issuedAt, rule, nonce: request.nonce), answering: request))
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
  }

  /// A refresh may come before the first request that needs the directory.
  func testAFileThatIsReadAfterAnAnswerWithTheNonceMovesNoTimeAndLiftsNoBlock() throws {
    let day: Int64 = 86_400
    let blocks = UpdateRule(grade: .block, from: 2 * day)
    for (stored, published, calendar, expected) in [
      ([], [blocks], day, VersionState.block(updateAvailable: true)),
      ([UpdateRule(grade: .block, from: 40 * day)], [], 50 * day, .ok),
    ] as [([UpdateRule], [UpdateRule], Int64, VersionState)] {
      let earlier = try repository(calendar: day)
      XCTAssertTrue(try earlier.accept(policy(issuedAt: 4 * day, stored)))
      let repository = try repository(calendar: calendar, isLoaded: false)
      let request = repository.request()
      let proven = try policy(issuedAt: 2 * day, published, nonce: request.nonce)
      XCTAssertTrue(try repository.accept(proven, answering: request))
      repository.load(from: directory)
      XCTAssertEqual(repository.providerTime, 2 * day)
      XCTAssertEqual(repository.current.value, expected)
      // Nor does it come back with a start.
      let next = try self.repository(calendar: day)
      XCTAssertEqual(next.providerTime, 2 * day)
      XCTAssertEqual(next.current.value, expected)
      try directory.replaceFile(UpdatePolicyRepository.fileName, with: [])
    }
  }

  func testABlockThatCameBeforeTheDirectoryWasKnownSurvivesAnOfflineStart() throws {
    for earlier in [nil, "x"] {
      if let earlier {
        try directory.replaceFile(UpdatePolicyRepository.fileName, with: Array(earlier.utf8))
      }
      let repository = try repository(calendar: 1000, isLoaded: false)
      let request = repository.request()
      let blocks = UpdateRule(grade: .block, from: 0)
      XCTAssertTrue(
        try repository.accept(
          policy(issuedAt: 1000, blocks, nonce: request.nonce), answering: request))
      repository.load(from: directory)
      let next = try self.repository(calendar: 0)
      XCTAssertEqual(next.current.value, .block(updateAvailable: true))
    }
  }

  func testAnOldAnswerThatIsJudgedWhileTheFileIsReadLiftsNoBlock() throws {
    let blocks = UpdateRule(grade: .block, from: 0)
    XCTAssertTrue(try repository(calendar: 200).accept(policy(issuedAt: 200, blocks)))
    let loads = Monitor<(@Sendable () -> Void)?>(nil)
    var environment = SystemEnvironment()
    environment.calendarSeconds = {
      let load = loads.withLock { load in
        defer { load = nil }
        return load
      }
      load?()
      return 200
    }
    let repository = UpdatePolicyRepository(
      anchor: try ConfigurationAnchor(document: publisher.document(), pinnedKeys: []),
      appVersion: try XCTUnwrap(AppVersion("1.0.0")), environment: environment, log: .silent,
      onChange: { _ in })
    let directory = try XCTUnwrap(directory)
    loads.withLock { $0 = { repository.load(from: directory) } }
    _ = try repository.accept(policy(issuedAt: 100))
    XCTAssertEqual(repository.current.value, .block(updateAvailable: true))
    XCTAssertEqual(try self.repository(calendar: 0).current.value, .block(updateAvailable: true))
  }

  /// A fetch and a request that waits for it may end at the same moment.
  func testThreadsThatStoreAtOnceLeaveTheNewestPolicy() throws {
    let repository = try repository(calendar: 1)
    let failures = Monitor(0)
    for round in 1...200 as ClosedRange<Int64> {
      let blocks = UpdateRule(grade: .block, from: 0)
      let answer = try policy(issuedAt: round, round.isMultiple(of: 2) ? [blocks] : [])
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 { return repository.keepTime() }
        if (try? repository.accept(answer)) != true { failures.update { $0 += 1 } }
      }
      XCTAssertEqual(failures.withLock { $0 }, 0)
      XCTAssertEqual(
        try self.repository(calendar: 0).current.value, repository.current.value, "\(round)")
    }
  }

  func testADamagedTimeInTheFileIsTakenBackToo() throws {
    let day: Int64 = 86_400
    for damaged in [Int64.max, 3_700_000_000, -1, .min] {
      let clock = AdjustableClock()
      let kept = try policy(issuedAt: day)
      try directory.replaceFile(
        UpdatePolicyRepository.fileName,
        with: WireJSON.encode(
          StoredUpdatePolicy(
            policy: kept, latest: damaged, signed: damaged, validity: damaged)))
      let repository = try repository(calendar: day, clock: clock)
      let request = repository.request()
      XCTAssertTrue(
        try repository.accept(
          policy(issuedAt: 2 * day, nonce: request.nonce), answering: request))
      clock.advance(by: 2000)
      XCTAssertEqual(repository.providerTime, 2 * day + 2, "\(damaged)")
    }
  }

  func testAnUnreadableFileIsIgnored() throws {
    for garbage in ["", "x", "{}", #"{"schema":1,"policy":"a.b.c","latest_time":1}"#] {
      try directory.replaceFile(UpdatePolicyRepository.fileName, with: Array(garbage.utf8))
      XCTAssertEqual(try repository(calendar: 0).current.value, .ok)
    }
  }
}

extension UpdatePolicyRepository {
  /// Accepts an answer that lacks the nonce of its request.
  fileprivate func accept(_ compact: String) throws(WalletError) -> Bool {
    try accept(compact, answering: request())
  }
}
