import Synchronization

/// What the transactions of one request have found out. One that needs the evaluator is rolled back
/// and repeated; it need not open the same message and check the same signatures again.
///
/// Only what passed is kept, each with the key that it was checked with. A wallet that has another
/// key in a later transaction is checked anew, and what follows from a check is decided anew.
final class RequestChecks: Sendable {
  private struct State: Sendable {
    /// The hardware key that signed the outer message.
    var hardwareKey: [UInt8]?
    /// The opened inner message, for the hardware key.
    var inner: (message: PinInstruction, hardwareKey: [UInt8])?
    /// The PIN key that signed the inner message.
    var pinKey: [UInt8]?
  }

  private let state = Mutex(State())

  /// Runs `check` unless the outer message has passed it with this hardware key.
  func outer(
    hardwareKey: [UInt8], _ check: () throws(ProblemError) -> Void
  ) throws(ProblemError) {
    if state.withLock({ $0.hardwareKey == hardwareKey }) { return }
    try check()
    state.withLock { $0.hardwareKey = hardwareKey }
  }

  /// The inner message; opens it unless it was opened for this hardware key.
  func inner(
    hardwareKey: [UInt8], _ open: () throws(ProblemError) -> PinInstruction
  ) throws(ProblemError) -> PinInstruction {
    let known = state.withLock { $0.inner?.hardwareKey == hardwareKey ? $0.inner?.message : nil }
    if let known { return known }
    let message = try open()
    state.withLock {
      $0.inner = (message, hardwareKey)
      $0.pinKey = nil
    }
    return message
  }

  /// Whether the PIN key signed the inner message; runs `check` unless it is known that it did.
  func isSigned(
    byPinKey key: [UInt8], _ check: () throws(ProblemError) -> Bool
  ) throws(ProblemError) -> Bool {
    if state.withLock({ $0.pinKey == key }) { return true }
    guard try check() else { return false }
    state.withLock { $0.pinKey = key }
    return true
  }
}
