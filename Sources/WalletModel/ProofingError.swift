/// Everything that can prevent an identity proofing: the codes of the error table.
///
/// Carries no content, so that neither claims nor the secret of a code can leak through an error.
public enum ProofingError: String, Error, CaseIterable, Sendable {
  // Before it starts.
  case cameraMissing = "init.camera_missing"
  case cameraDenied = "init.camera_denied"
  case offline = "init.offline"
  case serviceDown = "init.service_down"
  case clockSkew = "init.clock_skew"
  case updateRequired = "init.update_required"
  case integrity = "init.integrity"
  case storage = "init.storage"

  // The enrolment code.
  case codeTimeout = "code.timeout"
  case codeCancelled = "code.cancelled"
  case codeUnreadable = "code.unreadable"
  case codeNotOurs = "code.not_ours"
  case codeMalformed = "code.malformed"
  case codeVersion = "code.version"
  /// The code is expired, unknown or used. The provider does not say which.
  case codeExpired = "code.expired"
  case codeClaimedElsewhere = "code.claimed_elsewhere"
  /// The account is closed or locked.
  case codeAccountFinal = "code.account_final"
  case codeNetwork = "code.network"
  case codeRateLimited = "code.rate_limited"
  /// Only the core reports this: the user gave the claimed code back, because the account is
  /// another person's.
  case codeReleased = "code.released"

  // The licence.
  case documentTimeout = "doc.timeout"
  case documentCancelled = "doc.cancelled"
  case documentUnreadable = "doc.unreadable"
  case documentWrongBarcode = "doc.wrong_barcode"
  case documentDamaged = "doc.damaged"
  case documentUnsupportedFormat = "doc.unsupported_format"
  case documentIssuerNotAccepted = "doc.issuer_not_accepted"
  case documentTypeNotAccepted = "doc.type_not_accepted"
  case documentExpired = "doc.expired"
  case documentUnderAge = "doc.under_age"
  case documentInconsistent = "doc.inconsistent"

  // The verdict.
  case proofNetwork = "proof.network"
  case proofRescanDocument = "proof.rescan_document"
  case proofCodeExpired = "proof.code_expired"
  case proofSourceUnavailable = "proof.source_unavailable"
  case proofNotMatched = "proof.not_matched"
  case proofDeclined = "proof.declined"
  /// An end, not a failure.
  case proofPendingReview = "proof.pending_review"
  case proofInternal = "proof.internal"

  // At any time.
  case attemptsExhausted = "attempts_exhausted"
  case sessionLost = "session_lost"
}
