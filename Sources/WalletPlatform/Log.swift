/// The levels of the log, in order.
public enum LogLevel: Int32, Sendable, Comparable {
  case error = 1
  case warning = 2
  case info = 3
  case debug = 4

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The log of the core. No line at any level contains a PIN, key, link, claim or identifier.
public struct Log: Sendable {
  private let limit: LogLevel?
  private let write: @Sendable (LogLevel, String, String) -> Void

  /// - Parameters:
  ///   - limit: The highest level that is written. Messages above it are not even built; nil
  ///     disables the log.
  ///   - write: Receives level, subsystem and message; must not wait.
  public init(
    limit: LogLevel?, write: @escaping @Sendable (LogLevel, String, String) -> Void
  ) {
    self.limit = limit
    self.write = write
  }

  /// A log that writes nothing.
  public static let silent = Log(limit: nil) { _, _, _ in }

  /// Writes a line if its level is enabled.
  public func callAsFunction(
    _ level: LogLevel, _ subsystem: String, _ message: @autoclosure () -> String
  ) {
    guard let limit, level <= limit else { return }
    write(level, subsystem, message())
  }
}
