internal import WalletModel

// The English defaults of UC3.1: what happened and what the user can do. They never repeat data of
// a document.

extension StepText {
  /// Why the proofing cannot begin, with what helps in each case.
  static let proofingUnavailable = StepText("Not possible now") { arguments in
    guard case .text(let reasons) = arguments[.reasons] else { return "Please try again later." }
    let known = reasons.split(separator: ",").compactMap { ProofingError(rawValue: String($0)) }
    return (known.map { message(of: $0, arguments) } + reference(arguments))
      .joined(separator: " ")
  }

  /// What the user needs; after a claim that lapsed, also what happened to it.
  static let proofingStart = StepText("Prove who you are") { arguments in
    let needed =
      "You need the QR code of your account and your driver's licence. It takes a few minutes."
    guard case .text(ProofingError.sessionLost.rawValue) = arguments[.failure] else {
      return needed
    }
    return message(of: .sessionLost, arguments) + " " + needed
  }

  /// The account to be proofed, and the privacy notice.
  static let confirmAccount = StepText("Is this your account?") { arguments in
    var account = "The code was accepted. Go on only if the account is yours."
    if case .text(let label) = arguments[.accountLabel] {
      account = "The code was accepted for the account \(label). Go on only if it is yours."
    }
    return account + "\n\n" + privacyNotice
  }

  /// Paragraphs with a heading each, as documented for `wallet_core_event_step_message`.
  private static let privacyNotice = """
    What is sent
    To verify who you are, the operator of this wallet gets your name, birth date, document number, \
    expiry date and the issuer of your licence.

    What is kept
    Your wallet keeps the digital ID made from them, but not the scan.

    Your choice
    Taking part is voluntary. Without it you only have no digital ID.
    """

  /// The text of a failure by its code, with the attempts left and the reference for support.
  static func proofingFailure(_ title: String) -> StepText {
    StepText(title) { arguments in
      guard case .text(let code) = arguments[.failure], let error = ProofingError(rawValue: code)
      else { return "" }
      let sentences =
        [message(of: error, arguments)] + attempts(arguments) + reference(arguments)
      return sentences.joined(separator: " ")
    }
  }

  /// The wait before this wallet takes the place of another one, and how the owner can end it.
  static let proofingWaiting = StepText("Your identity is verified") { arguments in
    let wait = number(.retryAfter, arguments) ?? 0
    let next = wait > 0 ? "in \(duration(wait))" : "with the next try"
    let sentences =
      [
        "Another wallet already has your digital ID, and its owner may object. It comes here \(next),"
          + " or as soon as you allow it in the other wallet."
      ] + reference(arguments)
    return sentences.joined(separator: " ")
  }

  private static func attempts(_ arguments: [StepArgument: Step.Value]) -> [String] {
    guard let left = number(.attemptsLeft, arguments) else { return [] }
    return ["You have \(left) \(left == 1 ? "attempt" : "attempts") left."]
  }

  static func reference(_ arguments: [StepArgument: Step.Value]) -> [String] {
    guard case .text(let reference) = arguments[.reference] else { return [] }
    return ["Your reference for support: \(reference)."]
  }

  /// "Try again in 12 minutes."
  private static func later(_ arguments: [StepArgument: Step.Value]) -> String {
    guard let wait = number(.retryAfter, arguments) else { return "Try again later." }
    return "Try again in \(duration(wait))."
  }

  // MARK: Codes

  static func message(of error: ProofingError, _ arguments: [StepArgument: Step.Value]) -> String {
    switch error {
    case .cameraMissing: "This device has no camera that can be used."
    case .cameraDenied: "Allow this app to use the camera in the settings, then start again."
    case .offline: "There is no internet connection. Connect your device, then start again."
    case .serviceDown: "Our service does not answer. Come back later."
    case .clockSkew: "The clock of this device is wrong. Have date and time set automatically."
    case .updateRequired: "This version of the app is too old. Update it, then start again."
    case .integrity: "This device does not meet the security rules. Use another one."
    case .storage: "Nothing can be stored on this device. Free some space, then start again."
    case .codeTimeout: "No QR code was seen. Hold the whole code in the view of the camera."
    case .codeCancelled: "You stopped the scan. Scan the code when you are ready."
    case .codeUnreadable: "The code was seen but not read. Hold steady and avoid reflections."
    case .codeNotOurs: "This is not a code for proving who you are. Scan the one of your account."
    case .codeMalformed: "The code is damaged. Have it shown again, then scan it."
    case .codeVersion: "This version of the app does not know such codes. Update the app."
    case .codeExpired: "The code is no longer valid. Get a new one for your account and scan it."
    case .codeClaimedElsewhere: "Another device has used this code. Get a new one and scan it."
    case .codeAccountFinal: "This account cannot be used for it. Ask support for help."
    case .codeNetwork: "The connection was lost. The code is kept, so try again."
    case .codeRateLimited: "There were too many attempts. \(later(arguments))"
    case .codeReleased: "The code was given back. Scan the code of your own account."
    case .attemptsExhausted: "All attempts are used up. \(later(arguments))"
    case .sessionLost: "It took too long, and the code has lapsed. Scan it again or get a new one."
    default: documentMessage(of: error, arguments)
    }
  }

  private static func documentMessage(
    of error: ProofingError, _ arguments: [StepArgument: Step.Value]
  ) -> String {
    switch error {
    case .documentTimeout:
      "No barcode was seen. Lay the licence flat in good light and scan its back."
    case .documentCancelled: "You stopped the scan. Scan your licence when you are ready."
    case .documentUnreadable:
      "The barcode was seen but not read. Lay the licence flat and avoid reflections."
    case .documentWrongBarcode:
      "This is another barcode. Scan the wide one on the back of the licence."
    case .documentDamaged: "Not all of the barcode was read. Clean the licence and scan it again."
    case .documentUnsupportedFormat:
      "The barcode of this licence is of a kind that is not supported. Scan another licence."
    case .documentIssuerNotAccepted: "Licences of this issuer are not accepted."
    case .documentTypeNotAccepted: "This is not a driver's licence. Scan a driver's licence."
    case .documentExpired: "This licence has expired. Come back with a renewed one."
    case .documentUnderAge: underAge(arguments)
    case .documentInconsistent: "This licence could not be verified. Scan it once more."
    case .proofNetwork: "The connection was lost, but not your data. Try again."
    case .proofRescanDocument: "Your licence has to be scanned once more."
    case .proofCodeExpired: "The code is no longer valid. Get a new one and scan it."
    case .proofSourceUnavailable: "The service of your issuer does not answer. Try again later."
    case .proofNotMatched: "Your details did not match those on record. Check the licence you scan."
    case .proofDeclined: "Your identity could not be verified. Ask support for help."
    case .proofPendingReview:
      "Your case is under review. You will hear from us and can close the app."
    case .proofInternal: "Something went wrong on our side. Ask support for help."
    default: ""
    }
  }

  private static func underAge(_ arguments: [StepArgument: Step.Value]) -> String {
    guard let age = number(.minimumAge, arguments) else {
      return "You are not old enough to use this wallet."
    }
    return "You have to be at least \(age) years old to use this wallet."
  }
}
