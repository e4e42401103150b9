public import ArgumentParser
import WalletProvider

/// `update-policy`: checks the rules for app versions.
public struct UpdatePolicyCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "update-policy", abstract: "Check the rules for app versions.",
    subcommands: [UpdatePolicyCheckCommand.self])

  public init() {}
}

/// `update-policy check`: tells whether a server would accept a file, and what it means.
public struct UpdatePolicyCheckCommand: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a policy file and print what it means for which versions.",
    discussion: "A server reads update-policy.json in its data directory, also while it runs.")

  @Argument(help: "File with {\"rules\":[...]}.") var file: String

  public init() {}

  public func run() throws {
    guard let policy = try UpdatePolicy(file: file) else {
      throw FileProblem("there is no file \(file)")
    }
    for line in policy.summary { StandardOutput.print(line) }
  }
}
