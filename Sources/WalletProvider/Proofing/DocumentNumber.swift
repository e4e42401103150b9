import WalletProtocol

/// The number of a document in the one form that it is compared in, however it is spaced: capital
/// letters and digits of ASCII, so that bytes and text tell the same numbers apart.
struct DocumentNumber: Hashable {
  let text: String

  /// Nil for what is not printable ASCII, or has neither letter nor digit.
  init?(_ number: String) {
    guard DocumentText.isNumber(number.utf8) else { return nil }
    text = number.uppercased().filter { $0.isLetter || $0.isNumber }
  }
}

extension LicenceIssuer {
  /// The number that is assigned to Alberta, which prints another one too.
  private static let alberta = 604_432

  /// Who issued the document, under one number whichever is printed; nil where the number is nobody's.
  init?(of claims: LicenceClaims) {
    guard claims.issuerNumber.utf8.count == 6, let printed = Int(claims.issuerNumber),
      let issuer = Self.with(number: Self.assigned(printed))
    else { return nil }
    self = issuer
  }

  /// The assigned number of an issuer that prints another one.
  static func assigned(_ number: Int) -> Int {
    number == unassignedAlberta ? alberta : number
  }
}
