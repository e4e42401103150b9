#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output for other programs to read.
public enum StandardOutput {
  /// Prints one line and sends it on at once, also into a pipe.
  public static func print(_ line: String) {
    Swift.print(line)
    fflush(nil)
  }
}
