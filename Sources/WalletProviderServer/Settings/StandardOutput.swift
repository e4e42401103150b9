#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output for other programs to read.
public enum StandardOutput {
  /// Prints one line and flushes it, also into a pipe.
  public static func print(_ line: String) {
    Swift.print(line)
    fflush(nil)
  }
}

/// Standard error, for people and for the log.
public enum StandardError {
  /// Prints one line.
  public static func print(_ line: String) { write(Array((line + "\n").utf8)) }

  /// In one system call if possible, so that lines of several threads do not mix.
  static func write(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty {
      #if canImport(Glibc)
        let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      #else
        let count = rest.withUnsafeBytes { Darwin.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      #endif
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }
}
