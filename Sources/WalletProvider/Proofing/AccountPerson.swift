public import WalletProtocol

/// The person an account belongs to, as stated when the account was made.
public struct AccountPerson: Codable, Sendable, Equatable, RedactedDescription {
  /// The name by which the owner knows the account, usually an e-mail address. Wallets get it
  /// masked.
  public let label: String
  public let familyName: String
  /// All given names.
  public let givenName: String
  public let birthDate: CalendarDate

  /// The maximum length of names and labels, in characters.
  public static let longestText = 254

  /// - Throws: `SettingsError` that names the member but never its value.
  public init(
    label: String, familyName: String, givenName: String, birthDate: String
  ) throws(SettingsError) {
    self.label = try Self.checked(label, "label")
    self.familyName = try Self.checked(familyName, "family name")
    self.givenName = try Self.checked(givenName, "given name")
    guard Self.hasLetter(familyName), Self.hasLetter(givenName) else {
      throw SettingsError("the family name and the given name must have a letter each")
    }
    guard PersonName.isName(familyName), PersonName.isName(givenName) else {
      throw SettingsError(
        "the family name and the given name must have letters, blanks, apostrophes, hyphens and"
          + " full stops only")
    }
    guard let date = CalendarDate(birthDate) else {
      throw SettingsError("the birth date must be a day of the calendar, like 1990-12-31")
    }
    self.birthDate = date
  }

  /// Parses `{"label", "family_name", "given_name", "birth_date"}`.
  public init(json: [UInt8]) throws(SettingsError) {
    guard let form = try? WireJSON.decode(Form.self, from: json) else {
      throw SettingsError(
        "the account must be JSON with label, family_name, given_name and birth_date")
    }
    try self.init(
      label: form.label, familyName: form.familyName, givenName: form.givenName,
      birthDate: form.birthDate)
  }

  /// The label with everything hidden except its first character and the host of an e-mail address.
  /// If there is no name before the @ or no host name after it, nothing is shown.
  public var maskedLabel: String {
    let hidden = "•••"
    guard let at = label.firstIndex(of: "@") else { return label.prefix(1) + hidden }
    let name = label[..<at]
    let host = label[label.index(after: at)...].lowercased()
    guard !name.isEmpty, ProviderSettings.isHostName(host) else { return hidden }
    return name.prefix(1) + hidden + "@" + host
  }

  private static func checked(_ text: String, _ name: String) throws(SettingsError) -> String {
    guard (1...longestText).contains(text.count), text.utf8.count <= 4 * longestText,
      // Format characters could reverse the direction of the text shown next to them.
      text.unicodeScalars.allSatisfy({
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
          $0.properties.generalCategory)
      }),
      text.contains(where: { !$0.isWhitespace })
    else {
      throw SettingsError("the \(name) must be 1 to \(longestText) characters of text")
    }
    return text
  }

  private static func hasLetter(_ text: String) -> Bool { !PersonName(text).joined.isEmpty }

  private struct Form: Decodable {
    let label, familyName, givenName, birthDate: String

    private enum CodingKeys: String, CodingKey {
      case label
      case familyName = "family_name"
      case givenName = "given_name"
      case birthDate = "birth_date"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case label
    case familyName = "family_name"
    case givenName = "given_name"
    case birthDate = "birth_date"
  }
}
