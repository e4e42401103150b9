internal import WalletCredentials
public import WalletModel
internal import WalletProtocol

extension OfferedCard {
  /// The number of copies in which a PID is requested: each is for one verifier.
  public static let pidCopies = 10

  /// Checks that the card is the PID that was requested, more strictly than a card of another issuer:
  /// it states what a PID states and nothing else, hides all that the holder may withhold, and each
  /// copy can be withdrawn.
  ///
  /// - Parameters:
  ///   - type: the type of the provider's PIDs.
  ///   - count: the number of keys that it was requested for.
  /// - Throws: `serverRefused`, with the reason, without any content.
  public func requirePID(type: String, count: Int) throws(WalletError) {
    guard terms.count == count else { throw Self.refusedPID("the number of its copies") }
    guard content.type == type, content.otherTypes.isEmpty else {
      throw Self.refusedPID("its type")
    }
    let claims = JSONValue.object(content.claims)
    guard let pid = try? WireJSON.decode(PIDClaims.self, from: claims.encoded),
      (try? JSONValue(encoding: pid)) == claims,
      Set(pid.ageEqualOrOver.keys) == Set(PIDClaims.ages.map(String.init)),
      Set(content.disclosable) == PIDClaims.disclosable
    else { throw Self.refusedPID("its claims") }
    for terms in terms {
      guard let issuedAt = terms.issuedAt, let expires = terms.expires, issuedAt >= 0,
        expires.subtractingReportingOverflow(issuedAt).partialValue <= PIDClaims.maximumValidity
      else { throw Self.refusedPID("its times") }
      guard case .list = terms.status else { throw Self.refusedPID("it cannot be withdrawn") }
    }
  }

  private static func refusedPID(_ reason: String) -> WalletError {
    WalletError(.serverRefused, "The provider's PID was not taken: \(reason).")
  }
}
