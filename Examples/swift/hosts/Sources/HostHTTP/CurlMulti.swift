// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  import CLibcurl
  import Synchronization

  /// Runs one transfer, which any thread can stop.
  final class CurlMulti {
    private let handle: UnsafeMutableRawPointer
    private let stopped = Atomic(false)

    /// Nil if there is no memory.
    init?() {
      guard let handle = curl_multi_init() else { return nil }
      self.handle = handle
    }

    deinit { curl_multi_cleanup(handle) }

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    func stop() {
      stopped.store(true, ordering: .releasing)
      curl_multi_wakeup(handle)
    }

    /// Waits for the end of a transfer and returns its result; that of a broken one if it was
    /// stopped.
    func run(_ transfer: UnsafeMutableRawPointer) throws -> CURLcode {
      try check(curl_multi_add_handle(handle, transfer))
      defer { curl_multi_remove_handle(handle, transfer) }
      while !isStopped {
        var running: Int32 = 0
        try check(curl_multi_perform(handle, &running))
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left) {
          let result = host_curl_result(message)
          if result >= 0 { return CURLcode(UInt32(result)) }
        }
        // libcurl ends the wait at its next deadline, and `stop` at once.
        try check(curl_multi_poll(handle, nil, 0, 60_000, nil))
      }
      return CURLE_ABORTED_BY_CALLBACK
    }

    private func check(_ code: CURLMcode) throws {
      if code != CURLM_OK { throw CurlLibrary.failed }
    }
  }

  // Safe because the pointer never changes and is freed after the last reference. `stop` calls only
  // curl_multi_wakeup, which any thread may call at any time; all else is called by the one thread of
  // the request.
  extension CurlMulti: @unchecked Sendable {}
#endif
