/// A request to end some work early. It is made once and never taken back. Code that waits
/// registers a handler that wakes it.
public final class Cancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var nextHandler: UInt64 = 0
    var handlers: [UInt64: @Sendable () -> Void] = [:]
  }

  private let state = Monitor(State())

  public init() {}

  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels. The handlers run on this thread with no lock held. Later calls do nothing.
  public func cancel() {
    let handlers = state.withLock { state -> [@Sendable () -> Void] in
      guard !state.isCancelled else { return [] }
      state.isCancelled = true
      defer { state.handlers = [:] }
      return Array(state.handlers.values)
    }
    for handler in handlers { handler() }
  }

  /// Calls `handler` when `cancel` is called, or at once if it was called before. Handlers must not
  /// wait and must not call host code.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      guard !state.isCancelled else { return true }
      state.nextHandler &+= 1
      state.handlers[state.nextHandler] = handler
      return false
    }
    if isCancelled { handler() }
  }

  /// Runs `body` and calls `handler` if the cancellation comes before `body` has returned.
  /// `handler` is called at most once, possibly just after `body` returned. Handlers must not wait
  /// and must not call host code.
  public func whileCancellable<Result, Failure: Error>(
    onCancel handler: @escaping @Sendable () -> Void,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let registration = state.withLock { state -> UInt64? in
      guard !state.isCancelled else { return nil }
      state.nextHandler &+= 1
      state.handlers[state.nextHandler] = handler
      return state.nextHandler
    }
    guard let registration else {
      handler()
      return try body()
    }
    defer { state.withLock { _ = $0.handlers.removeValue(forKey: registration) } }
    return try body()
  }

  /// Waits until `time` has passed or it is cancelled.
  public func wait(_ time: Milliseconds, clock: any BootClock) {
    let isOver = Monitor(false)
    let end = clock.now() &+ time
    whileCancellable(onCancel: { isOver.update { $0 = true } }) {
      _ = isOver.wait(until: end, clock: clock) { $0 ? true : nil }
    }
  }
}
