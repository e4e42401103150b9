internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProofing
internal import WalletProtocol
internal import WalletUseCases

/// What the identity proofing remembers besides the engine. It is kept in memory only and wiped as
/// soon as it is no longer needed.
struct ProofingState {
  /// A code that was read and not claimed yet.
  var code: EnrolmentCode?
  /// Whether the user chose the kept link, rather than a scan.
  var usesLink = false
  /// The evidence read from a licence, and the idempotency key of its submission.
  var submission: Submission?
  /// The stored record of the proofing that is under way.
  var record: ProofingRecord?
  /// The time since which a decision of the provider is pending.
  var pendingSince: Milliseconds?
  /// Whether the issuing source was unavailable for the last submission.
  var isSourceAway = false
  /// Whether the PID was refused or did not verify after a positive verdict, so that another code
  /// may replace the one that was proofed.
  var isIssuanceRefused = false

  struct Submission {
    let evidence: LicenceEvidence
    /// Base64url of 16 random bytes.
    let idempotencyKey = Base64URL.encode(Random.bytes(16))
  }

  /// The state of the proofing as the engine sees it.
  ///
  /// - Parameter now: Seconds since 1970 by the provider's clock.
  func fact(now: @autoclosure () -> Int64) -> ProofingFact { record?.fact(now: now()) ?? .none }

  /// Takes over the stored record.
  mutating func note(_ record: ProofingRecord?) {
    if record?.session != self.record?.session {
      pendingSince = nil
      isSourceAway = false
      isIssuanceRefused = false
    }
    self.record = record
  }

  /// Wipes what is not needed.
  mutating func tidy(needsCode: Bool, needsEvidence: Bool) {
    if !needsCode { code = nil }
    if !needsEvidence { submission = nil }
  }
}

extension ProofingRecord {
  /// The state of the proofing as the engine sees it.
  func fact(now: Int64) -> ProofingFact {
    switch stage {
    // A submitted session ends only when the provider says so.
    case .submitted, .proofed: .submitted
    case .claimed: expiresAt > now ? .claimed : .none
    }
  }
}

extension ProofingPolicy {
  /// The evidence that the provider accepts, from the record of the claim.
  init(_ record: ProofingRecord) {
    self.init(
      kinds: Set(record.kinds), countries: Set(record.countries), minimumAge: record.minimumAge,
      maximumAge: record.maximumAge)
  }
}
