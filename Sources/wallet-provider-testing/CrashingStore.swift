import WalletProvider
import WalletSystem

/// A store that kills the process when the work of a request is done and not yet committed.
struct CrashingStore: ProviderStore {
  /// Whether the request of this task meets that fault.
  @TaskLocal static var isArmed = false

  let inner: any ProviderStore
  var clock: any ProviderClock { inner.clock }

  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    let isArmed = Self.isArmed
    return try await inner.transaction { rows in
      let result = try body(rows)
      if isArmed { Crash.now() }
      return result
    }
  }

  func ping() async throws { try await inner.ping() }
}

/// The end of the process as if by a power cut: nothing is flushed, nobody is told.
enum Crash {
  static func now() { CurrentProcess.kill() }
}
