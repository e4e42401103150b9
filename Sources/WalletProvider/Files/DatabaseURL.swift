public import WalletProtocol

/// The URL of a PostgreSQL database. It may contain a password, so it is never shown.
public struct DatabaseURL: Sendable, Equatable, RedactedDescription {
  /// For the connecting library only; never for a log or an error.
  public let text: String

  /// - Throws: `SettingsError`, which does not contain the text.
  public init(_ text: String) throws(SettingsError) {
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw SettingsError("a database must be a URL like postgresql://user@host:5432/name") }
    self.text = text
  }
}
