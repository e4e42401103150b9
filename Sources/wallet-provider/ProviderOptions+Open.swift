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
  /// The settings and the provider that they name, which must be there: a mistyped path must not become
  /// another one.
  func openProvider() async throws -> (settings: ServerSettings, opened: OpenedProvider) {
    let settings = try settings()
    guard FileManager.default.fileExists(atPath: settings.data + "/provider-id") else {
      throw ValidationError(
        "\(settings.data) is no data directory of a provider: there is no provider-id in it")
    }
    return (settings, try await OpenedProvider(settings, for: .command))
  }
}
