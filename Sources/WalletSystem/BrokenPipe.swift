internal import CPosix

/// Keeps SIGPIPE from the host. libcurl may write to a closed connection, which raises this signal.
public enum BrokenPipe {
  /// Runs `body` with SIGPIPE blocked on this thread. If `body` raises SIGPIPE, the signal is
  /// discarded.
  public static func withoutSignal<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var state = wallet_broken_pipe()
    wallet_broken_pipe_block(&state)
    defer { wallet_broken_pipe_restore(&state) }
    return try body()
  }
}
