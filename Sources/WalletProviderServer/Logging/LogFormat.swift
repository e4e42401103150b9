/// How the log is written.
public enum LogFormat: String, CaseIterable, Sendable {
  /// Lines for people.
  case text
  /// One JSON object per line, for programs.
  case json
}
