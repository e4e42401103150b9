import ArgumentParser
import Logging
import WalletProvider
import WalletProviderServer
import WalletProviderStores

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options and objects shared by the commands that manage keys.
struct KeyCommandContext: ParsableArguments {
  @OptionGroup var options: ProviderOptions

  /// The opened keys, their published configuration, and the rows that they seal.
  struct Opened {
    let keys: KeyRotation
    let configuration: PublishedConfiguration
    let resealing: Resealing
    let settings: ServerSettings
    let logger: Logger

    /// Logs to standard error what was done.
    func administered(_ act: String) {
      ServerLog.administered(act, isDone: true, settings, logger)
    }
  }

  func open() async throws -> Opened {
    let (settings, opened) = try await options.openProvider()
    return Opened(
      keys: KeyRotation(directory: settings.data, settings: settings.provider),
      configuration: opened.directory.configuration,
      resealing: Resealing(identity: opened.directory.identity, store: opened.store),
      settings: settings, logger: ServerLog.logger(settings))
  }

  /// The exchange with an authority that is kept elsewhere. Nothing is opened: it has to work while
  /// a signer has no certificate, and then no server starts.
  func exchange() throws -> (exchange: CertificateExchange, settings: ServerSettings) {
    let settings = try options.existingSettings()
    return (
      CertificateExchange(directory: settings.data, settings: settings.provider), settings
    )
  }

  /// Seconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}
