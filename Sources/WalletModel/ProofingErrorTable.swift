/// Whether and how the user can continue after an error.
public enum ProofingErrorClass: String, CaseIterable, Sendable {
  case recoverable
  /// Recoverable until the attempts of the claim are used up, then `attemptsExhausted`.
  case recoverableWhileAttemptsRemain = "recoverable_while_attempts_remain"
  /// Recoverable until the session ends, which the user cannot influence.
  case recoverableUntilDeadline = "recoverable_until_deadline"
  case irrecoverable
  /// The end of the flow, but nothing failed.
  case pending
}

/// The labels of the buttons of an error.
public enum ProofingButton: String, CaseIterable, Sendable {
  case exit
  case scanAgain = "scan_again"
  case scanAnother = "scan_another"
  case scanLicence = "scan_licence_again"
  case scanCode = "scan_qr_code"
  case tryAgain = "try_again"
  case proceed = "continue"
}

/// The destination of the primary button of a recoverable error.
public enum ProofingTarget: String, CaseIterable, Sendable {
  /// The scanner for the enrolment code.
  case code
  /// The claim, with the code that was read.
  case claim
  /// The scanner for the licence.
  case licence
  /// The submission, with the same claims and the same idempotency key.
  case submission
  /// The step that the user left.
  case left
  /// Leaves the proofing.
  case exit
}

/// A row of the error table.
public struct ProofingErrorRow: Equatable, Sendable {
  public let errorClass: ProofingErrorClass
  public let primary: ProofingButton
  public let target: ProofingTarget
  /// The second button, if the table has one.
  public let secondary: ProofingButton?

  private init(
    _ errorClass: ProofingErrorClass, _ primary: ProofingButton, _ target: ProofingTarget,
    or secondary: ProofingButton? = nil
  ) {
    self.errorClass = errorClass
    self.primary = primary
    self.target = target
    self.secondary = secondary
  }

  fileprivate static let final = ProofingErrorRow(.irrecoverable, .exit, .exit)
  fileprivate static let pending = ProofingErrorRow(.pending, .exit, .exit)

  fileprivate static func retry(
    _ button: ProofingButton, _ target: ProofingTarget
  ) -> ProofingErrorRow {
    ProofingErrorRow(.recoverable, button, target)
  }

  fileprivate static func attempt(
    _ button: ProofingButton, or secondary: ProofingButton? = nil
  ) -> ProofingErrorRow {
    ProofingErrorRow(.recoverableWhileAttemptsRemain, button, .licence, or: secondary)
  }

  fileprivate static let later = ProofingErrorRow(
    .recoverableUntilDeadline, .tryAgain, .submission, or: .exit)
}

extension ProofingError {
  /// The row of the error table.
  public var row: ProofingErrorRow {
    switch self {
    case .cameraMissing, .cameraDenied, .offline, .serviceDown, .clockSkew, .updateRequired,
      .integrity, .storage:
      .final
    case .codeTimeout, .codeCancelled, .codeUnreadable, .codeNotOurs, .codeMalformed,
      .codeExpired, .codeClaimedElsewhere, .codeReleased:
      .retry(.scanAgain, .code)
    case .codeNetwork: .retry(.tryAgain, .claim)
    case .codeVersion, .codeAccountFinal, .codeRateLimited: .final
    case .documentTimeout, .documentCancelled, .documentUnreadable, .documentWrongBarcode:
      .retry(.scanAgain, .licence)
    case .documentDamaged: .attempt(.scanAgain)
    case .documentUnsupportedFormat: .attempt(.scanAnother, or: .exit)
    case .documentTypeNotAccepted: .attempt(.scanAnother)
    case .documentInconsistent: .attempt(.scanAgain, or: .exit)
    // The same licence would fail again.
    case .documentIssuerNotAccepted, .documentExpired, .documentUnderAge: .final
    case .proofNetwork: .retry(.tryAgain, .submission)
    case .proofRescanDocument: .attempt(.scanLicence)
    case .proofCodeExpired: .retry(.scanCode, .code)
    case .proofSourceUnavailable: .later
    case .proofNotMatched: .attempt(.scanAgain, or: .exit)
    case .proofDeclined, .proofInternal: .final
    case .proofPendingReview: .pending
    case .attemptsExhausted: .final
    case .sessionLost: .retry(.proceed, .left)
    }
  }
}
