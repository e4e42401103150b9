import ArgumentParser
import Foundation
import ProtocolTestClient
import TestSupport
import WalletPlatform

/// `live`: wallets that live on while replicas and database are killed, and know what they were
/// told.
struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Live as wallets through kills; hold each answer against all that came before it.",
    discussion: """
      The provider must allow 10 attempts per round and keep challenges for 5 minutes: a request whose \
      answer was lost is repeated byte for byte until it is answered.
      """)

  @OptionGroup var target: Target
  @Option var connections = 16
  @Option var seconds = 60.0
  @Option(help: "PIN checks in the life of a wallet.") var checks = 40
  @Option(help: "What the wallets do, as far as the answers allow.") var seed: UInt64 = 1

  func run() throws {
    let provider = try target.provider()
    let addresses = try target.addresses(provider)
    let tally = LifeTally()
    let end = ContinuousClock.now + .seconds(seconds)
    let checks = checks
    let seed = seed
    onThreads(connections) { connection in
      var lives = SeededGenerator(seed: seed &+ UInt64(connection))
      while ContinuousClock.now < end, tally.isClean {
        do {
          var life = WalletLife(provider, addresses, tally, seed: lives.next())
          try life.live(checks: checks, until: end)
        } catch { tally.violation("\(error)") }
      }
    }
    print(tally.report)
    if let violation = tally.violations.first { throw Violation(description: violation) }
  }
}

/// What happened to all wallets.
final class LifeTally: Sendable {
  private let state = Monitor((counts: [String: Int](), violations: [String]()))

  func count(_ event: String) { state.withLock { $0.counts[event, default: 0] += 1 } }
  func violation(_ text: String) { state.withLock { $0.violations.append(text) } }

  var violations: [String] { state.withLock { $0.violations } }
  var isClean: Bool { violations.isEmpty }

  var report: String {
    state.withLock { state in
      let counts = state.counts.map { "\($0.key) \($0.value)" }.sorted()
      return (counts + ["violations \(state.violations.count)"]).joined(separator: ", ")
    }
  }
}
