import CWalletCore
import Foundation
import TestSupport

/// The three bridges of a test host. Tests choose the behaviour of the storage path, because that
/// is what the library requests without a provider, and of the deletion of keys.
final class TestBridges: Sendable {
  /// How the key bridges answer a deletion.
  enum Deletion {
    case done, refused, silent
  }

  struct State {
    var deletion = Deletion.done
    /// The keys whose deletion was asked for, and the calls.
    var deletions: [String] = []
    var deletionCalls: [UInt64] = []
    var calls: [UInt64] = []
    var cancelled: [UInt64] = []
    var destroys = 0
    var lateCalls = 0
    var replies: [wallet_core_status] = []
    var threads: Set<String> = []
  }

  let state = Shared(State())
  private let onStoragePath: @Sendable (TestBridges, UInt64) -> Void

  init(onStoragePath: @escaping @Sendable (TestBridges, UInt64) -> Void = { _, _ in }) {
    self.onStoragePath = onStoragePath
  }

  /// Replies as a host does and records the status.
  func reply(
    _ call: UInt64, _ status: wallet_core_bridge_status, _ text: String = "", message: String? = nil
  ) {
    let bytes = Array(text.utf8)
    let result = wallet_core_bridge_reply(call, status, bytes, bytes.count, message)
    state.withLock { $0.replies.append(result) }
  }

  private var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  private static func from(_ context: UnsafeMutableRawPointer?) -> TestBridges? {
    context.map { Unmanaged<TestBridges>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let destroy: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = {
    from($0)?.state.withLock { $0.destroys += 1 }
  }

  private static let cancel: @Sendable @convention(c) (UnsafeMutableRawPointer?, UInt64) -> Void = {
    context, call in
    from(context)?.state.withLock { $0.cancelled.append(call) }
  }

  private static let deleteKey:
    @Sendable @convention(c) (UnsafeMutableRawPointer?, UInt64, UnsafePointer<CChar>) -> Void = {
      context, call, identifier in
      guard let bridges = from(context) else { return }
      let deletion = bridges.state.withLock { state in
        state.deletions.append(String(cString: identifier))
        state.deletionCalls.append(call)
        return state.deletion
      }
      switch deletion {
      case .done: bridges.reply(call, WALLET_CORE_BRIDGE_OK)
      case .refused: bridges.refuseDeletion(call)
      case .silent: break
      }
    }

  /// Replies that the key cannot be deleted.
  func refuseDeletion(_ call: UInt64) {
    reply(call, wallet_core_bridge_status(-1007), message: "the key store is stuck")
  }

  var signing: wallet_core_signing_key_bridge {
    var bridge = wallet_core_signing_key_bridge()
    bridge.struct_size = MemoryLayout.size(ofValue: bridge)
    bridge.context = context
    bridge.destroy = Self.destroy
    bridge.public_key = { _, call, _ in
      _ = wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_UNAVAILABLE, nil, 0, nil)
    }
    bridge.sign = { _, call, _, _, _ in
      _ = wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_UNAVAILABLE, nil, 0, nil)
    }
    bridge.delete_key = Self.deleteKey
    bridge.cancel = Self.cancel
    return bridge
  }

  var encryption: wallet_core_encryption_key_bridge {
    var bridge = wallet_core_encryption_key_bridge()
    bridge.struct_size = MemoryLayout.size(ofValue: bridge)
    bridge.context = context
    bridge.destroy = Self.destroy
    bridge.encrypt = { _, call, _, _, _, _ in
      _ = wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_UNAVAILABLE, nil, 0, nil)
    }
    bridge.decrypt = { _, call, _, _, _, _ in
      _ = wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_UNAVAILABLE, nil, 0, nil)
    }
    bridge.delete_key = Self.deleteKey
    bridge.cancel = Self.cancel
    return bridge
  }

  var utilities: wallet_core_utilities_bridge {
    var bridge = wallet_core_utilities_bridge()
    bridge.struct_size = MemoryLayout.size(ofValue: bridge)
    bridge.context = context
    bridge.destroy = Self.destroy
    bridge.storage_path = { context, call in
      guard let bridges = TestBridges.from(context) else { return }
      let thread = threadName()
      bridges.state.withLock { state in
        if state.destroys > 0 { state.lateCalls += 1 }
        state.calls.append(call)
        state.threads.insert(thread)
      }
      bridges.onStoragePath(bridges, call)
    }
    bridge.cancel = Self.cancel
    return bridge
  }

  /// Passes all three bridges to the library.
  func handOver() -> wallet_core_status {
    var (signing, encryption, utilities) = (signing, encryption, utilities)
    return wallet_core_init_platform_support(&signing, &encryption, &utilities, nil)
  }

  func waitForCall(_ count: Int = 1) -> Bool { state.wait { $0.calls.count >= count } }
}
