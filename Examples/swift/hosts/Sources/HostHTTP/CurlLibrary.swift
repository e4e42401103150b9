// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  import CLibcurl
  import Foundation
  import Synchronization
  import CWalletCore
  import WalletHost

  /// libcurl in this process. TLS libraries clean up when the process exits, and a thread that is
  /// inside libcurl then would crash it. So an exit stops all requests and waits until they have ended.
  enum CurlLibrary {
    private struct State {
      var isExiting = false
      var inside: [ObjectIdentifier: CurlMulti] = [:]
      /// The threads that work, or are being started.
      var busy = 0
      /// Threads that have only to return.
      var ended: [pthread_t] = []
    }

    /// What a thread does.
    private final class Work: Sendable {
      let body: @Sendable () -> Void

      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private static let state = Mutex(State())

    /// Registers for the exit after libcurl has loaded its libraries, because the last one that
    /// registers is called first.
    static let isReady: Bool = {
      // libcurl would write the keys of TLS connections to this file.
      unsetenv("SSLKEYLOGFILE")
      return curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK && atexit(CurlLibrary.end) == 0
    }()

    static let refused = HTTPFailure(
      WALLET_CORE_HTTP_NOT_CONNECTED, wasSent: false,
      message: "libcurl refused a request; it is out of memory or too old.")

    static let failed = HTTPFailure(
      WALLET_CORE_HTTP_INCOMPLETE, wasSent: true, message: "libcurl could not go on with a request."
    )

    /// Runs `body` on a thread of its own, which an exit waits for: libcurl's libraries clean up what
    /// they keep for a thread when it ends. Returns false if there can be none.
    static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
      // The exit joins the others itself.
      let ended = state.withLock { state -> [pthread_t]? in
        guard !state.isExiting else { return nil }
        state.busy += 1
        defer { state.ended = [] }
        return state.ended
      }
      guard let ended else { return false }
      for thread in ended { pthread_join(thread, nil) }
      let work = Unmanaged.passRetained(Work(body))
      var thread = pthread_t()
      let problem = pthread_create(
        &thread, nil,
        { context in
          context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
          CurlLibrary.state.withLock { state in
            state.ended.append(pthread_self())
            state.busy -= 1
          }
          return nil
        }, work.toOpaque())
      guard problem != 0 else { return true }
      state.withLock { $0.busy -= 1 }
      work.release()
      return false
    }

    static func whileInside<Value>(_ multi: CurlMulti, _ body: () throws -> Value) throws -> Value {
      let mayEnter = state.withLock { state in
        if !state.isExiting { state.inside[ObjectIdentifier(multi)] = multi }
        return !state.isExiting
      }
      guard mayEnter else { throw refused }
      defer { state.withLock { _ = $0.inside.removeValue(forKey: ObjectIdentifier(multi)) } }
      return try body()
    }

    /// Waits 5 seconds at most.
    private static let end: @convention(c) () -> Void = {
      for _ in 0..<500 {
        let (inside, ended, isBusy) = state.withLock { state in
          state.isExiting = true
          defer { state.ended = [] }
          return (Array(state.inside.values), state.ended, state.busy > 0)
        }
        for thread in ended { pthread_join(thread, nil) }
        if !isBusy { return }
        for multi in inside { multi.stop() }
        usleep(10_000)
      }
    }
  }
#endif
