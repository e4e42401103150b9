import WalletCredentials
import WalletProtocol

/// The description of the type of PIDs (draft-ietf-oauth-sd-jwt-vc-13, type metadata).
enum PIDTypeMetadata {
  /// A claim, by its path, with its English label.
  private static let claims: [(path: [String], label: String)] =
    [
      (["family_name"], "Family name"),
      (["given_name"], "Given names"),
      (["birthdate"], "Date of birth"),
    ] + PIDClaims.ages.map { (["age_equal_or_over", "\($0)"], "\($0) or older") } + [
      (["date_of_expiry"], "Valid until"),
      (["issuing_authority"], "Issued by"),
      (["issuing_country"], "Country of issue"),
      (["verification"], "What was checked"),
    ]

  /// - Parameter type: the `vct`.
  static func json(_ type: String) -> JSONValue {
    .object([
      "vct": .string(type), "name": .string("Person identification data"),
      "description": .string(
        "Name and birth date of a person, as a driver's licence shows them, and what was checked."
          + " States no nationality, place of birth or portrait, and no level of assurance."),
      "display": .array([
        .object(["locale": .string("en"), "name": .string("Personal data")])
      ]),
      "claims": .array(claims.map(claim)),
    ])
  }

  private static func claim(_ path: [String], _ label: String) -> JSONValue {
    let isDisclosable = PIDClaims.disclosable.contains { way in
      way.json == .array(path.map { .string($0) })
    }
    return .object([
      "path": .array(path.map { .string($0) }),
      "display": .array([.object(["locale": .string("en"), "label": .string(label)])]),
      "sd": .string(isDisclosable ? "always" : "never"),
    ])
  }
}
