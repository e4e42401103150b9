public import WalletProtocol

/// Identifies a person's document.
///
/// Besides issuer and number it includes the account's family name and birth date. Otherwise someone
/// else could register a person's number first, with an account of their own, and the person could
/// not be proofed with the document any more.
public struct HeldDocument: Sendable, RedactedDescription {
  let issuer: LicenceIssuer
  let number: DocumentNumber
  let familyName: PersonName
  let birthDate: CalendarDate

  /// The document in evidence for the account of `person`; nil if vetting would refuse the number
  /// or the issuer. Name and birth date are the operator's, which no wallet can choose.
  init?(_ claims: LicenceClaims, of person: AccountPerson) {
    guard let number = DocumentNumber(claims.documentNumber), let issuer = LicenceIssuer(of: claims)
    else { return nil }
    self.issuer = issuer
    self.number = number
    familyName = PersonName(person.familyName)
    birthDate = person.birthDate
  }

  /// - Parameters:
  ///   - issuer: the issuer identification number, like 636014.
  ///   - familyName: as in the account, without regard to case and diacritics.
  ///   - birthDate: like 1990-12-31.
  /// - Throws: `SettingsError` that names the member but never its value.
  public init(
    issuer: String, number: String, familyName: String, birthDate: String
  ) throws(SettingsError) {
    guard issuer.utf8.count == 6, let printed = Int(issuer),
      let issuer = LicenceIssuer.with(number: LicenceIssuer.assigned(printed))
    else { throw SettingsError("the issuer must be an issuer identification number, like 636014") }
    guard let number = DocumentNumber(number) else {
      throw SettingsError("the number must be that of a document, in ASCII")
    }
    guard let birthDate = CalendarDate(birthDate) else {
      throw SettingsError("the birth date must be a day of the calendar, like 1990-12-31")
    }
    let familyName = PersonName(familyName)
    guard !familyName.joined.isEmpty else { throw SettingsError("the family name needs a letter") }
    self.issuer = issuer
    self.number = number
    self.familyName = familyName
    self.birthDate = birthDate
  }

  /// Parses `{"issuer", "number", "family_name", "birth_date"}`.
  public init(json: [UInt8]) throws(SettingsError) {
    guard let form = try? WireJSON.decode(Form.self, from: json) else {
      throw SettingsError(
        "the document must be JSON with issuer, number, family_name and birth_date, all texts")
    }
    try self.init(
      issuer: form.issuer, number: form.number, familyName: form.familyName,
      birthDate: form.birthDate)
  }

  private struct Form: Decodable {
    let issuer, number, familyName, birthDate: String

    private enum CodingKeys: String, CodingKey {
      case issuer, number
      case familyName = "family_name"
      case birthDate = "birth_date"
    }
  }
}
