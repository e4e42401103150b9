internal import CCurl
internal import WalletModel

/// A libcurl multi handle, as any thread may hold it.
final class CurlMultiHandle: @unchecked Sendable {
  // Sendable: the pointer never changes and lives as long as this object. Any thread may call
  // curl_multi_wakeup; everything else is called by `CurlMulti`, which belongs to one thread, and by
  // the last one that releases the handle.
  fileprivate let pointer: UnsafeMutableRawPointer
  private let library: CurlLibrary

  fileprivate init(_ pointer: UnsafeMutableRawPointer, _ library: CurlLibrary) {
    self.pointer = pointer
    self.library = library
  }

  deinit {
    // Closes the TLS connections. If the process is exiting, this is left to the system.
    _ = try? ExitGuard.shared.whileInside(stop: {}) { library.functions.multi_cleanup(pointer) }
  }

  /// Makes a waiting `CurlMulti.run` check `shouldStop` again.
  func wakeUp() { _ = library.functions.multi_wakeup(pointer) }
}

/// The connections that are kept alive between requests.
final class CurlMulti {
  let handle: CurlMultiHandle
  private let library: CurlLibrary

  init(_ library: CurlLibrary) throws(WalletError) {
    guard let pointer = library.functions.multi_init() else {
      throw WalletError(.outOfResources, "libcurl could not create a multi handle.")
    }
    handle = CurlMultiHandle(pointer, library)
    self.library = library
    _ = withUnsafePointer(to: library.functions) {
      wallet_curl_set_multi_long($0, pointer, CURLMOPT_MAXCONNECTS, 2)
    }
  }

  /// Runs the transfer of `easy` until it is done or `shouldStop` returns true.
  ///
  /// - Returns: The result; nil if it was stopped.
  func run(
    _ easy: UnsafeMutableRawPointer, shouldStop: () -> Bool
  ) throws(WalletError) -> CURLcode? {
    let multi = handle.pointer
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
