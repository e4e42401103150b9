internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProofing
internal import WalletProtocol
internal import WalletUseCases

/// What the identity proofing remembers besides the engine: in memory only, wiped as soon as nobody
/// needs it.
struct ProofingState {
  /// A code that was read and not claimed yet.
  var code: EnrolmentCode?
  /// Whether the user chose the kept link, rather than a scan.
  var usesLink = false
  /// What was read of a licence, and the name of its submission.
  var submission: Submission?
  /// What the store says is under way.
  var record: ProofingRecord?
  /// Since when somebody else has to decide.
  var pendingSince: Milliseconds?
  /// Whether the issuing source had no answer to what was submitted last.
  var isSourceAway = false
  /// Whether the PID of a positive verdict was refused or does not verify, so that another code may
  /// take the place of the one that led to it.
  var isIssuanceRefused = false

  struct Submission {
    let evidence: LicenceEvidence
    /// Base64url of 16 random bytes.
    let idempotencyKey = Base64URL.encode(Random.bytes(16))
  }

  /// What the engine knows of it.
  ///
  /// - Parameter now: seconds since 1970 by the provider's clock.
  func fact(now: @autoclosure () -> Int64) -> ProofingFact { record?.fact(now: now()) ?? .none }

  /// Takes in what the store says now.
  mutating func note(_ record: ProofingRecord?) {
    if record?.session != self.record?.session {
      pendingSince = nil
      isSourceAway = false
      isIssuanceRefused = false
    }
    self.record = record
  }

  /// Wipes what nobody needs.
  mutating func tidy(needsCode: Bool, needsEvidence: Bool) {
    if !needsCode { code = nil }
    if !needsEvidence { submission = nil }
  }
}

extension ProofingRecord {
  /// What the engine knows of it.
  func fact(now: Int64) -> ProofingFact {
    switch stage {
    // A session that was submitted ends when the provider says so.
    case .submitted, .proofed: .submitted
    case .claimed: expiresAt > now ? .claimed : .none
    }
  }
}

extension ProofingPolicy {
  /// What the provider said that it accepts.
  init(_ record: ProofingRecord) {
    self.init(
      kinds: Set(record.kinds), countries: Set(record.countries), minimumAge: record.minimumAge,
      maximumAge: record.maximumAge)
  }
}
