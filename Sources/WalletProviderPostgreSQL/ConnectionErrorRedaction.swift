/// What may be said of a connection that did not come about: a URL whose password holds an unescaped
/// `/` or `@` is read by libpq as another host, port or database, and its words quote those.
enum ConnectionErrorRedaction {
  /// What libpq writes before the words of one attempt to reach one server.
  private static let attempt = "connection to server"

  /// Whether libpq read what was meant as `keyword`, as far as can be told.
  static func isPlausible(_ value: String, for keyword: String) -> Bool {
    switch keyword {
    case "port": value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C }
    // Also the name of the database: what follows a password with / in it, the host among it.
    case "host", "hostaddr", "dbname": !value.contains("@")
    default: true
    }
  }

  /// The lines about attempts to reach a server. The others may quote any parameter.
  static func quotable(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return unknown }
    var lines: [Substring] = []
    for line in String(cString: message).split(whereSeparator: \.isNewline)
    // It says the same twice where it tries with TLS and without.
    where line.hasPrefix(attempt) && !lines.contains(line) {
      lines.append(line)
    }
    return lines.isEmpty ? unknown : lines.joined(separator: "; ")
  }

  private static let unknown =
    "no server was reached; its host is not known here, or a parameter of its URL is wrong"
}
