/// Levels of the log, in order.
public enum LogLevel: Int32, Sendable, Comparable {
  case error = 1
  case warning = 2
  case info = 3
  case debug = 4

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Where rooms write their log lines. No level ever carries a PIN, key, link, claim or identifier.
public struct Log: Sendable {
  private let limit: LogLevel?
  private let write: @Sendable (LogLevel, String, String) -> Void

  /// - Parameters:
  ///   - limit: Lines above it are not even made; nil is silence.
  ///   - write: Takes level, subsystem and message; must not wait.
  public init(
    limit: LogLevel?, write: @escaping @Sendable (LogLevel, String, String) -> Void
  ) {
    self.limit = limit
    self.write = write
  }

  /// Nowhere.
  public static let silent = Log(limit: nil) { _, _, _ in }

  /// Writes a line, if its level is wanted.
  public func callAsFunction(
    _ level: LogLevel, _ subsystem: String, _ message: @autoclosure () -> String
  ) {
    guard let limit, level <= limit else { return }
    write(level, subsystem, message())
  }
}
