import WalletSystem

/// Standard output for other programs to read.
public enum StandardOutput {
  /// Prints one line and flushes it at once, even if the output is a pipe.
  public static func print(_ line: String) {
    Swift.print(line)
    CurrentProcess.flushOutput()
  }
}

/// Standard error, for people and for the log.
public enum StandardError {
  /// Prints one line.
  public static func print(_ line: String) { write(Array((line + "\n").utf8)) }

  /// Writes the line in one system call if possible, so that lines of several threads do not mix.
  static func write(_ line: [UInt8]) { try? FileDescriptor.standardError.write(line) }
}
