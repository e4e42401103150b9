import ArgumentParser
import WalletProviderServer
import WalletProviderStores

/// The provider with a control interface for tests. It is never installed or shipped.
@main
struct TestingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wallet-provider-testing",
    abstract: "The provider with a control for tests. Not for any real wallet.",
    subcommands: [
      TestingServeCommand.self, ClientConfigurationCommand.self, UpdatePolicyCommand.self,
    ])

  static func main() async {
    // Takes secrets out of the environment before anything else reads it, as wallet-provider does.
    _ = SettingEnvironment.process
    await runProgram()
  }
}
