import ArgumentParser
import Foundation
import ProtocolTestClient
import WalletPlatform
import WalletProtocol

/// `steady`: so many connections that each check the right PIN of their own wallets, again and
/// again.
struct SteadyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steady", abstract: "Check PINs for a time; measure rate, latency, CPU, memory.",
    discussion: "Prints: validations per second, p50 ms, p99 ms, CPU ms per validation, RSS MiB.")

  @OptionGroup var target: Target
  @Option var connections = 8
  @Option(help: "How long is measured.") var seconds = 10.0
  @Option(help: "How many wallets there are, at least one for each connection.") var wallets = 64
  @Option(help: "Processes of the provider.") var process: [Int32] = []

  func run() throws {
    let provider = try target.provider()
    let addresses = try target.addresses(provider)
    let crowd = Crowd()
    let (connections, count) = (connections, max(1, wallets / connections))
    onThreads(connections) { number in
      let connection = ProviderConnection(provider, address: addresses[number % addresses.count])
      do {
        crowd.add(try (0..<count).map { _ in try ProtocolWallet.confirmed(over: connection) })
      } catch { crowd.fail(error) }
    }
    let before = ProcessFigures(of: process)
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    onThreads(connections) { number in
      let connection = ProviderConnection(provider, address: addresses[number % addresses.count])
      do {
        var wallets = crowd.wallets(of: number)
        while ContinuousClock.now < end {
          for place in wallets.indices where ContinuousClock.now < end {
            let sent = ContinuousClock.now
            try wallets[place].checkRight(over: connection)
            crowd.note((ContinuousClock.now - sent) / .milliseconds(1))
          }
        }
      } catch { crowd.fail(error) }
    }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let after = ProcessFigures(of: process)
    if let failure = crowd.failure { throw Violation(description: failure) }
    let latencies = crowd.latencies.sorted()
    let figures = [
      Double(latencies.count) / elapsed, quantile(latencies, 0.5), quantile(latencies, 0.99),
      (after.cpu - before.cpu) * 1000 / Double(max(1, latencies.count)),
      Double(after.residentMemory) / 1_048_576,
    ]
    print(figures.map { String(format: "%.2f", $0) }.joined(separator: " "))
  }
}

extension ProtocolWallet {
  /// One validation of the right PIN: a challenge and its use.
  mutating func checkRight(over connection: ProviderConnection) throws {
    let given = try challenge(.checkPin, over: connection)
    let answer = try connection.post(.checkPin, try check(given))
    guard case .signed(.valid) = answer else {
      throw UnusableAnswer("the right PIN was answered \(answer)")
    }
  }
}

/// Wallets by connection, and what was measured of them.
private final class Crowd: Sendable {
  private struct State {
    var wallets: [[ProtocolWallet]] = []
    var latencies: [Double] = []
    var failure: String?
  }

  private let state = Monitor(State())

  var latencies: [Double] { state.withLock { $0.latencies } }
  var failure: String? { state.withLock { $0.failure } }

  func add(_ wallets: [ProtocolWallet]) { state.withLock { $0.wallets.append(wallets) } }
  func note(_ latency: Double) { state.withLock { $0.latencies.append(latency) } }
  func fail(_ error: any Error) { state.withLock { $0.failure = "\(error)" } }

  func wallets(of number: Int) -> [ProtocolWallet] {
    state.withLock { $0.wallets.indices.contains(number) ? $0.wallets[number] : [] }
  }
}
