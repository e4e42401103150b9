/// Removes secrets from the message about a failed connection. If the password in a URL contains an
/// unescaped `/` or `@`, libpq takes parts of it for the host, port or database, and quotes those
/// in its message.
enum ConnectionErrorRedaction {
  /// The beginning of libpq's line about an attempt to reach a server.
  private static let attempt = "connection to server"

  /// Whether `value` can be a real value of the parameter `keyword`, and not a part of a password.
  static func isPlausible(_ value: String, for keyword: String) -> Bool {
    switch keyword {
    case "port": value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C }
    // The database name is checked too: if the password contains a /, libpq takes what follows it,
    // including the host, for the database name.
    case "host", "hostaddr", "dbname": !value.contains("@")
    default: true
    }
  }

  /// The lines of libpq's message about attempts to reach a server. Other lines are left out,
  /// because they may quote any parameter.
  static func quotable(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return unknown }
    var lines: [Substring] = []
    for line in String(cString: message).split(whereSeparator: \.isNewline)
    // libpq repeats the line if it tries with and without TLS.
    where line.hasPrefix(attempt) && !lines.contains(line) {
      lines.append(line)
    }
    return lines.isEmpty ? unknown : lines.joined(separator: "; ")
  }

  private static let unknown =
    "no server was reached; its host is not known here, or a parameter of its URL is wrong"
}
