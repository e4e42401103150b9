import TestSupport
import WalletPlatform
import XCTest

@testable import wallet_core

final class LogThreadTests: XCTestCase {
  /// The context of the log callback.
  private final class Target: Sendable {
    let gate = Gate()
    let lines = Shared<[String]>([])
  }

  func testLinesThatASlowCallbackCannotTakeAreDroppedAndCounted() {
    let target = Target()
    let thread = LogThread(
      target: .init(
        callback: { context, _, subsystem, message in
          guard let context else { return }
          let target = Unmanaged<Target>.fromOpaque(context).takeUnretainedValue()
          let line = String(cString: subsystem) + ": " + String(cString: message)
          target.lines.withLock { $0.append(line) }
          target.gate.pass()
        }, context: Unmanaged.passRetained(target).toOpaque(), limit: .info))
    let hostThreads = HostThreads(hooks: ThreadHooks(start: nil, stop: nil, context: nil))
    XCTAssertTrue(thread.start(hostThreads: hostThreads))
    let log = thread.log
    log(.info, "test", "first")
    XCTAssertTrue(target.lines.wait { $0 == ["test: first"] })
    for number in 0..<300 { log(.warning, "test", "\(number)") }
    log(.debug, "test", "above the level")
    target.gate.open()
    thread.end()
    let lines = target.lines.current
    XCTAssertEqual(lines.count, 1 + 256 + 1)
    XCTAssertEqual(
      lines.last, "log: 44 lines were dropped; the log callback is too slow.")
    XCTAssertTrue(hostThreads.areGone(by: SystemBootClock().now() + Patience.milliseconds))
  }
}
