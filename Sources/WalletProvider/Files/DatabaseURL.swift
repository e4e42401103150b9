public import WalletProtocol

/// Where a PostgreSQL database is reached. It may hold a password, so it is never shown.
public struct DatabaseURL: Sendable, Equatable, RedactedDescription {
  /// For the library that connects, and never for a log or an error.
  public let text: String

  /// - Throws: `SettingsError`, without the text.
  public init(_ text: String) throws(SettingsError) {
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw SettingsError("a database must be a URL like postgresql://user@host:5432/name") }
    self.text = text
  }
}
