/// A country whose driver's licences carry an AAMVA PDF417 barcode.
public enum LicenceCountry: String, CaseIterable, Codable, Sendable {
  case unitedStates = "USA"
  case canada = "CAN"
  case mexico = "MEX"

  /// Creates the country from the code on a card. The 2003 edition of the standard has another code
  /// for Canada.
  public init?(stated code: String) {
    guard let country = LicenceCountry(rawValue: code == "CDN" ? "CAN" : code) else { return nil }
    self = country
  }
}

/// The issuer of a document, by the issuer identification number of its header.
public struct LicenceIssuer: Hashable, Sendable {
  public let number: Int
  public let jurisdiction: String
  /// The abbreviation in addresses; nil if the issuer is no state or province.
  public let abbreviation: String?
  public let country: LicenceCountry
  /// How many hours the clocks are ahead of UTC in the part of the jurisdiction where a day ends
  /// last.
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

  /// Returns the issuer with `number`; nil if there is none.
  public static func with(number: Int) -> LicenceIssuer? { byNumber[number] }

  /// The number that Alberta prints on its cards, although this number was not assigned to Alberta.
  public static let unassignedAlberta = 990_876

  private static let byNumber = Dictionary(
    all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
}
