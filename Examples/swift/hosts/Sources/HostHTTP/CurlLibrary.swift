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
        let inside = state.withLock { state in
          state.isExiting = true
          return Array(state.inside.values)
        }
        if inside.isEmpty { return }
        for multi in inside { multi.stop() }
        usleep(10_000)
      }
    }
  }
#endif
