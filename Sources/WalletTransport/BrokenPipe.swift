internal import Glibc

/// Hides SIGPIPE from the host: libcurl may write to a closed connection.
enum BrokenPipe {
  /// Runs `body` with the signal blocked on this thread. A signal that `body` causes is consumed.
  static func withoutSignal<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    guard sigismember(&pending, SIGPIPE) == 0 else { return try body() }
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer {
      var now = timespec()
      while sigtimedwait(&pipe, nil, &now) < 0, errno == EINTR {}
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
  }
}
