// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  import CLibcurl
  import Foundation
  import WalletHost

  /// HTTP by the system's libcurl. Each request has a connection and a thread of its own: nothing is
  /// kept for the next one, and libcurl repeats no request on a new connection.
  public struct CurlStack: HTTPStack {
    public init() {}

    public func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
      guard CurlLibrary.isReady, let multi = CurlMulti() else { throw CurlLibrary.refused }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          // Not on Swift's own threads, which must not wait.
          let isStarted = CurlLibrary.startThread {
            Self.blockBrokenPipes()
            continuation.resume(with: Result { try Self.perform(request, on: multi) })
          }
          if !isStarted { continuation.resume(throwing: CurlLibrary.refused) }
        }
      } onCancel: {
        multi.stop()
      }
    }

    private static func perform(
      _ request: HTTPRequest, on multi: CurlMulti
    ) throws -> HTTPAnswer {
      try CurlLibrary.whileInside(multi) {
        // libcurl reads the body where it is, so that there is no copy to wipe.
        try (request.body ?? []).withUnsafeBufferPointer { body in
          let reception = CurlReception(request)
          let transfer = try CurlTransfer(request, body: body, to: reception)
          let code = try multi.run(transfer.handle)
          return try transfer.answer(code)
        }
      }
    }

    /// Writing to a closed connection would end the process. A signal that waits ends with the
    /// thread.
    private static func blockBrokenPipes() {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
  }
#endif
