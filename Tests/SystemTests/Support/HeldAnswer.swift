import Foundation
import TestSupport

/// Holds back one answer on a path, or all from one on, until the test releases it.
final class HeldAnswer: @unchecked Sendable {
  // Sendable: `passes` is touched only with `lock` held.
  private let lock = NSLock()
  /// The number of answers that still pass before it; negative once it was held.
  private var passes: Int
  private let path: String
  private let isCut: Bool
  private let holdsAll: Bool
  private let arrived = DispatchSemaphore(value: 0)
  private let released = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - skipping: The number of answers that pass before; 0 holds the first one.
  ///   - isCut: Whether the answer is lost after the release; the provider has handled the request.
  ///   - holdsAll: Whether those that follow are held too, until the release. For a path that
  ///     background work of the start may ask as well: a request does not wait for that.
  init(_ path: String, skipping passes: Int = 0, isCut: Bool = false, holdsAll: Bool = false) {
    self.path = path
    self.passes = passes
    self.isCut = isCut
    self.holdsAll = holdsAll
  }

  /// For `ManInTheMiddle.answer(with:)`.
  func rewrite(_ exchange: ManInTheMiddle.Exchange) -> [UInt8]? {
    guard exchange.path == path, lock.withLock({ take() }) else { return nil }
    arrived.signal()
    released.wait()
    if holdsAll { released.signal() }
    return isCut ? [] : nil
  }

  private func take() -> Bool {
    defer { passes -= 1 }
    return holdsAll ? passes <= 0 : passes == 0
  }

  /// Returns once the provider has answered and the wallet still waits.
  func waitUntilHeld() throws {
    guard arrived.wait(timeout: .now() + Patience.seconds) == .success else {
      throw TestFailure("no request")
    }
  }

  func letGo() { released.signal() }
}
