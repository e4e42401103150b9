import CWalletCore
import Foundation
import TestSupport

/// The HTTP bridge of a test host, which replies when the test says so.
final class TestHTTPBridge: Sendable {
  /// A request as the host read it, after its function had returned.
  struct Call: Sendable {
    let id: UInt64
    let request: Request
  }

  struct Request: @unchecked Sendable {
    // Sendable: the library keeps what the pointer leads to unchanged until the reply.
    let pointer: UnsafePointer<wallet_core_http_request>

    var url: String { String(cString: pointer.pointee.url) }
    var method: String { String(cString: pointer.pointee.method) }
    var headers: [String: String] {
      let headers = UnsafeBufferPointer(
        start: pointer.pointee.headers, count: pointer.pointee.header_count)
      return Dictionary(
        uniqueKeysWithValues: headers.map { (String(cString: $0.name), String(cString: $0.value)) })
    }
  }

  struct State {
    var calls: [Call] = []
    var cancelled: [UInt64] = []
    var destroys = 0
    var lateCalls = 0
    var threads: Set<String> = []
  }

  let state = Shared(State())
  private let onCall: @Sendable (TestHTTPBridge, Call) -> Void

  init(onCall: @escaping @Sendable (TestHTTPBridge, Call) -> Void = { _, _ in }) {
    self.onCall = onCall
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> TestHTTPBridge? {
    context.map { Unmanaged<TestHTTPBridge>.fromOpaque($0).takeUnretainedValue() }
  }

  var bridge: wallet_core_http_bridge {
    var bridge = wallet_core_http_bridge()
    bridge.struct_size = MemoryLayout.size(ofValue: bridge)
    bridge.context = Unmanaged.passRetained(self).toOpaque()
    bridge.destroy = { TestHTTPBridge.from($0)?.state.withLock { $0.destroys += 1 } }
    bridge.send = { context, id, request in
      guard let bridge = TestHTTPBridge.from(context) else { return }
      let call = Call(id: id, request: Request(pointer: request))
      let thread = threadName()
      bridge.state.withLock { state in
        if state.destroys > 0 { state.lateCalls += 1 }
        state.calls.append(call)
        state.threads.insert(thread)
      }
      bridge.onCall(bridge, call)
    }
    bridge.cancel = { context, call in
      TestHTTPBridge.from(context)?.state.withLock { $0.cancelled.append(call) }
    }
    return bridge
  }

  /// Passes the bridge to the library.
  func handOver() -> wallet_core_status {
    var bridge = bridge
    return wallet_core_set_http_bridge(&bridge, nil)
  }

  func waitForCall(_ count: Int = 1) -> Bool { state.wait { $0.calls.count >= count } }

  /// Replies as a host does; `change` makes mistakes.
  @discardableResult
  static func reply(
    _ call: Call, status: Int32 = 404, body: [UInt8] = [], url: String? = nil,
    _ change: (inout wallet_core_http_response) -> Void = { _ in }
  ) -> wallet_core_status {
    (url ?? call.request.url).withCString { url in
      "127.0.0.1".withCString { address in
        body.withUnsafeBufferPointer { body in
          var response = wallet_core_http_response()
          response.struct_size = MemoryLayout.size(ofValue: response)
          response.was_sent = 1
          response.http_status = status
          response.body = body.baseAddress
          response.body_length = body.count
          response.url = url
          response.remote_address = address
          change(&response)
          return wallet_core_http_reply(call.id, &response)
        }
      }
    }
  }
}
