import CWalletCore
import Foundation

/// The content of an event.
struct Received: Equatable, Sendable {
  var kind: wallet_core_kind
  var request: UInt64
  var status: wallet_core_status
  var isLocked: Int32
  /// The serial of a step.
  var step: UInt64
  var json: String

  /// Reads and frees an event.
  init(freeing event: OpaquePointer?) {
    kind = wallet_core_event_kind(event)
    request = wallet_core_event_request(event)
    status = wallet_core_event_status(event)
    isLocked = wallet_core_event_is_locked(event)
    step = wallet_core_event_step_serial(event)
    json = String(cString: wallet_core_event_json(event, nil))
    wallet_core_event_free(event)
  }
}

/// A context of callbacks that records its calls. It is never freed, so that a call after its
/// release is detected and does not crash.
final class Recorder: Sendable {
  struct State {
    var events: [Received] = []
    var threads: Set<String> = []
    var wakeups = 0
    var entered = 0
    /// The calls that have returned.
    var left = 0
    var destroys = 0
    /// The calls after the context was released.
    var lateCalls = 0
  }

  let state = Shared(State())
  private let inside: @Sendable () -> Void

  /// - Parameter inside: Runs inside each callback, after the call was recorded.
  init(inside: @escaping @Sendable () -> Void = {}) { self.inside = inside }

  var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  var events: [Received] { state.current.events }
  var kinds: [wallet_core_kind] { events.map(\.kind) }
  var destroys: Int { state.current.destroys }

  static func from(_ context: UnsafeMutableRawPointer?) -> Recorder? {
    context.map { Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue() }
  }

  static let onEvent: @Sendable @convention(c) (UnsafeMutableRawPointer?, OpaquePointer) -> Void = {
    Recorder.from($0)?.note(Received(freeing: $1))
  }

  static let onWakeup: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = {
    Recorder.from($0)?.note(nil)
  }

  static let onDestroy: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = {
    Recorder.from($0)?.state.withLock { $0.destroys += 1 }
  }

  private func note(_ event: Received?) {
    let thread = threadName()
    state.withLock { state in
      if state.destroys > 0 { state.lateCalls += 1 }
      state.entered += 1
      state.threads.insert(thread)
      if let event { state.events.append(event) } else { state.wakeups += 1 }
    }
    inside()
    state.withLock { $0.left += 1 }
  }

  /// Waits for `count` events.
  func waitFor(_ count: Int) -> Bool {
    state.wait { $0.events.count >= count }
  }
}

/// A gate at which callbacks of tests wait.
final class Gate: Sendable {
  private let isOpen = Shared(false)
  func open() { isOpen.withLock { $0 = true } }
  func pass() { _ = isOpen.wait(times: 30) { $0 } }
}
