import WalletProtocol

/// The type of the PIDs that a provider issues (`vct`).
public enum PIDType {
  /// The type of a provider without a public https:// URL.
  public static let standard = ConfigurationClaims.ownPIDType
  /// The type of the EUDI PID rulebook.
  static let rulebook = "urn:eudi:pid:1"
  /// Where the metadata of the default type is, below the public URL.
  public static let path = "/types/pid/1"

  private static let maximumLength = 256

  /// The type that is used when none is set: its metadata is served at that address.
  public static func standard(at url: PublicURL?) -> String {
    guard let url, url.isHTTPS else { return standard }
    return url.text + path
  }

  /// - Throws: `SettingsError` for a type that PIDs of this provider do not have.
  public static func check(_ type: String) throws(SettingsError) {
    // The national types of the rulebook extend it and have its mandatory claims.
    guard type != rulebook, !type.hasPrefix("urn:eudi:pid:") else {
      throw SettingsError(
        "the type of PIDs cannot be \(type): the rulebook demands nationalities, place_of_birth and"
          + " picture, which a driver's licence does not show and this version does not issue")
    }
    guard (1...maximumLength).contains(type.utf8.count),
      type.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }),
      type.hasPrefix("https://") || type.hasPrefix("urn:")
    else {
      throw SettingsError(
        "the type of PIDs must be a urn: or an https:// URL of at most \(maximumLength) characters")
    }
  }
}
