public import WalletProtocol

/// A case for vetting: the evidence and what is known of the account.
public struct VettingCase: Sendable, Equatable, RedactedDescription {
  /// The id of the proofing session.
  public var session: String
  public var claims: LicenceClaims
  public var person: AccountPerson
  /// Whether another account was proofed with this document.
  public var documentUsedElsewhere: Bool

  public init(
    session: String, claims: LicenceClaims, person: AccountPerson, documentUsedElsewhere: Bool
  ) {
    self.session = session
    self.claims = claims
    self.person = person
    self.documentUsedElsewhere = documentUsedElsewhere
  }
}

/// The result of vetting a case.
public enum VettingVerdict: Sendable, Equatable {
  /// - Parameter sourceMatched: whether the issuing source confirmed the document.
  case proofed(sourceMatched: Bool)
  /// Refused, but other evidence may be accepted.
  case resubmit(ProofingStatus.Reason)
  /// Refused finally.
  case declined
  /// A person has yet to decide; the same case is submitted again later.
  case pending
  /// The issuing source does not respond; the same case is submitted again later.
  case sourceUnavailable
}

/// Decides whether evidence proves the identity of an account's owner. It may take its time,
/// because no transaction is open meanwhile.
public protocol IdentityVetting: Sendable {
  /// - Parameter now: milliseconds since 1970 by the provider's clock.
  func vet(_ vettingCase: VettingCase, now: Int64) async -> VettingVerdict
}

/// A verdict that operators let vetting return, to see how wallets handle it.
public enum SimulatedVerdict: String, Sendable, CaseIterable {
  case pending, declined, unavailable

  var verdict: VettingVerdict {
    switch self {
    case .pending: .pending
    case .declined: .declined
    case .unavailable: .sourceUnavailable
    }
  }
}

/// The source of the simulated verdict, asked at each vetting.
public protocol SimulatedVerdictSource: Sendable {
  var current: SimulatedVerdict? { get }
}

extension SimulatedVerdict: SimulatedVerdictSource {
  public var current: SimulatedVerdict? { self }
}

/// Vetting that returns the simulated verdict if there is one, and otherwise asks the real vetting.
public struct SimulatedVetting: IdentityVetting {
  private let verdict: any SimulatedVerdictSource
  private let vetting: any IdentityVetting

  public init(_ verdict: any SimulatedVerdictSource, else vetting: any IdentityVetting) {
    self.verdict = verdict
    self.vetting = vetting
  }

  public func vet(_ vettingCase: VettingCase, now: Int64) async -> VettingVerdict {
    if let verdict = verdict.current { return verdict.verdict }
    return await vetting.vet(vettingCase, now: now)
  }
}
