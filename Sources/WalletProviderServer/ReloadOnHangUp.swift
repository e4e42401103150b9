public import ServiceLifecycle
import UnixSignals
public import WalletProvider

/// Reads the update policy again at every SIGHUP.
public struct ReloadOnHangUp: Service {
  private let file: UpdatePolicyFile
  private let hangUps: UnixSignalsSequence

  /// From now on SIGHUP no longer ends the process.
  public init(_ file: UpdatePolicyFile) async {
    self.file = file
    hangUps = await UnixSignalsSequence(trapping: .sighup)
  }

  public func run() async throws {
    for await _ in hangUps.cancelOnGracefulShutdown() { await file.reload() }
  }
}
