import Synchronization
import WalletProvider

/// A store that counts its transactions.
final class CountingStore: ProviderStore {
  private let inner: any ProviderStore
  private let count = Mutex(0)

  init(inner: any ProviderStore) { self.inner = inner }

  var transactions: Int { count.withLock { $0 } }

  var clock: any ProviderClock { inner.clock }

  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    count.withLock { $0 += 1 }
    return try await inner.transaction(body)
  }

  func ping() async throws { try await inner.ping() }
}
