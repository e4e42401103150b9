import CWalletCore
import TestSupport
import WalletCrypto
import WalletModel
import WalletPlatform
import XCTest

@testable import wallet_core

/// The rules for calls that may prompt the user.
final class BridgePromptTests: XCTestCase {
  /// The context of an encryption-key bridge whose calls the test answers.
  private final class Prompts: Sendable {
    struct State {
      var calls: [UInt64] = []
      var texts: [String] = []
      var cancelled: [UInt64] = []
      var destroys = 0
    }

    let state = Shared(State())
    let gate = Gate()
    /// Whether the functions wait at the gate.
    let blocks: Bool

    init(blocks: Bool) { self.blocks = blocks }

    static func from(_ context: UnsafeMutableRawPointer?) -> Prompts? {
      context.map { Unmanaged<Prompts>.fromOpaque($0).takeUnretainedValue() }
    }

    var bridge: wallet_core_encryption_key_bridge {
      var bridge = TestBridges().encryption
      bridge.context = Unmanaged.passRetained(self).toOpaque()
      bridge.destroy = { context in Prompts.from(context)?.state.withLock { $0.destroys += 1 } }
      bridge.cancel = { context, call in
        Prompts.from(context)?.state.withLock { $0.cancelled.append(call) }
      }
      bridge.decrypt = { context, call, _, _, bytes, length in
        Prompts.from(context)?.enter(call, UnsafeBufferPointer(start: bytes, count: length))
      }
      bridge.encrypt = { context, call, _, _, bytes, length in
        Prompts.from(context)?.enter(call, UnsafeBufferPointer(start: bytes, count: length))
      }
      return bridge
    }

    private func enter(_ call: UInt64, _ bytes: UnsafeBufferPointer<UInt8>) {
      state.withLock { $0.calls.append(call) }
      if blocks { gate.pass() }
      // Read after the wait: the call may have ended, but its arguments must still exist.
      let text = String(decoding: bytes, as: UTF8.self)
      state.withLock { $0.texts.append(text) }
    }
  }

  private let clock = AdjustableClock()
  private let hostThreads = HostThreads(hooks: ThreadHooks(start: nil, stop: nil, context: nil))

  private func makeDispatcher(_ prompts: Prompts) throws -> BridgeDispatcher {
    let dispatcher = BridgeDispatcher()
    var encryption = prompts.bridge
    let others = TestBridges()
    var (signing, utilities) = (others.signing, others.utilities)
    dispatcher.replace(with: try BridgeSet(&signing, &encryption, &utilities))
    dispatcher.use(clock)
    dispatcher.start(hostThreads: hostThreads)
    return dispatcher
  }

  private func ask(
    _ dispatcher: BridgeDispatcher, _ text: String, _ cancellation: Cancellation = Cancellation()
  ) -> Shared<Result<Secret, BridgeFailure>?> {
    ask(
      dispatcher,
      .decrypt(identifier: "key", protection: .biometric, ciphertext: Array(text.utf8)),
      cancellation)
  }

  private func ask(
    _ dispatcher: BridgeDispatcher, _ request: BridgeRequest, _ cancellation: Cancellation
  ) -> Shared<Result<Secret, BridgeFailure>?> {
    onThread {
      do throws(BridgeFailure) {
        return .success(try dispatcher.perform(request, cancellation: cancellation))
      } catch { return .failure(error) }
    }
  }

  private func isFailure(
    _ result: Result<Secret, BridgeFailure>?, _ failure: BridgeFailure
  ) -> Bool {
    if case .failure(failure) = result { true } else { false }
  }

  func testAPromptHasNoDeadlineAndEndsWithItsAnswer() throws {
    let prompts = Prompts(blocks: false)
    let dispatcher = try makeDispatcher(prompts)
    let asked = ask(dispatcher, "sealed")
    XCTAssertTrue(prompts.state.wait { $0.texts == ["sealed"] })
    clock.advance(by: 3_600_000)
    usleep(50_000)
    XCTAssertNil(asked.current)
    let call = prompts.state.current.calls[0]
    XCTAssertTrue(dispatcher.reply(call, .success(.bytes(try Secret(copying: [7])))))
    XCTAssertTrue(asked.wait { $0 != nil })
    XCTAssertEqual(try asked.current?.get().disclosed(), [7])
    XCTAssertFalse(dispatcher.reply(call, .failure(.cancelled)))
    XCTAssertEqual(prompts.state.current.cancelled, [])
    dispatcher.close()
    XCTAssertTrue(hostThreads.areGone(by: SystemBootClock().now() + Patience.milliseconds))
    XCTAssertEqual(
      prompts.state.current.destroys, 0, "the bridges of a reset process are not released")
  }

  func testACancelledPromptThatBlocksLosesItsQueueImmediately() throws {
    let prompts = Prompts(blocks: true)
    let dispatcher = try makeDispatcher(prompts)
    let cancellation = Cancellation()
    let asked = ask(dispatcher, "first", cancellation)
    XCTAssertTrue(prompts.state.wait { $0.calls.count == 1 })
    cancellation.cancel()
    XCTAssertTrue(asked.wait { isFailure($0, .cancelled) })
    XCTAssertTrue(prompts.state.wait { $0.cancelled == $0.calls }, "cancel runs on the new thread")
    let second = ask(dispatcher, "second")
    XCTAssertTrue(prompts.state.wait { $0.calls.count == 2 })

    let others = TestBridges()
    var (signing, encryption, utilities) = (others.signing, others.encryption, others.utilities)
    dispatcher.replace(with: try BridgeSet(&signing, &encryption, &utilities))
    XCTAssertTrue(dispatcher.reply(prompts.state.current.calls[1], .failure(.timedOut)))
    XCTAssertTrue(second.wait { $0 != nil })
    XCTAssertEqual(prompts.state.current.destroys, 0, "two functions have not returned")
    prompts.gate.open()
    XCTAssertTrue(prompts.state.wait { $0.destroys == 1 })
    XCTAssertEqual(Set(prompts.state.current.texts), ["first", "second"])
    dispatcher.close()
    XCTAssertTrue(hostThreads.areGone(by: SystemBootClock().now() + Patience.milliseconds))
  }

  func testAPlaintextIsWipedWhenItsCallEndsButTheCallersCopyIsKept() throws {
    for isAnswered in [true, false] {
      let prompts = Prompts(blocks: true)
      let dispatcher = try makeDispatcher(prompts)
      let plaintext = try Secret(copying: Array("plain".utf8))
      let cancellation = Cancellation()
      let asked = ask(
        dispatcher, .encrypt(identifier: "key", protection: .biometric, plaintext: plaintext),
        cancellation)
      XCTAssertTrue(prompts.state.wait { $0.calls.count == 1 })
      if isAnswered {
        XCTAssertTrue(dispatcher.reply(prompts.state.current.calls[0], .success(.bytes(plaintext))))
      } else {
        cancellation.cancel()
      }
      XCTAssertTrue(asked.wait { $0 != nil })
      prompts.gate.open()
      XCTAssertTrue(prompts.state.wait { $0.texts == ["\0\0\0\0\0"] }, "\(isAnswered)")
      XCTAssertEqual(plaintext.disclosed(), Array("plain".utf8))
      dispatcher.close()
    }
    XCTAssertTrue(hostThreads.areGone(by: SystemBootClock().now() + Patience.milliseconds))
  }

  func testAPromptBehindABlockingOneStartsAfterTenSeconds() throws {
    let prompts = Prompts(blocks: true)
    let dispatcher = try makeDispatcher(prompts)
    _ = ask(dispatcher, "first")
    XCTAssertTrue(prompts.state.wait { $0.calls.count == 1 })
    _ = ask(dispatcher, "second")
    usleep(50_000)
    XCTAssertEqual(prompts.state.current.calls.count, 1)
    clock.advance(by: 10_001)
    XCTAssertTrue(prompts.state.wait { $0.calls.count == 2 })
    prompts.gate.open()
    dispatcher.close()
    XCTAssertTrue(hostThreads.areGone(by: SystemBootClock().now() + Patience.milliseconds))
  }

  func testTheTenSecondsOfACallBeginWhenItIsEntered() throws {
    clock.stop()
    let prompts = Prompts(blocks: true)
    let dispatcher = try makeDispatcher(prompts)
    func call(_ text: String) -> Shared<Result<Secret, BridgeFailure>?> {
      ask(
        dispatcher,
        .decrypt(identifier: "key", protection: .none, ciphertext: Array(text.utf8)),
        Cancellation())
    }
    let first = call("first")
    XCTAssertTrue(prompts.state.wait { $0.calls.count == 1 })
    let second = call("second")
    clock.advance(by: 10_001)
    XCTAssertTrue(first.wait { isFailure($0, .timedOut) })
    XCTAssertTrue(prompts.state.wait { $0.calls.count == 2 })
    clock.advance(by: 9_000)
    usleep(50_000)
    XCTAssertNil(second.current, "it waited for the first one, which counts for nothing")
    clock.advance(by: 1_001)
    XCTAssertTrue(second.wait { isFailure($0, .timedOut) })
    prompts.gate.open()
    dispatcher.close()
    XCTAssertTrue(hostThreads.areGone(by: SystemBootClock().now() + Patience.milliseconds))
  }

  func testAQueueWithoutAThreadStartsOneAsSoonAsItCan() throws {
    let prompts = Prompts(blocks: false)
    for _ in 0..<HostThreads.retiredLimit { hostThreads.retire() }
    let dispatcher = try makeDispatcher(prompts)
    let asked = ask(dispatcher, "late")
    usleep(50_000)
    XCTAssertEqual(prompts.state.current.calls, [])
    hostThreads.threadReturned()
    XCTAssertTrue(prompts.state.wait { $0.texts == ["late"] })
    let call = try XCTUnwrap(prompts.state.current.calls.first)
    XCTAssertTrue(dispatcher.reply(call, .failure(.timedOut)))
    XCTAssertTrue(asked.wait { isFailure($0, .timedOut) })
    dispatcher.close()
    XCTAssertTrue(hostThreads.areGone(by: SystemBootClock().now() + Patience.milliseconds))
  }

  func testACallWhoseQueueGetsNoThreadEndsAfterTenSeconds() throws {
    for protection in [KeyProtection.none, .biometric] {
      let prompts = Prompts(blocks: false)
      for _ in 0..<HostThreads.retiredLimit { hostThreads.retire() }
      let dispatcher = try makeDispatcher(prompts)
      let request = BridgeRequest.decrypt(
        identifier: "key", protection: protection, ciphertext: Array("late".utf8))
      let first = ask(dispatcher, request, Cancellation())
      usleep(50_000)
      XCTAssertNil(first.current)
      clock.advance(by: 10_001)
      XCTAssertTrue(first.wait { isFailure($0, .timedOut) })
      // The time of a later call begins with the call.
      let second = ask(dispatcher, request, Cancellation())
      usleep(50_000)
      XCTAssertNil(second.current)
      for _ in 0..<HostThreads.retiredLimit { hostThreads.threadReturned() }
      XCTAssertTrue(prompts.state.wait { $0.texts == ["late"] }, "only the call that still waits")
      let call = try XCTUnwrap(prompts.state.current.calls.first)
      XCTAssertTrue(dispatcher.reply(call, .success(.bytes(try Secret(copying: [7])))))
      XCTAssertTrue(second.wait { $0 != nil })
      XCTAssertEqual(try second.current?.get().disclosed(), [7])
      dispatcher.close()
    }
    XCTAssertTrue(hostThreads.areGone(by: SystemBootClock().now() + Patience.milliseconds))
  }

  func testThePlatformRulesComeFromTheUtilitiesBridge() throws {
    let dispatcher = BridgeDispatcher()
    XCTAssertEqual(dispatcher.rules, .android, "before the bridge names them")
    let others = TestBridges()
    for (platform, rules) in [
      (WALLET_CORE_PLATFORM_IOS, PlatformRules.ios), (0, .android),
      (WALLET_CORE_PLATFORM_ANDROID, .android),
    ] {
      var (signing, encryption, utilities) = (others.signing, others.encryption, others.utilities)
      utilities.platform = platform
      dispatcher.replace(with: try BridgeSet(&signing, &encryption, &utilities))
      XCTAssertEqual(dispatcher.rules, rules)
    }
    dispatcher.close()
  }

  func testWithoutBridgesACallEndsAfterTenSeconds() {
    let dispatcher = BridgeDispatcher()
    dispatcher.use(clock)
    let asked = ask(dispatcher, "unanswered")
    usleep(20_000)
    XCTAssertNil(asked.current)
    clock.advance(by: 10_001)
    XCTAssertTrue(asked.wait { isFailure($0, .notReady) })
  }
}
