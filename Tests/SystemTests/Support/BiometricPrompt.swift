import CWalletCore
import Foundation
import TestSupport
import XCTest

/// The answer of a test's platform to a biometric prompt.
enum BiometricPrompt: Equatable {
  case recognised
  /// A status of WALLET_CORE_BRIDGE_..., or one of the host's own, with bytes.
  case refused(wallet_core_bridge_status, [UInt8] = [])
  /// Stays open until `answerOpenPrompt`.
  case open
}

/// The prompts of a test's platform: the answers that a test sets, and counts.
final class BiometricPrompts: @unchecked Sendable {
  // Sendable: everything is touched only with `lock` held.
  private let lock = NSLock()
  private var script: [BiometricPrompt] = []
  private var openCalls: [(call: UInt64, bytes: [UInt8]?)] = []
  private var counts = (asked: 0, cancelled: 0)

  /// Sets the answers to the next prompts; later prompts recognise the user.
  func expect(_ prompts: BiometricPrompt...) { lock.withLock { script = prompts } }

  /// The number of prompts.
  var asked: Int { lock.withLock { counts.asked } }

  /// The number of prompts that the core has closed.
  var cancelled: Int { lock.withLock { counts.cancelled } }

  /// Opens a prompt; `bytes` is the reply if the user is recognised, nil if there is no such key.
  func ask(_ call: UInt64, _ bytes: [UInt8]?) {
    let prompt = lock.withLock { () -> BiometricPrompt in
      counts.asked += 1
      let prompt = script.isEmpty ? .recognised : script.removeFirst()
      if prompt == .open { openCalls.append((call, bytes)) }
      return prompt
    }
    switch prompt {
    case .recognised: reply(call, bytes)
    case .refused(let status, let bytes):
      _ = wallet_core_bridge_reply(call, status, bytes, bytes.count, "scripted")
    case .open: break
    }
  }

  func noteCancel() { lock.withLock { counts.cancelled += 1 } }

  /// Waits until `count` prompts have opened.
  func awaitAsked(_ count: Int, file: StaticString = #filePath, line: UInt = #line) {
    wait(file, line) { asked >= count }
  }

  /// Waits until the core has closed `count` prompts.
  func awaitCancelled(_ count: Int, file: StaticString = #filePath, line: UInt = #line) {
    wait(file, line) { cancelled >= count }
  }

  /// Answers the prompt that was left open, as if the user were recognised now.
  func answerOpenPrompt() -> wallet_core_status {
    guard let open = lock.withLock({ openCalls.popLast() }) else {
      return WALLET_CORE_ERROR_UNKNOWN_CALL
    }
    return reply(open.call, open.bytes)
  }

  @discardableResult
  private func reply(_ call: UInt64, _ bytes: [UInt8]?) -> wallet_core_status {
    guard let bytes else {
      return wallet_core_bridge_reply(
        call, WALLET_CORE_BRIDGE_KEY_MISSING, nil, 0, "no such key")
    }
    return wallet_core_bridge_reply(
      call, WALLET_CORE_BRIDGE_OK, bytes, bytes.count, nil)
  }

  private func wait(_ file: StaticString, _ line: UInt, for condition: () -> Bool) {
    XCTAssertTrue(eventually(condition), "no prompt opened or closed", file: file, line: line)
  }
}
