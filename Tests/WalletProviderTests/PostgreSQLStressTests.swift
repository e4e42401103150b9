import Foundation
import Synchronization
import TestSupport
import WalletAttempts
import WalletProtocol
import WalletProvider
import WalletProviderPostgreSQL
import XCTest

/// Many kinds of requests at the same time on few accounts: whatever the order in which rows are
/// locked, the store never fails, and counts stay consistent. WALLET_CORE_STRESS_SEED sets the seed.
final class PostgreSQLStressTests: StoreTestCase {
  override class var connections: Int { 8 }

  override class var kind: StoreKind { .postgreSQL }

  private let walks = 12
  private let steps = 40

  func testStoreNeverFailsForAnyOrderOfRequests() async throws {
    var settings = ProviderSettings()
    settings.proofing.refusedClaims = 1000
    settings.challengeLife = 3_600_000
    settings.attemptPolicy = try AttemptPolicy(
      rounds: 1, attemptsPerRound: 100, blockDurations: [], failuresPerMonth: 1000)
    let harness = try ProviderHarness(settings: settings)
    let database = try harness.database()
    // A short deadlock timeout, so that the test ends sooner.
    try database.execute(
      """
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''20ms''',
        current_database()); END $$
      """)
    let providers = [harness.provider, try harness.secondProvider()]
    var accounts: [String] = []
    for _ in 1...6 {
      accounts.append(try await harness.accounts.create(try TestPerson.person()).account)
    }
    let page = try await harness.accounts.createPage(try TestPerson.person())
    let done = Tally()
    let seed = Sample.stressSeed
    print("stress of the database: seed \(seed)")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for walk in 0..<walks {
        group.addTask { [steps, accounts] in
          var random = SeededGenerator(seed: seed &+ UInt64(walk))
          let provider = providers[walk % providers.count]
          var wallet = try await TestWallet.confirmed(harness)
          for _ in 1...steps {
            // Each starts with a different row.
            let number = Int.random(in: accounts.indices, using: &random)
            let name: String
            switch Int.random(in: 0..<13, using: &random) {
            case 0...7:
              name = try await Self.proof(
                wallet, accounts[number], document: "D\(number)",
                isReleased: .random(in: 0..<4, using: &random) == 0, harness, provider)
            case 8:
              _ = try await harness.accounts.page(page)
              _ = try await harness.accounts.renewPage(page)
              name = "pages"
            case 9:
              harness.clock.advance(600_000)
              try await provider.deleteEndedRows()
              name = "sweeps"
            case 10:
              _ = try await harness.accounts.accounts()
              name = "lists"
            case 11:
              name = try await Self.delete(wallet, provider)
            default:
              name = try await Self.guess(wallet, provider)
            }
            done.add(name)
            if try await harness.stored(wallet) == nil {
              wallet = try await TestWallet.confirmed(harness)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let deadlocks = try database.execute(
      "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    let counts = done.counts
    print(
      "stress of the database:",
      counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        .joined(separator: ", "), "deadlocks:", deadlocks.first ?? "none")
    XCTAssertEqual(counts.values.reduce(0, +), walks * steps)
    // A code has at most one live claim, and a wallet belongs to one account.
    let doubled = try database.execute(
      """
      SELECT code FROM proofing_session WHERE state = 'open' GROUP BY code HAVING count(*) > 1
      UNION ALL
      SELECT wallet::bytea FROM account WHERE wallet IS NOT NULL GROUP BY wallet HAVING count(*) > 1
      """)
    XCTAssertEqual(doubled, [])
  }

  /// A code, its claim, evidence and PID, as far as the concurrent requests allow.
  private static func proof(
    _ wallet: TestWallet, _ account: String, document: String, isReleased: Bool,
    _ harness: ProviderHarness, _ provider: Provider
  ) async throws -> String {
    guard let code = try await harness.accounts.issueCode(account: account) else { return "closed" }
    do {
      guard case .claimed(let session) = try await wallet.claim(code, to: provider) else {
        return "refused claims"
      }
      if isReleased {
        _ = try await wallet.release(session.id)
        return "releases"
      }
      let status = try await wallet.submit(
        try TestPerson.claims(number: document), session.id, to: provider)
      return "verdicts " + status.state.rawValue
    } catch let error as UnexpectedOutcome {
      // Another proofing deleted the wallet.
      guard error.outcome == .unknownWallet else { throw error }
      return "wallets gone"
    } catch is ProblemError { return "challenges that ended" }
  }

  private static func delete(_ wallet: TestWallet, _ provider: Provider) async throws -> String {
    do {
      let challenge = try await wallet.challenge(for: .deleteWallet)
      _ = try await wallet.send(
        wallet.preparePlain(.deleteWallet, EmptyPayload(), challenge: challenge), to: provider)
      return "deletions"
    } catch is UnexpectedOutcome { return "wallets gone" } catch is ProblemError {
      return "challenges that ended"
    }
  }

  private static func guess(_ wallet: TestWallet, _ provider: Provider) async throws -> String {
    do {
      let request = try wallet.preparePin(
        .checkPin, pin: "654123", challenge: try await wallet.challenge(for: .checkPin))
      _ = try await wallet.send(request, to: provider)
      return "guesses"
    } catch is UnexpectedOutcome { return "wallets gone" } catch is ProblemError {
      return "challenges that ended"
    }
  }
}

private final class Tally: Sendable {
  private let names = Mutex<[String: Int]>([:])

  var counts: [String: Int] { names.withLock { $0 } }

  func add(_ name: String) { names.withLock { $0[name, default: 0] += 1 } }
}
