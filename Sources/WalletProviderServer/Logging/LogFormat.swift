/// The format of the log.
public enum LogFormat: String, CaseIterable, Sendable {
  /// Readable lines.
  case text
  /// One JSON object per line, for programs.
  case json
}
