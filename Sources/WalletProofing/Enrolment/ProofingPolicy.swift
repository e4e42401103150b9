public import WalletProtocol

/// The documents that the provider accepts, according to its answer to the claim.
public struct ProofingPolicy: Equatable, Sendable {
  public var kinds: Set<LicenceKind>
  public var countries: Set<LicenceCountry>
  /// In full years.
  public var minimumAge: Int
  public var maximumAge: Int

  public init(
    kinds: Set<LicenceKind> = [.licence, .identityCard, .enhancedLicence],
    countries: Set<LicenceCountry> = [.unitedStates, .canada],
    minimumAge: Int = 18, maximumAge: Int = 120
  ) {
    self.kinds = kinds
    self.countries = countries
    self.minimumAge = minimumAge
    self.maximumAge = maximumAge
  }
}
