import ArgumentParser
import Foundation
import ProtocolTestClient
import TestSupport
import WalletPlatform
import WalletProtocol

/// `flood`: requests at a fixed rate, whatever comes back, beside clients who behave.
struct FloodCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flood",
    abstract: "Send far more than can be answered; count what comes back.",
    discussion: """
      Flooders and good clients name addresses of their own in X-Forwarded-For, as a proxy would. The \
      good ones wait as long as Retry-After says and must get their PINs validated.
      """)

  @OptionGroup var target: Target
  @Option(help: "Requests per second, of all flooders.") var rate: Double
  @Option var connections = 64
  @Option(help: "Addresses that the flood comes from.") var addresses = 1
  @Option(help: "Clients who behave.") var good = 4
  @Option(help: "PINs that they must get validated while the flood lasts.") var validated = 20
  @Option(help: "How long it lasts at least; and until those PINs were validated.")
  var seconds = 10.0
  @Option(help: "Processes of the provider.") var process: [Int32] = []

  func run() throws {
    let provider = try target.provider()
    let urls = try target.addresses(provider)
    let tally = FloodTally()
    let setUp = ProviderConnection(provider, headers: ["x-forwarded-for": "192.0.2.1"])
    let flooder = try ProtocolWallet.confirmed(over: setUp)
    let patient = try (0..<good).map { _ in try ProtocolWallet.confirmed(over: setUp) }
    let before = ProcessFigures(of: process)
    let start = ContinuousClock.now
    let (end, latest) = (start + .seconds(seconds), start + .seconds(seconds + Patience.seconds))
    let goesOn: @Sendable () -> Bool = { [validated] in
      let now = ContinuousClock.now
      return now < end || now < latest && tally.seen.good < validated
    }
    let (connections, addresses, interval) = (
      connections, addresses, Double(connections) / rate
    )
    onThreads(connections + good) { number in
      let url = urls[number % urls.count]
      if number < connections {
        let connection = ProviderConnection(
          provider, address: url,
          headers: ["x-forwarded-for": "198.51.100.\(number % max(1, addresses) + 1)"])
        Self.flood(flooder, over: connection, every: interval, while: goesOn, tally)
      } else {
        let connection = ProviderConnection(
          provider, address: url, headers: ["x-forwarded-for": "203.0.113.\(number % 250 + 1)"])
        Self.behave(patient[number - connections], over: connection, while: goesOn, tally)
      }
    }
    let after = ProcessFigures(of: process)
    let seen = tally.seen
    print(
      "flood: \(seen.answered) answered, \(seen.tooMany) of 429, \(seen.unavailable) of 503, "
        + "\(seen.lost) connections lost; good clients: \(seen.good) PINs validated after "
        + "\(seen.waits) waits; memory \(before.residentMemory >> 20) to "
        + "\(after.residentMemory >> 20) MiB")
    if let failure = seen.failures.first { throw Violation(description: failure) }
    guard seen.tooMany + seen.unavailable > 0 else {
      throw Violation(description: "nothing was refused: the flood was no flood")
    }
    guard seen.good >= validated else {
      throw Violation(description: "the good clients had \(seen.good) PINs validated")
    }
  }

  /// The same signed bytes over and over: nothing to do for the flooder, all of it for the
  /// provider.
  private static func flood(
    _ wallet: ProtocolWallet, over connection: ProviderConnection, every interval: Double,
    while goesOn: () -> Bool, _ tally: FloodTally
  ) {
    var wallet = wallet
    guard let body = try? wallet.challengeRequest(.checkPin) else { return }
    var next = ContinuousClock.now
    while goesOn() {
      tally.count { try connection.post(.challenge, body) }
      next += .seconds(interval)
      let pause = (next - ContinuousClock.now) / .seconds(1)
      if pause > 0 { Thread.sleep(forTimeInterval: pause) }
    }
  }

  /// Checks its PIN again and again, and waits with each request as long as it is told.
  private static func behave(
    _ wallet: ProtocolWallet, over connection: ProviderConnection,
    while goesOn: () -> Bool, _ tally: FloodTally
  ) {
    var wallet = wallet
    func patiently(
      _ send: () throws -> ProviderConnection.Answer
    ) throws -> InstructionOutcome? {
      while goesOn() {
        switch try send() {
        case .signed(let outcome): return outcome
        case .problem(_, status: _, retryAfter: let seconds):
          tally.waited()
          Thread.sleep(forTimeInterval: Double(seconds ?? 1))
        case .lost: tally.waited()
        }
      }
      return nil
    }
    do {
      while goesOn() {
        let asked = try patiently {
          try connection.post(.challenge, try wallet.challengeRequest(.checkPin))
        }
        guard let given = asked.flatMap(wallet.given) else { continue }
        let body = try wallet.check(given)
        if case .valid = try patiently({ try connection.post(.checkPin, body) }) {
          tally.validated()
        }
        Thread.sleep(forTimeInterval: 0.1)
      }
    } catch { tally.fail("\(error)") }
  }
}

private final class FloodTally: Sendable {
  struct Seen {
    var answered = 0
    var tooMany = 0
    var unavailable = 0
    var lost = 0
    var good = 0
    var waits = 0
    var failures: [String] = []
  }

  private let state = Monitor(Seen())
  var seen: Seen { state.withLock { $0 } }

  func validated() { state.withLock { $0.good += 1 } }
  func fail(_ failure: String) { state.withLock { $0.failures.append(failure) } }
  func waited() { state.withLock { $0.waits += 1 } }

  func count(_ send: () throws -> ProviderConnection.Answer) {
    do {
      let answer = try send()
      state.withLock { seen in
        switch answer {
        case .signed: seen.answered += 1
        case .lost: seen.lost += 1
        case .problem(_, status: let status, retryAfter: let seconds):
          if status == 429 { seen.tooMany += 1 } else if status == 503 { seen.unavailable += 1 }
          if ![429, 503].contains(status) || (seconds ?? 0) < 1 {
            seen.failures.append(
              "HTTP \(status), Retry-After \(seconds.map(String.init) ?? "none")")
          }
        }
      }
    } catch { state.withLock { $0.failures.append("\(error)") } }
  }
}
