public import Logging
public import ServiceLifecycle
public import WalletProvider

/// Deletes expired rows every few minutes. Without this, personal data in them would stay until a
/// request deletes them.
public struct ExpirySweep: Service, CustomStringConvertible {
  /// Only the type's name, because libraries log the description of each service that they run.
  public let description = "ExpirySweep"
  private let provider: Provider
  private let logger: Logger
  private static let interval = Duration.seconds(300)

  public init(_ provider: Provider, logger: Logger) {
    self.provider = provider
    self.logger = logger
  }

  public func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await provider.deleteEndedRows()
        } catch {
          logger.error(
            "the sweep failed", metadata: ["reason": .string(ServerLog.reason(error))])
        }
        try await Task.sleep(for: Self.interval)
      }
    }
  }
}
