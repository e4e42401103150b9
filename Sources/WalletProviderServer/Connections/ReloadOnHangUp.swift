public import Logging
public import ServiceLifecycle
import UnixSignals
public import WalletProvider

/// Reloads the update policy and the TLS files on SIGHUP.
public struct ReloadOnHangUp: Service, CustomStringConvertible {
  /// Only the type's name, because libraries log the description of each service that they run.
  public let description = "ReloadOnHangUp"
  private let file: UpdatePolicyFile?
  private let tls: [any ReloadableFiles]
  private let logger: Logger
  private let hangUps: UnixSignalsSequence

  /// After this call, SIGHUP no longer ends the process.
  public init(
    _ file: UpdatePolicyFile? = nil, tls: [any ReloadableFiles], logger: Logger
  ) async {
    self.file = file
    self.tls = tls
    self.logger = logger
    hangUps = await UnixSignalsSequence(trapping: .sighup)
  }

  public func run() async throws {
    for await _ in hangUps.cancelOnGracefulShutdown() {
      await file?.reload()
      for files in tls { reload(files) }
    }
  }

  private func reload(_ files: any ReloadableFiles) {
    do throws(FileProblem) {
      try files.reload()
      logger.notice("\(files.name) taken")
    } catch {
      logger.error(
        "\(files.name) refused, those before stay",
        metadata: ["reason": .string(error.description)])
    }
  }
}
