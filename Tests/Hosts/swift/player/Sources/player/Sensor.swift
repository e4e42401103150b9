import CWalletCore
import Foundation
import Synchronization
import WalletHost

/// A fingerprint sensor. Its prompt stays open until a finger comes or the library no longer waits.
final class Sensor: Sendable {
  private struct Prompt {
    let number: Int
    let identifier: String
    let answer: CheckedContinuation<PlatformError?, Never>
  }

  private struct State {
    var count = 0
    var open: Prompt?
    /// The prompt that was closed last, for fingers that come too late.
    var cancelled: Prompt?
  }

  private let state = Mutex(State())
  private let directory: URL

  init(keys directory: URL) { self.directory = directory }

  /// Opens a prompt and returns once the finger was recognised.
  func recognise(for identifier: String) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        state.withLock { state in
          state.open = Prompt(number: number, identifier: identifier, answer: answer)
          say(promptIsOpen: true)
        }
        if Task.isCancelled { close(number) }
      }
    } onCancel: {
      close(number)
    }
    if let failure { throw failure }
  }

  private func close(_ number: Int) {
    state.withLock { state in
      guard let prompt = state.open, prompt.number == number else { return }
      state.cancelled?.answer.resume(returning: .unavailable)
      state.cancelled = prompt
      state.open = nil
      say(promptIsOpen: false)
    }
  }

  /// Answers the open prompt, or with the prefix "late-" the one that was closed last.
  func finger(_ word: String, times: UInt8) throws {
    let isLate = word.hasPrefix("late-")
    let failure = try failure(isLate ? String(word.dropFirst(5)) : word, times)
    let prompt = state.withLock { state in
      defer { if isLate { state.cancelled = nil } else { state.open = nil } }
      if !isLate && state.open != nil { say(promptIsOpen: false) }
      return isLate ? state.cancelled : state.open
    }
    guard let prompt else { throw Failed(description: "there is no such prompt") }
    if word.hasSuffix("invalidated") || word.hasSuffix("missing") {
      // A real key store makes the key unusable when the enrolled fingers change.
      try loseKeys("encryption-\(prompt.identifier)")
    }
    prompt.answer.resume(returning: failure)
  }

  private func failure(_ word: String, _ times: UInt8) throws -> PlatformError? {
    switch word {
    case "recognised": nil
    case "not-recognised": PlatformError(WALLET_CORE_BRIDGE_NOT_RECOGNISED, bytes: [times])
    case "cancelled": PlatformError(WALLET_CORE_BRIDGE_CANCELLED_BY_USER)
    case "locked-out": PlatformError(WALLET_CORE_BRIDGE_LOCKED_OUT)
    case "locked-out-permanently": PlatformError(WALLET_CORE_BRIDGE_LOCKED_OUT_PERMANENTLY)
    case "not-enrolled": PlatformError(WALLET_CORE_BRIDGE_NOT_ENROLLED)
    case "invalidated": .keyInvalidated
    case "missing": .keyMissing
    case "unavailable": .unavailable
    case "host-error": PlatformError(WALLET_CORE_BRIDGE_HOST_LAST)
    default: throw Failed(description: "unknown answer of the sensor: \(word)")
    }
  }

  /// Deletes the keys whose file names begin with the prefix.
  func loseKeys(_ prefix: String = "") throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil)
    for file in files
    where file.pathExtension == "key" && file.lastPathComponent.hasPrefix(prefix) {
      try FileManager.default.removeItem(at: file)
    }
  }
}
