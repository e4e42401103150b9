import ArgumentParser
import WalletProvider
import WalletProviderServer
import WalletProviderStores

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ProviderOptions {
  /// Opens the provider that the options name. It must exist already: a mistyped path must not
  /// create a new provider.
  func openProvider() async throws -> (settings: ServerSettings, opened: OpenedProvider) {
    let settings = try existingSettings()
    return (settings, try await OpenedProvider(settings, for: .command))
  }

  /// The settings of a provider that exists.
  func existingSettings() throws -> ServerSettings {
    let settings = try settings()
    guard FileManager.default.fileExists(atPath: settings.data + "/provider-id") else {
      throw ValidationError(
        "\(settings.data) is no data directory of a provider: there is no provider-id in it")
    }
    return settings
  }
}
