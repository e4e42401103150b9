import WalletProvider
import WalletSystem

/// A store that kills the process after the work of a request and before its commit.
struct CrashingStore: ProviderStore {
  /// Whether the process is killed before the commit of the request that this task handles.
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

/// Ends the process as a power failure would: nothing is flushed and nobody is notified.
enum Crash {
  static func now() -> Never { CurrentProcess.kill() }
}
