import Logging

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The limit of open files of this process; each connection is one.
enum OpenFiles {
  /// Files that the process opens besides connections: stores, logs, event loops.
  private static let others = 256

  /// Raises the limit for `connections`, and warns if the system allows fewer.
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
