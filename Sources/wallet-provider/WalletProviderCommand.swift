import ArgumentParser
import WalletProvider
import WalletProviderServer
import WalletProviderStores

/// The server with which wallets register, and which checks their PINs and issues their PIDs.
@main
struct WalletProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wallet-provider",
    abstract: "Registers wallets, checks their PINs, proofs identities and issues PIDs.",
    version: "wallet-provider \(ProviderVersion.text)",
    groupedSubcommands: [
      CommandGroup(
        name: "Running",
        subcommands: [
          ServeCommand.self, EvaluateCommand.self, CheckCommand.self, ConfigCommand.self,
        ]),
      CommandGroup(
        name: "Administration",
        subcommands: [AccountCommand.self, WalletCommand.self, KeysCommand.self]),
      CommandGroup(
        name: "Apps", subcommands: [ClientConfigurationCommand.self, UpdatePolicyCommand.self]),
    ])

  static func main() async {
    // Takes keys and secrets out of the environment before anything else reads it, in any thread.
    _ = KeyEnvironment.process
    _ = SettingEnvironment.process
    await runProgram()
  }
}
