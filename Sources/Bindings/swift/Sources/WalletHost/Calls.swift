// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// The context of a bridge: the platform, and the calls that it has not answered yet.
final class Calls: Sendable {
  /// The arguments of a call. The bytes may be a secret: they are wiped in place when the call has
  /// ended. The platform must wipe a copy that it makes, for instance a `Data`.
  final class Arguments {
    let identifier: String
    private(set) var bytes: [UInt8]
    let isBiometric: Bool

    init(identifier: String, bytes: [UInt8], isBiometric: Bool) {
      self.identifier = identifier
      self.bytes = bytes
      self.isBiometric = isBiometric
    }

    deinit { wallet_core_memzero(&bytes, bytes.count) }
  }

  private let platform: any Platform
  private let tasks = CallTasks()

  private init(_ platform: any Platform) { self.platform = platform }

  static func retained(_ platform: some Platform) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Calls(platform)).toOpaque()
  }

  static func release(_ context: UnsafeMutableRawPointer?) {
    context.map { Unmanaged<Calls>.fromOpaque($0).release() }
  }

  static func cancel(_ context: UnsafeMutableRawPointer?, _ call: UInt64) {
    guard let context else { return }
    Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue().tasks.cancel(call)
  }

  /// Answers a call with what `work` returns or throws.
  static func answer(
    _ context: UnsafeMutableRawPointer?, _ call: UInt64, _ identifier: UnsafePointer<CChar>? = nil,
    _ bytes: UnsafePointer<UInt8>? = nil, _ length: Int = 0,
    protection: wallet_core_protection = WALLET_CORE_PROTECTION_NONE,
    _ work: @escaping @Sendable (any Platform, Arguments) async throws -> [UInt8]
  ) {
    guard let context else { return }
    let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
    let arguments = Arguments(
      identifier: identifier.map { String(cString: $0) } ?? "",
      bytes: [UInt8](UnsafeBufferPointer(start: bytes, count: length)),
      isBiometric: protection == WALLET_CORE_PROTECTION_BIOMETRIC)
    calls.tasks.start(call) {
      do {
        reply(call, WALLET_CORE_BRIDGE_OK, try await work(calls.platform, arguments))
      } catch {
        let error = error as? PlatformError ?? .unavailable
        reply(call, error.status, error.bytes)
      }
    }
  }

  /// Replies, then wipes the bytes, which may be a secret, in place. If the platform kept the
  /// array, the change makes a copy, and only the copy is wiped.
  private static func reply(
    _ call: UInt64, _ status: wallet_core_bridge_status, _ bytes: consuming [UInt8]
  ) {
    // UNKNOWN_CALL is harmless: the library no longer waits.
    _ = wallet_core_bridge_reply(call, status, bytes, bytes.count, nil)
    wallet_core_memzero(&bytes, bytes.count)
  }
}

// Safe because the bytes change only in deinit, when there is no other reference.
extension Calls.Arguments: @unchecked Sendable {}
