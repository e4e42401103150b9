/// Removes secrets from the message about a failed connection. libpq misreads a URL whose password
/// contains an unescaped `/` or `@` as another host, port or database, and quotes those in its
/// message.
enum ConnectionErrorRedaction {
  /// The beginning of libpq's line about an attempt to reach a server.
  private static let attempt = "connection to server"

  /// Whether `value` can be what was meant as `keyword`.
  static func isPlausible(_ value: String, for keyword: String) -> Bool {
    switch keyword {
    case "port": value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C }
    // Also the database name: it may contain what follows a password with a /, including the host.
    case "host", "hostaddr", "dbname": !value.contains("@")
    default: true
    }
  }

  /// The lines about attempts to reach a server. Other lines may quote any parameter.
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
