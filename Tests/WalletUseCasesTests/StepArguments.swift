import WalletModel

@testable import WalletUseCases

/// The arguments of steps: their meaning, and which step may have which. The tests compare them
/// with every step of the flows and with the list in the header.
enum StepArguments {
  enum Kind: String { case text, number, truth }

  struct Argument {
    let name: StepArgument
    let kind: Kind
    let meaning: String
    /// The values that hosts compare with; empty if any is possible.
    var values: [String] = []
  }

  static let all = [
    Argument(
      name: .accountLabel, kind: .text, meaning: "the account that the code is for, masked"),
    Argument(name: .appVersion, kind: .text, meaning: "as the host gave it"),
    Argument(
      name: .attemptsLeft, kind: .number,
      meaning: "of PINs in this round; of scans and licences, if two or fewer"),
    Argument(
      name: .biometrics, kind: .text, meaning: "the kind of biometrics",
      values: Biometrics.allCases.map(\.rawValue)),
    Argument(
      name: .blockAge, kind: .number, meaning: "since the provider told of the block"),
    Argument(
      name: .blockedFor, kind: .number,
      meaning: "until PINs are accepted again, as far as is known"),
    Argument(
      name: .configurationVersion, kind: .number, meaning: "of the configuration in force"),
    Argument(name: .coreVersion, kind: .text, meaning: "of the library"),
    Argument(
      name: .failedAttempts, kind: .number,
      meaning: "of wrong PINs that the user was not told of before: with the notice "
        + "`failed-attempts`, on any step"),
    Argument(
      name: .failure, kind: .text,
      meaning: "why there is no PID yet: a code of the last table"),
    Argument(name: .hasPID, kind: .truth, meaning: "whether the wallet has a PID"),
    Argument(name: .host, kind: .text, meaning: "the host that gets what is shared"),
    Argument(
      name: .isBiometricUnlockEnabled, kind: .truth, meaning: "whether it is enabled"
    ),
    Argument(name: .isFinalRound, kind: .truth, meaning: "whether the next block is permanent"),
    Argument(
      name: .isPermanentlyBlocked, kind: .truth,
      meaning: "whether the last known block is permanent"),
    Argument(
      name: .isPIDExpired, kind: .truth,
      meaning: "whether the PID has expired; only with one, and where it is known"),
    Argument(
      name: .isRequestWaiting, kind: .truth,
      meaning: "whether a request of a relying party waits for the unlock; only if so"),
    Argument(
      name: .lastFailedAt, kind: .number,
      meaning: "when the last failed attempt came, in seconds since 1970 (UTC)"),
    Argument(name: .link, kind: .text, meaning: "what to open; may contain a secret"),
    Argument(name: .locksIn, kind: .number, meaning: "until the wallet locks for inactivity"),
    Argument(
      name: .mayCloseApp, kind: .truth,
      meaning: "whether an exit here ends the identity proofing, so that a host may close the app"),
    Argument(name: .minimumAge, kind: .number, meaning: "in years, for the identity proofing"),
    Argument(
      name: .organisation, kind: .text,
      meaning: "who asks, as its certificate says; missing if it has no name that can be shown"),
    Argument(name: .pinLength, kind: .number, meaning: "digits of a PIN"),
    Argument(
      name: .protection, kind: .text, meaning: "what protects the wallet",
      values: ["pin", "pin-and-biometrics"]),
    Argument(
      name: .purpose, kind: .text, meaning: "what the PIN confirms", values: ["share", "log-in"]),
    Argument(
      name: .reason, kind: .text,
      meaning: "why a PIN is too simple, a code or biometrics cannot be used, or a request of a "
        + "relying party is not answered",
      values: pinReasons + codeReasons + biometricReasons + partyReasons),
    Argument(
      name: .reasons, kind: .text, meaning: "codes as in `failure`, separated by commas"),
    Argument(name: .reference, kind: .text, meaning: "by which support finds the failure"),
    Argument(name: .retryAfter, kind: .number, meaning: "until another attempt makes sense"),
    Argument(
      name: .statusName, kind: .text,
      meaning: "the status that failed, without `WALLET_CORE_ERROR_`: see the errors article"),
    Argument(
      name: .symbology, kind: .text, meaning: "the kind of code that the scanner needs",
      values: ["qr-code", "pdf417"]),
    Argument(
      name: .takesEffectIn, kind: .number,
      meaning: "until another wallet takes the place of this one"),
  ]

  private static let pinReasons =
    [PinVerdict.tooFewDifferentDigits, .sequence, .common].map(\.rawValue)
  private static let codeReasons = ["invalid", "no-pid", Notice.flowInProgress.rawValue]
  private static let biometricReasons = [
    "not_recognised", "cancelled_by_user", "cancelled", "locked_out", "locked_out_permanently",
    "not_enrolled", "key_invalidated", "key_missing", "unavailable",
  ]

  private static let partyReasons = [
    "invalid", "unsupported", "unreachable", "refused", "not-trusted", "may-have-been-shared",
  ].filter { !codeReasons.contains($0) && !biometricReasons.contains($0) }

  private static let failed: [StepArgument] = [.failure, .reference, .retryAfter]
  private static let failedForNow = failed + [.attemptsLeft]

  /// The arguments that a screen or prompt may have in addition to `may_close_app`.
  static func of(_ screen: Screen) -> [StepArgument] {
    switch screen {
    case .choosePin, .repeatPin, .receiveWithPin, .refuseReplacement, .allowReplacement:
      [.pinLength]
    case .confirmWithPin: [.pinLength, .purpose, .organisation, .host]
    case .websiteCheck: [.host]
    case .approveSharing, .approveLogin, .sharingDone, .loginDone, .sharingDetails, .requestedData,
      .agreements, .aboutOrganisation, .missingData, .chooseCard, .confirmStop:
      [.organisation, .host]
    case .walletReplacement: [.takesEffectIn]
    case .proofingWaiting: [.reference, .retryAfter]
    case .openWithPin:
      [
        .pinLength, .reason, .attemptsLeft, .isFinalRound, .blockAge,
        .blockedFor, .isPermanentlyBlocked, .isRequestWaiting,
      ]
    case .pinTooSimple, .invalidQR: [.reason]
    case .configureBiometrics: [.biometrics, .reason]
    case .setupDone: [.protection]
    case .biometricTooManyAttempts, .biometricNotRecognisedEnterPin: [.reason]
    case .wrongPin: [.attemptsLeft, .isFinalRound]
    case .temporarilyBlocked: [.blockedFor]
    case .proofingUnavailable: [.reasons, .failure, .reference]
    case .proofingStart: [.failure]
    case .confirmAccount: [.accountLabel, .minimumAge]
    case .codeFailed, .proofingFailed, .proofingPending: failed
    case .codeRetry, .proofingRetry: failedForNow
    case .licenceFailed: failed + [.minimumAge]
    case .licenceRetry: failedForNow + [.minimumAge]
    case .scanEnrolmentCode, .scanLicence, .scanQR: [.symbology]
    case .dashboard: [.hasPID, .isPIDExpired, .isBiometricUnlockEnabled, .reason]
    case .about: [.appVersion, .configurationVersion, .coreVersion]
    case .inactivityWarning: [.locksIn]
    case .splash, .updateNeeded, .appBlocked, .scanWithWallet, .introduction1, .introduction2,
      .introduction3, .privacyConsiderations, .privacyStatement, .pinDiffersRetry,
      .pinDiffersStartOver, .biometricNotRecognised, .biometricEnterPin, .forgotPin,
      .permanentlyBlocked, .sharingStopped, .aboutWebsiteCheck, .detailsIncorrect,
      .missingDataDetails, .activities, .activityDetails, .stopProofing, .walletReady, .cardDetails,
      .wipe,
      .cameraPermissionNeeded:
      []
    }
  }

  /// The arguments that a notice adds to the step that shows it.
  static func of(_ notice: Notice) -> [StepArgument] {
    notice == .failedAttempts ? [.failedAttempts, .lastFailedAt] : []
  }

  static func of(_ handOff: HandOff) -> [StepArgument] {
    switch handOff {
    case .issuance, .openWebsite: [.link]
    case .help, .reportProblem, .cameraPermission, .askForCamera: []
    }
  }

  static func of(_ error: ErrorStep) -> [StepArgument] {
    switch error {
    case .noInternet, .serverUnreachable, .deviceInsecure: [.statusName]
    case .generic: [.statusName, .reference]
    case .sessionExpired: []
    case .unknownVerifier: [.reason]
    case .knownVerifier: [.reason, .organisation, .host]
    }
  }

  static func of(_ effect: FlowEffect) -> [StepArgument] {
    effect == .scanBiometrics ? [.isRequestWaiting] : []
  }

  /// Returns the arguments of a step by its name; nil if no step has the name.
  static func of(step name: String) -> Set<StepArgument>? {
    let exit: [StepArgument] = offersExit(name) ? [.mayCloseApp] : []
    if let screen = Screen(rawValue: name) { return Set(of(screen) + exit) }
    if let handOff = HandOff(rawValue: name) { return Set(of(handOff)) }
    if let error = ErrorStep(rawValue: name) { return Set(of(error)) }
    if let effect = FlowEffect(rawValue: name) { return Set(of(effect)) }
    return NameArticle.others.contains(name) ? [] : nil
  }

  /// Returns the arguments of a step that the article does not list for it.
  static func undeclared(in step: Step) -> [StepArgument] {
    let news = step.notices.compactMap(Notice.init).flatMap { of($0) }
    let declared = (of(step: step.name) ?? []).union(news)
    return step.arguments.keys.filter { !declared.contains($0) }
  }

  private static func offersExit(_ name: String) -> Bool {
    NameArticle.rows(of: name).contains { $0.row.cases.contains(where: \.isExit) }
  }
}
