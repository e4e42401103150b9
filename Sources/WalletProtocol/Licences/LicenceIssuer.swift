/// The countries whose licences carry this barcode.
public enum LicenceCountry: String, CaseIterable, Codable, Sendable {
  case unitedStates = "USA"
  case canada = "CAN"
  case mexico = "MEX"

  /// As a card states it; the 2003 edition writes Canada otherwise.
  public init?(stated code: String) {
    guard let country = LicenceCountry(rawValue: code == "CDN" ? "CAN" : code) else { return nil }
    self = country
  }
}

/// Who issued a document, by the issuer identification number of its header.
public struct LicenceIssuer: Hashable, Sendable {
  public let number: Int
  public let jurisdiction: String
  /// As in addresses; nil where the issuer is no state or province.
  public let abbreviation: String?
  public let country: LicenceCountry
  /// Hours ahead of UTC where the issuer's day ends last.
  public let utcOffsetHours: Int

  init(
    _ number: Int, _ jurisdiction: String, _ abbreviation: String?, _ country: LicenceCountry,
    utc utcOffsetHours: Int
  ) {
    self.number = number
    self.jurisdiction = jurisdiction
    self.abbreviation = abbreviation
    self.country = country
    self.utcOffsetHours = utcOffsetHours
  }

  /// The issuer that has `number`.
  public static func with(number: Int) -> LicenceIssuer? { byNumber[number] }

  /// Printed by Alberta on its cards, without being assigned to it.
  public static let unassignedAlberta = 990_876

  private static let byNumber = Dictionary(
    all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
}
