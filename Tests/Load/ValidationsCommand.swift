import ArgumentParser
import Foundation
import ProtocolTestClient

/// `validations`: one wallet that checks its right PIN so many times whenever it is told to, for a
/// program that counts what the provider does meanwhile.
struct ValidationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validations",
    abstract: "Check a right PIN so many times for each line of the input.",
    discussion: "Prints a line when it is ready, and one each time that it has done so.")

  @OptionGroup var target: Target
  @Option(help: "How many times for each line.") var count = 10

  func run() throws {
    let connection = ProviderConnection(try target.provider())
    var wallet = try ProtocolWallet.confirmed(over: connection)
    // What is made at the first use is there afterwards.
    for _ in 0..<count { try wallet.checkRight(over: connection) }
    say("ready")
    while readLine() != nil {
      for _ in 0..<count { try wallet.checkRight(over: connection) }
      say("done")
    }
  }

  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
