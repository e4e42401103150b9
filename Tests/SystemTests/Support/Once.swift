import Foundation

/// True only the first time.
final class Once: @unchecked Sendable {
  // Sendable: `isTaken` is touched only with `lock` held.
  private let lock = NSLock()
  private var isTaken = false

  func take() -> Bool {
    lock.withLock {
      defer { isTaken = true }
      return !isTaken
    }
  }
}
