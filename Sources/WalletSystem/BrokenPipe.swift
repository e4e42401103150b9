internal import CPosix

/// Keeps SIGPIPE from the host, because libcurl may write to a closed connection.
public enum BrokenPipe {
  /// Runs `body` with the signal blocked on this thread. A signal that it causes is discarded.
  public static func withoutSignal<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var state = wallet_broken_pipe()
    wallet_broken_pipe_block(&state)
    defer { wallet_broken_pipe_restore(&state) }
    return try body()
  }
}
