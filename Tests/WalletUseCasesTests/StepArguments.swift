import WalletModel

@testable import WalletUseCases

/// The arguments of steps: their meaning, and which step may have which. The tests compare them
/// with every step of the flows and with the list in the header.
enum StepArguments {
  enum Kind: String { case text, number, truth }

  struct Argument {
    let name: String
    let kind: Kind
    let meaning: String
    /// The values that hosts compare with; empty if any is possible.
    var values: [String] = []
  }

  static let all = [
    Argument(
      name: "account_label", kind: .text, meaning: "the account that the code is for, masked"),
    Argument(name: "app_version", kind: .text, meaning: "as the host gave it"),
    Argument(
      name: "attempts_left", kind: .number,
      meaning: "of PINs in this round; of scans and licences, if two or fewer"),
    Argument(
      name: "biometrics", kind: .text, meaning: "the kind of biometrics",
      values: Biometrics.allCases.map(\.rawValue)),
    Argument(
      name: "block_age_ms", kind: .number, meaning: "since the provider told of the block"),
    Argument(
      name: "blocked_for_ms", kind: .number,
      meaning: "until PINs are accepted again, as far as is known"),
    Argument(
      name: "configuration_version", kind: .number, meaning: "of the configuration in force"),
    Argument(name: "core_version", kind: .text, meaning: "of the library"),
    Argument(
      name: "failed_attempts", kind: .number,
      meaning: "of wrong PINs that the user was not told of before: with the notice "
        + "`failed-attempts`, on any step"),
    Argument(
      name: "failure", kind: .text,
      meaning: "why there is no PID yet: a code of the last table"),
    Argument(name: "has_pid", kind: .truth, meaning: "whether the wallet has a PID"),
    Argument(
      name: "is_biometric_unlock_enabled", kind: .truth, meaning: "whether it is enabled"
    ),
    Argument(name: "is_final_round", kind: .truth, meaning: "whether the next block is permanent"),
    Argument(
      name: "is_permanently_blocked", kind: .truth,
      meaning: "whether the last known block is permanent"),
    Argument(
      name: "is_pid_expired", kind: .truth,
      meaning: "whether the PID has expired; only with one, and where it is known"),
    Argument(
      name: "last_failed_at", kind: .number,
      meaning: "when the last failed attempt came, in seconds since 1970 (UTC)"),
    Argument(name: "link", kind: .text, meaning: "what to open; may contain a secret"),
    Argument(name: "locks_in_ms", kind: .number, meaning: "until the wallet locks for inactivity"),
    Argument(
      name: "may_close_app", kind: .truth,
      meaning: "whether an exit here ends the identity proofing, so that a host may close the app"),
    Argument(name: "minimum_age", kind: .number, meaning: "in years, for the identity proofing"),
    Argument(name: "pin_length", kind: .number, meaning: "digits of a PIN"),
    Argument(
      name: "protection", kind: .text, meaning: "what protects the wallet",
      values: ["pin", "pin-and-biometrics"]),
    Argument(
      name: "reason", kind: .text,
      meaning: "why a PIN is too simple, or a code or biometrics cannot be used",
      values: pinReasons + codeReasons + biometricReasons),
    Argument(
      name: "reasons", kind: .text, meaning: "codes as in `failure`, separated by commas"),
    Argument(name: "reference", kind: .text, meaning: "by which support finds the failure"),
    Argument(name: "retry_after_ms", kind: .number, meaning: "until another attempt makes sense"),
    Argument(
      name: "status_name", kind: .text,
      meaning: "the status that failed, without `WALLET_CORE_ERROR_`: see the errors article"),
    Argument(
      name: "symbology", kind: .text, meaning: "the kind of code that the scanner needs",
      values: ["qr-code", "pdf417"]),
    Argument(
      name: "takes_effect_in_ms", kind: .number,
      meaning: "until another wallet takes the place of this one"),
  ]

  private static let pinReasons =
    [PinVerdict.tooFewDifferentDigits, .sequence, .common].map(\.rawValue)
  private static let codeReasons = ["invalid", "no-pid", Notice.flowInProgress.rawValue]
  private static let biometricReasons = [
    "not_recognised", "cancelled_by_user", "cancelled", "locked_out", "locked_out_permanently",
    "not_enrolled", "key_invalidated", "key_missing", "unavailable",
  ]

  private static let failed = ["failure", "reference", "retry_after_ms"]
  private static let failedForNow = failed + ["attempts_left"]

  /// The arguments that a screen or prompt may have in addition to `may_close_app`.
  static func of(_ screen: Screen) -> [String] {
    switch screen {
    case .choosePin, .repeatPin, .confirmWithPin, .refuseReplacement, .allowReplacement:
      ["pin_length"]
    case .walletReplacement: ["takes_effect_in_ms"]
    case .proofingWaiting: ["reference", "retry_after_ms"]
    case .openWithPin:
      [
        "pin_length", "reason", "attempts_left", "is_final_round", "block_age_ms",
        "blocked_for_ms", "is_permanently_blocked",
      ]
    case .pinTooSimple, .invalidQR: ["reason"]
    case .configureBiometrics: ["biometrics", "reason"]
    case .setupDone: ["protection"]
    case .biometricTooManyAttempts, .biometricNotRecognisedEnterPin: ["reason"]
    case .wrongPin: ["attempts_left", "is_final_round"]
    case .temporarilyBlocked: ["blocked_for_ms"]
    case .proofingUnavailable: ["reasons", "failure", "reference"]
    case .proofingStart: ["failure"]
    case .confirmAccount: ["account_label", "minimum_age"]
    case .codeFailed, .proofingFailed, .proofingPending: failed
    case .codeRetry, .proofingRetry: failedForNow
    case .licenceFailed: failed + ["minimum_age"]
    case .licenceRetry: failedForNow + ["minimum_age"]
    case .scanEnrolmentCode, .scanLicence, .scanQR: ["symbology"]
    case .dashboard: ["has_pid", "is_pid_expired", "is_biometric_unlock_enabled", "reason"]
    case .about: ["app_version", "configuration_version", "core_version"]
    case .inactivityWarning: ["locks_in_ms"]
    case .splash, .updateNeeded, .appBlocked, .scanWithWallet, .introduction1, .introduction2,
      .introduction3, .privacyConsiderations, .privacyStatement, .pinDiffersRetry,
      .pinDiffersStartOver, .biometricNotRecognised, .biometricEnterPin, .forgotPin,
      .permanentlyBlocked, .stopProofing, .walletReady, .cardDetails, .wipe,
      .cameraPermissionNeeded:
      []
    }
  }

  /// The arguments that a notice adds to the step that shows it.
  static func of(_ notice: Notice) -> [String] {
    notice == .failedAttempts ? ["failed_attempts", "last_failed_at"] : []
  }

  static func of(_ handOff: HandOff) -> [String] {
    switch handOff {
    case .issuance, .sharing, .login: ["link"]
    case .help, .cameraPermission, .askForCamera: []
    }
  }

  static func of(_ error: ErrorStep) -> [String] {
    switch error {
    case .noInternet, .serverUnreachable, .deviceInsecure: ["status_name"]
    case .generic: ["status_name", "reference"]
    }
  }

  /// Returns the arguments of a step by its name; nil if no step has the name.
  static func of(step name: String) -> Set<String>? {
    let exit = offersExit(name) ? ["may_close_app"] : []
    if let screen = Screen(rawValue: name) { return Set(of(screen) + exit) }
    if let handOff = HandOff(rawValue: name) { return Set(of(handOff)) }
    if let error = ErrorStep(rawValue: name) { return Set(of(error)) }
    return FlowEffect(rawValue: name) != nil || NameArticle.others.contains(name) ? [] : nil
  }

  /// Returns the arguments of a step that the article does not list for it.
  static func undeclared(in step: Step) -> [String] {
    let news = step.notices.compactMap(Notice.init).flatMap { of($0) }
    let declared = (of(step: step.name) ?? []).union(news)
    return step.arguments.keys.filter { !declared.contains($0) }.sorted()
  }

  private static func offersExit(_ name: String) -> Bool {
    NameArticle.rows(of: name).contains { $0.row.cases.contains(where: \.isExit) }
  }
}
