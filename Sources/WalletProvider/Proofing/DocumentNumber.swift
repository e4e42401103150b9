import WalletProtocol

/// The number of a document in the form used for comparison, independent of spacing: ASCII capital
/// letters and digits, so that comparing bytes and comparing text give the same result.
struct DocumentNumber: Hashable {
  let text: String

  /// Nil if `number` is not printable ASCII or has neither letters nor digits.
  init?(_ number: String) {
    guard DocumentText.isNumber(number.utf8) else { return nil }
    text = number.uppercased().filter { $0.isLetter || $0.isNumber }
  }
}

extension LicenceIssuer {
  /// The number assigned to Alberta, which also prints another one.
  private static let alberta = 604_432

  /// The issuer of the document, under its assigned number even if the card has another one; nil if
  /// no issuer has the number.
  init?(of claims: LicenceClaims) {
    guard claims.issuerNumber.utf8.count == 6, let printed = Int(claims.issuerNumber),
      let issuer = Self.with(number: Self.assigned(printed))
    else { return nil }
    self = issuer
  }

  /// Returns the number that is assigned to the issuer that prints `number` on its documents.
  static func assigned(_ number: Int) -> Int {
    number == unassignedAlberta ? alberta : number
  }
}
