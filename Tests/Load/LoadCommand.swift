import ArgumentParser
import Foundation
import ProtocolTestClient
import WalletTransport

/// Sends requests to a provider as many wallets, an attacker or a crowd would, and counts the
/// answers.
@main
struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider-load",
    abstract: "Guess PINs, measure, flood, or run wallets through kills; count the answers.",
    subcommands: [
      GuessCommand.self, SteadyCommand.self, FloodCommand.self, LiveCommand.self,
      BaselineCommand.self, RequestsCommand.self, ValidationsCommand.self,
    ])
}

/// Where the provider is.
struct Target: ParsableArguments {
  @Option(help: "What client-configuration printed.") var configuration: String
  @Option(help: "The replicas, one URL each; without it the configuration's.") var url: [String] =
    []

  func provider() throws -> KnownProvider {
    try KnownProvider(document: Array(Data(contentsOf: URL(fileURLWithPath: configuration))))
  }

  func addresses(_ provider: KnownProvider) throws -> [ProviderAddress] {
    url.isEmpty
      ? [provider.address]
      : try url.map { try ProviderAddress(url: $0, allowLoopbackHTTP: true) }
  }
}

/// Runs `work` on `count` threads of their own and waits for all.
func onThreads(_ count: Int, _ work: @escaping @Sendable (_ number: Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    let thread = Thread {
      work(number)
      group.leave()
    }
    thread.start()
  }
  group.wait()
}

/// What a check found wrong ends the program with 1.
struct Violation: Error, CustomStringConvertible {
  let description: String
}
