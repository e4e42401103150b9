import ArgumentParser
import WalletProviderServer

/// The server that wallets register at and that judges their PINs.
@main
struct WalletProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wallet-provider",
    abstract: "Registers wallets, judges their PINs, publishes their configuration.",
    subcommands: [ServeCommand.self, ClientConfigurationCommand.self, UpdatePolicyCommand.self])
}
