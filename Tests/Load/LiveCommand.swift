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
  @Option(help: "How long new checks begin.") var seconds = 60.0
  @Option(help: "They begin no longer once this file is there.") var until: String?
  @Option(help: "The longest pause of a wallet before a check, in ms.") var pause = 0
  @Option(help: "A file that gets a line for each checked PIN: when asked, when answered (s).")
  var answers: String?
  @Option(help: "PIN checks in the life of a wallet.") var checks = 40
  @Option(help: "What the wallets do, as far as the answers allow.") var seed: UInt64 = 1

  func run() throws {
    let provider = try target.provider()
    let addresses = try target.addresses(provider)
    let tally = LifeTally(answers: try answers.map(AnswerFile.init))
    let plan = LifePlan(
      checks: checks, pause: pause, end: ContinuousClock.now + .seconds(seconds), endFile: until)
    let seed = seed
    onThreads(connections) { connection in
      var lives = SeededGenerator(seed: seed &+ UInt64(connection))
      while !plan.isOver, tally.isClean {
        do {
          var life = WalletLife(provider, addresses, tally, seed: lives.next())
          try life.live(plan)
        } catch { tally.violation("\(error)") }
      }
    }
    print(tally.report)
    if let violation = tally.violations.first { throw Violation(description: violation) }
  }
}

/// What each wallet does, and until when.
struct LifePlan: Sendable {
  let checks: Int
  /// Milliseconds.
  let pause: Int
  let end: ContinuousClock.Instant
  let endFile: String?

  var isOver: Bool {
    ContinuousClock.now >= end
      || endFile.map { FileManager.default.fileExists(atPath: $0) } ?? false
  }
}

/// When PINs were checked, a line each.
final class AnswerFile: Sendable {
  private let file: Monitor<FileHandle>

  init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw Violation(description: "\(path) cannot be written") }
    file = Monitor(handle)
  }

  func add(asked: Date, answered: Date) {
    let line = String(
      format: "%.3f %.3f\n", asked.timeIntervalSince1970, answered.timeIntervalSince1970)
    file.withLock { try? $0.write(contentsOf: Data(line.utf8)) }
  }
}

/// What happened to all wallets.
final class LifeTally: Sendable {
  private let state = Monitor((counts: [String: Int](), violations: [String]()))
  let answers: AnswerFile?

  init(answers: AnswerFile? = nil) { self.answers = answers }

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
