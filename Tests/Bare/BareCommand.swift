import ArgumentParser

/// What the provider is built of, with nothing in it, to measure what no provider could save.
@main
struct BareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider-bare",
    abstract: "Measure HTTP and PostgreSQL with nothing around them.",
    subcommands: [ServeCommand.self, CommitCommand.self])
}
