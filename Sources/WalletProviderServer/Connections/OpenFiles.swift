import Logging

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How many files the system lets this process open; a connection is one.
enum OpenFiles {
  /// What the process opens beside connections: stores, logs, event loops.
  private static let others = 256

  /// Asks for enough of them, and warns when the system gives fewer.
  static func allow(_ connections: Int, logger: Logger) {
    #if canImport(Glibc)
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let kind = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    let wanted = rlim_t(connections + others)
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    guard setrlimit(kind, &limit) == 0, limit.rlim_cur >= wanted else {
      return logger.warning(
        "fewer open files are allowed than connections; raise the limit (ulimit -n)",
        metadata: ["allowed": .stringConvertible(limit.rlim_cur)])
    }
  }
}
