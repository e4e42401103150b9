import Foundation
import Synchronization
import TestSupport
import WalletAttempts
import WalletProtocol
import WalletProvider
import WalletProviderPostgreSQL
import XCTest

/// Failures of a database that is reached over a network.
final class PostgreSQLFailureTests: StoreTestCase {
  override class var kind: StoreKind { .postgreSQL }

  private func store(
    _ database: TestDatabase, _ set: (inout DatabaseLimits) -> Void = { _ in }
  ) throws -> PostgreSQLProviderStore {
    var limits = DatabaseLimits()
    limits.connections = 2
    set(&limits)
    return try PostgreSQLProviderStore(
      try database.url, authentication: try .forTests(), limits: limits)
  }

  /// The message of the failure of `work`.
  private func failure(
    file: StaticString = #filePath, line: UInt = #line, _ work: () async throws -> Void
  ) async -> String {
    do {
      try await work()
      XCTFail("did not fail", file: file, line: line)
      return ""
    } catch {
      XCTAssertTrue(error is StoreFailure, "\(error)", file: file, line: line)
      return "\(error)"
    }
  }

  /// Repeats work whose limit a busy machine may exceed.
  private func persist<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
    let end = ContinuousClock.now + .milliseconds(Patience.milliseconds)
    while true {
      do { return try await work() } catch is StoreFailure where ContinuousClock.now < end {}
    }
  }

  /// A wallet in the store, so that there is a row to lock.
  private func makeWallet(_ store: PostgreSQLProviderStore) async throws {
    try await store.transaction { rows in
      try rows.insert(
        StoredWallet(
          id: "w", registration: "r", hardwareKey: [1], hardwareKeyHash: [2], sealingKey: "k",
          sealedPinKey: [3], pinKeyID: "p", sealedHalf: [5], sealedShare: [4], sequence: 0,
          confirmed: true, registeredAt: 1,
          attempts: AttemptState()))
    }
  }

  private func lock(_ database: TestDatabase) throws -> TestConnection {
    let holder = try TestConnection(database.text)
    try holder.execute("BEGIN; SELECT id FROM wallet WHERE id = 'w' FOR UPDATE")
    return holder
  }

  func testCountsGuessesOverBrokenConnectionsOnce() async throws {
    var settings = ProviderSettings()
    settings.attemptPolicy = try AttemptPolicy(
      rounds: 1, attemptsPerRound: 100, blockDurations: [], failuresPerMonth: 1000)
    let harness = try ProviderHarness(settings: settings)
    let second = try harness.secondProvider()
    let wallet = try await TestWallet.confirmed(harness)
    let database = try harness.database()
    let isOver = Mutex(false)
    let cutter = Task.detached {
      while !isOver.withLock({ $0 }) {
        try database.endConnections()
        try await Task.sleep(for: .milliseconds(3))
      }
    }
    var cuts = 0
    func persist<Answer>(_ work: (Provider) async throws -> Answer) async throws -> Answer {
      for round in 1...1_000 {
        do {
          return try await work(round % 2 == 0 ? second : harness.provider)
        } catch is StoreFailure { cuts += 1 }
      }
      throw StoreFailure("never answered")
    }
    let guesses = Sample.rounds(15, of: 60)
    for number in 1...guesses {
      // The same bytes are sent again if an answer was lost.
      let asked = try wallet.prepareChallenge(.checkPin)
      let answer = try await persist { try await wallet.send(asked, to: $0) }
      let challenge = try wallet.challenge(in: answer, of: asked)
      let guess = try wallet.preparePin(.checkPin, pin: "654123", challenge: challenge)
      let outcome = try await persist { try await wallet.send(guess, to: $0) }
      XCTAssertEqual(outcome, .wrong(attemptsLeft: UInt32(100 - number), finalRound: true))
    }
    isOver.withLock { $0 = true }
    try await cutter.value
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, guesses)
    XCTAssertGreaterThan(cuts, 0, "connections were cut under requests")
  }

  func testStoreSurvivesARestartOfTheServer() async throws {
    let server = try PostgreSQLServer.shared()
    let store = try store(try server.makeDatabase())
    try await makeWallet(store)
    server.stop()
    defer { try? server.start() }
    let transaction = await failure { _ = try await store.transaction { try $0.wallet(id: "w") } }
    XCTAssertTrue(transaction.contains("connect"), transaction)
    let ping = await failure { try await store.ping() }
    XCTAssertTrue(ping.contains("connect"), ping)
    try server.start()
    let found = try await store.transaction { try $0.wallet(id: "w")?.id }
    XCTAssertEqual(found, "w")
    try await store.ping()
    // The connection of the other thread was not used since; it is replaced transparently.
    for _ in 1...4 { try await store.ping() }
  }

  func testReplacesABrokenIdleConnectionTransparently() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    let store = try store(database)
    try await makeWallet(store)
    for _ in 1...5 {
      try database.endConnections()
      let found = try await store.transaction { try $0.wallet(id: "w")?.id }
      XCTAssertEqual(found, "w")
      try database.endConnections()
      try await store.ping()
    }
  }

  func testWaitForALockTimesOut() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    try await makeWallet(store(database))
    let store = try store(database) { $0.lock = 200 }
    let holder = try lock(database)
    let message = await failure { _ = try await store.transaction { try $0.wallet(id: "w") } }
    XCTAssertTrue(message.contains("55P03"), "not another limit: \(message)")
    try holder.execute("COMMIT")
    let found = try await store.transaction { try $0.wallet(id: "w")?.id }
    XCTAssertEqual(found, "w")
  }

  func testServerCancelsAStatementThatTakesTooLong() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    try await makeWallet(store(database))
    let store = try store(database) {
      $0.lock = 0
      $0.statement = 200
    }
    let holder = try lock(database)
    let message = await failure { _ = try await store.transaction { try $0.wallet(id: "w") } }
    XCTAssertTrue(message.contains("57014"), message)
    try holder.execute("COMMIT")
  }

  func testGivesUpAServerThatNoLongerResponds() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    try await makeWallet(store(database))
    let store = try store(database) {
      $0.connections = 1
      $0.transaction = 300
    }
    let before = try await persist { try await store.transaction { try $0.wallet(id: "w")?.id } }
    XCTAssertEqual(before, "w")
    // A query of an earlier connection may still be about to end.
    let processes = try database.execute(
      """
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'wallet-provider'
      """
    ).compactMap(Int32.init)
    XCTAssertFalse(processes.isEmpty)
    for process in processes { kill(process, SIGSTOP) }
    let message = await failure { _ = try await store.transaction { try $0.wallet(id: "w") } }
    XCTAssertTrue(message.contains("does not answer in time"), "not another limit: \(message)")
    for process in processes { kill(process, SIGCONT) }
    let found = try await persist { try await store.transaction { try $0.wallet(id: "w")?.id } }
    XCTAssertEqual(found, "w")
  }

  func testRefusesExcessTransactionsAtOnceAndLongWaitsInTime() async throws {
    let store = try store(try PostgreSQLServer.shared().makeDatabase()) {
      $0.connections = 1
      $0.waiting = 1
      $0.connectionWait = 100
    }
    try await persist { try await store.ping() }
    let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let beginnings = Counter()
    let end = ContinuousClock.now + .milliseconds(Patience.milliseconds)
    let busy = Task {
      while true {
        do {
          return try await store.transaction { _ in
            beginnings.add()
            started.signal()
            gate.wait()
          }
        } catch is StoreFailure where beginnings.value == 0 && ContinuousClock.now < end {
          // On a busy machine the only thread may not have been free in time.
        }
      }
    }
    let hasStarted = try await eventuallySuspending { started.wait(timeout: .now()) == .success }
    XCTAssertTrue(hasStarted)
    let messages = await withTaskGroup(of: String.self) { group in
      for _ in 1...3 {
        group.addTask {
          do { try await store.ping() } catch { return "\(error)" }
          return "went well"
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    XCTAssertEqual(messages, Array(repeating: "no connection to PostgreSQL was free", count: 3))
    gate.signal()
    try await busy.value
    try await persist { try await store.ping() }
  }

  func testRefusesTransactionsBeyondTheQueueAtOnce() async throws {
    let store = try store(try PostgreSQLServer.shared().makeDatabase()) {
      $0.connections = 1
      $0.waiting = 1
      // Longer than this test: only the length of the queue refuses.
      $0.connectionWait = 10 * Patience.milliseconds
    }
    let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let busy = Task {
      try await store.transaction { _ in
        started.signal()
        gate.wait()
      }
    }
    let hasStarted = try await eventuallySuspending { started.wait(timeout: .now()) == .success }
    XCTAssertTrue(hasStarted)
    let refused = Counter()
    let others = (1...3).map { _ in
      Task {
        do { try await store.ping() } catch { refused.add() }
      }
    }
    let areRefused = try await eventuallySuspending { refused.value == 2 }
    XCTAssertTrue(areRefused)
    gate.signal()
    try await busy.value
    for other in others { await other.value }
    XCTAssertEqual(refused.value, 2, "one waited")
  }

  /// The commit may have arrived, and what it did must not be done once more.
  func testRunsNoTransactionAnewWhoseCommitWasSent() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    let store = try store(database)
    let runs = Counter()
    try? await store.transaction { rows in
      _ = try rows.now
      runs.add()
      if runs.value == 1 { try database.endConnections() }
    }
    XCTAssertEqual(runs.value, 1)
  }

  func testDeadlockedTransactionsBothSucceed() async throws {
    let store = try store(try PostgreSQLServer.shared().makeDatabase()) { $0.connections = 2 }
    try await store.transaction { rows in
      for id in ["a", "b"] {
        try rows.insert(StoredAccount(id: id, sealingKey: "k", sealedPerson: [], createdAt: 0))
      }
    }
    let arrived = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for order in [["a", "b"], ["b", "a"]] {
        group.addTask {
          try await store.transaction { rows in
            for (number, id) in order.enumerated() {
              guard var account = try rows.account(id: id) else { throw StoreFailure("gone") }
              account.createdAt += 1
              try rows.update(account)
              guard number == 0 else { continue }
              // Until both have locked their first row; a retry finds the other there.
              arrived.add()
              _ = eventually { arrived.value >= 2 }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let accounts = try await store.transaction { try $0.found(StoredAccount.self, limit: 9) }
    XCTAssertEqual(accounts.map(\.createdAt), [2, 2])
    XCTAssertGreaterThan(arrived.value, 2)
  }

  func testCommitIsOnDiskWhateverTheDatabaseDefaults() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    for (set, expected) in [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")] {
      try database.execute(
        """
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = \(set)',
          current_database()); END $$
        """)
      let found = try await store(database).setting("synchronous_commit")
      XCTAssertEqual(found, expected)
    }
  }

  func testNoMessageContainsTheURLOrPassword() async throws {
    let urls = [
      "postgresql://user:geheim@127.0.0.1:1/database",
      "postgresql://user:geheim@127.0.0.1:1/database?nothing=geheim",
      "postgresql://user:gehe%im@127.0.0.1:1/database", "postgresql://user:geheim@[::1/database",
      // Results of an unescaped / or @ in a password.
      "postgresql://user:geheim/x@127.0.0.1:1/database",
      "postgresql://user:x@geheim@127.0.0.1:1/database",
      "postgresql://user:1/geheim@127.0.0.1:1/database",
      "postgresql://127.0.0.1:1/geheim@127.0.0.1:1/database",
      "postgresql://user:x@geheim.invalid/database",
      "postgresql://127.0.0.1:1,geheim.invalid/database",
      "postgresql://user@127.0.0.1:1/database?sslmode=geheim",
      "postgresql://user@127.0.0.1:1/database?target_session_attrs=geheim",
      "postgresql://user@127.0.0.1/database?port=geheim",
    ]
    for text in urls {
      let url = try DatabaseURL(text)
      XCTAssertEqual("\(url)", "DatabaseURL")
      let message = await failure { _ = try PostgreSQLProviderStore(url) }
      XCTAssertFalse(message.contains("gehe"), message)
      XCTAssertTrue(message.contains("PostgreSQL"), message)
    }
    for text in ["geheim", "mysql://geheim", "postgresql://ge heim", ""] {
      XCTAssertThrowsError(try DatabaseURL(text)) {
        XCTAssertFalse("\($0)".contains("heim"), "\($0)")
      }
    }
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add() { count.withLock { $0 += 1 } }
}
