// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// A running request. Its completion comes here and not to the client's events.
public final class Request: Sendable {
  typealias Result = Swift.Result<Event, WalletCoreError>

  public let number: UInt64
  private let client: wallet_core_client
  private let result = AsyncStream.makeStream(of: Result.self)

  init(_ number: UInt64, of client: wallet_core_client) {
    self.number = number
    self.client = client
  }

  /// Waits for the completion and throws its error. Call it or `event()` once.
  public func completion() async throws(WalletCoreError) -> Event.Completion {
    guard let completion = try await event().completion else { throw .unreadable }
    if let error = completion.error { throw error }
    return completion
  }

  /// Waits for the event of the completion. Throws if it can no longer come. Call it once.
  /// Cancelling the task cancels the request.
  public func event() async throws(WalletCoreError) -> Event {
    for await result in result.stream { return try result.get() }
    _ = wallet_core_cancel(client, number, nil)
    throw .cancelled
  }

  func end(_ ended: Result) {
    result.continuation.yield(ended)
    result.continuation.finish()
  }
}
