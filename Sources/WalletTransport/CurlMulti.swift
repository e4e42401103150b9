internal import CCurl
internal import WalletModel

/// A libcurl multi handle: the connections that are kept alive between requests.
final class CurlMulti: @unchecked Sendable {
  // Sendable: `handle` never changes and lives as long as this object. `wakeUp` may be called from
  // any thread (curl_multi_wakeup's documented use); everything else is called only by the thread
  // that runs `CurlTransport.send`, of which there is one at a time.
  private let handle: OpaquePointer
  private let library: CurlLibrary

  init(_ library: CurlLibrary) throws(WalletError) {
    guard let handle = library.functions.multi_init() else {
      throw WalletError(.outOfResources, "libcurl could not create a multi handle.")
    }
    self.handle = OpaquePointer(handle)
    self.library = library
    _ = withUnsafePointer(to: library.functions) {
      wallet_curl_set_multi_long($0, handle, CURLMOPT_MAXCONNECTS, 2)
    }
  }

  deinit {
    // Closes the TLS connections. If the process is exiting, this is left to the system.
    _ = try? ExitGuard.shared.whileInside(stop: {}) {
      library.functions.multi_cleanup(UnsafeMutableRawPointer(handle))
    }
  }

  /// Makes a waiting `run` check `shouldStop` again.
  func wakeUp() { _ = library.functions.multi_wakeup(UnsafeMutableRawPointer(handle)) }

  /// Runs the transfer of `easy` until it is done or `shouldStop` returns true.
  ///
  /// - Returns: The result; nil if it was stopped.
  func run(
    _ easy: UnsafeMutableRawPointer, shouldStop: () -> Bool
  ) throws(WalletError) -> CURLcode? {
    let multi = UnsafeMutableRawPointer(handle)
    try check(library.functions.multi_add_handle(multi, easy))
    defer { _ = library.functions.multi_remove_handle(multi, easy) }
    while true {
      guard !shouldStop() else { return nil }
      var running: Int32 = 0
      try check(library.functions.multi_perform(multi, &running))
      var left: Int32 = 0
      while let message = library.functions.multi_info_read(multi, &left) {
        let result = wallet_curl_result(message)
        if result >= 0 { return CURLcode(UInt32(result)) }
      }
      // Waits at most a minute for the network. libcurl ends the wait at its own next timeout, and
      // `wakeUp` ends it at once.
      try check(library.functions.multi_poll(multi, nil, 0, 60_000, nil))
    }
  }

  private func check(_ code: CURLMcode) throws(WalletError) {
    guard code == CURLM_OK else {
      throw WalletError(
        .outOfResources, "libcurl could not perform a request (multi code \(code.rawValue)).",
        data: ["curl_multi_code": .number(Int64(code.rawValue))])
    }
  }
}
