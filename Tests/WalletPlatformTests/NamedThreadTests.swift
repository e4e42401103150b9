import Foundation
import Glibc
import WalletPlatform
import XCTest

final class NamedThreadTests: XCTestCase {
  private static let commonSignals = [SIGINT, SIGTERM, SIGPIPE, SIGUSR1, SIGALRM, SIGCHLD]
  private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT]

  /// Returns which of `signals` a thread of that kind has blocked.
  private func blocked(_ kind: NamedThread.Signals, of signals: [Int32]) throws -> [Int32] {
    let found = Monitor<[Int32]>([])
    let thread = try XCTUnwrap(
      NamedThread("mask", signals: kind) {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        let blocked = signals.filter { sigismember(&mask, $0) == 1 }
        found.withLock { $0 = blocked }
      })
    thread.join()
    return found.withLock { $0 }
  }

  func testAThreadForHostCodeReceivesSignals() throws {
    let all = Self.commonSignals + Self.faults
    XCTAssertEqual(try blocked(.unblocked, of: all), [])
  }

  func testAThreadOfTheCoreReceivesNoSignalsButItsOwnFaults() throws {
    let all = Self.commonSignals + Self.faults
    XCTAssertEqual(try blocked(.blocked, of: all), Self.commonSignals)
  }

  func testTheCallersMaskIsUnchanged() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    try XCTUnwrap(NamedThread("nothing", signals: .blocked) {}).join()
    var after = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &after)
    for signal in Self.commonSignals {
      XCTAssertEqual(sigismember(&before, signal), sigismember(&after, signal))
    }
  }

  func testAThreadHasItsName() throws {
    let name = Monitor("")
    let thread = try XCTUnwrap(
      NamedThread("wallet-worker-1", signals: .blocked) {
        let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        name.withLock { $0 = text ?? "" }
      })
    thread.join()
    XCTAssertEqual(name.withLock { $0 }, "wallet-worker-1\n")
  }

  func testADetachedThreadRunsToItsEnd() throws {
    let isDone = Monitor(false)
    try XCTUnwrap(NamedThread("free", signals: .blocked) { isDone.update { $0 = true } }).detach()
    isDone.wait(clock: SystemBootClock()) { $0 ? () : nil }
  }
}
