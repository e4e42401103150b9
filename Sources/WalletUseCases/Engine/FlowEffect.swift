// What a row determines or executes. The runtime carries out each of these and answers with one of
// its outcomes. The runtime's switch has no default, so that none can be forgotten.

/// What a row finds out, without a screen.
public enum FlowQuery: String, CaseIterable, Sendable {
  case startup = "start-up state"
  case isPinSetUp = "remote PIN set up?"
  /// The same question while the app runs, when UC1.2 2.3 has already found the answer.
  case isWalletThere = "remote PIN set up? (known by now)"
  case isLocked = "locked?"
  /// Asked in an unlocked wallet, when UC2.3 1.5 or the set-up has already found the answer.
  case hasPID = "has PID?"
  case hasPIDOrLeftStep = "has PID? (or a step that was left)"
  case wasAppShutDown = "was the app shut down before unlocking?"
  case pinFitsPolicy = "PIN policy"
  case pinsAreEqual = "both PINs equal?"
  case areBiometricsSupported = "biometrics supported?"
  case isBiometricUnlockUsable = "biometrics enabled? (or unlocked already)"
  case isLinkThere = "link there?"
  case isLinkValid = "link valid?"
  case linkPurpose = "what is the link for?"
  case isCodeValid = "code valid?"
  case codePurpose = "what is the code for?"
  case severalCardsFit = "several cards fit?"
  case mustReturn = "same device, with an address to open?"
  case applyChoice = "can it be chosen?"
  case walletStatus = "wallet status"

  /// The possible answers. `failed` means that the platform or the storage failed, or that this
  /// version does not support the purpose of a code.
  public var outcomes: Set<Outcome> {
    switch self {
    case .startup: [.launch, .resume]
    case .isPinSetUp: [.yes, .no, .failed]
    case .isWalletThere, .areBiometricsSupported, .isLinkThere: [.yes, .no]
    case .hasPID: [.yes, .no, .noButLinkKept]
    case .isBiometricUnlockUsable: [.yes, .no, .unlocked]
    case .isLocked: [.unlocked, .locked]
    case .hasPIDOrLeftStep: [.yes, .no, .noButStepLeft, .noButLinkKept, .failed]
    case .wasAppShutDown: [.wasActive, .wasShutDown]
    case .pinFitsPolicy: [.fits, .tooSimple]
    case .pinsAreEqual: [.equal, .differFirstTime, .differSecondTime]
    case .isLinkValid: [.valid, .foreignScanner, .invalid]
    case .linkPurpose: [.issuance, .sharing, .login, .enrolment, .flowInProgress]
    case .isCodeValid: [.valid, .invalid]
    case .codePurpose: [.issuance, .sharing, .login, .enrolment, .failed, .flowInProgress]
    case .severalCardsFit, .mustReturn: [.yes, .no]
    case .applyChoice: [.done, .invalid]
    case .walletStatus: [.active, .failed]
    }
  }
}

/// What a row executes. It is shown as a progress step if it takes longer than 0.2 s, and as a
/// system prompt if the operating system asks the user.
public enum FlowEffect: String, CaseIterable, Sendable {
  case applyUpdatePolicy = "apply-update-policy"
  case setUpAccount = "set-up-account"
  case enableBiometrics = "confirm-biometrics"
  case scanBiometrics = "scan-biometrics"
  case sealBiometrics = "seal-biometrics"
  case validatePin = "validate-pin"
  case wipe = "delete-wallet"
  case disableBiometrics = "disable-biometrics"
  case lock = "lock"
  case checkProofing = "check-proofing"
  case claimCode = "claim-code"
  case readLicence = "read-licence"
  case announceLicence = "licence-read"
  case submitProofing = "proofing-wait"
  case retrieveRequest = "retrieve-request"
  case retrieveLogin = "retrieve-login"
  case shareData = "share-data"
  case refuseRequest = "refuse-request"
  case dropRequest = "drop-request"
  case tellVerifier = "tell-verifier"

  /// Whether the operating system asks the user.
  public var promptsUser: Bool {
    switch self {
    case .enableBiometrics, .scanBiometrics, .sealBiometrics: true
    default: false
    }
  }

  /// Whether the user may end it while it is shown.
  public var mayBeStopped: Bool { self == .retrieveRequest || self == .retrieveLogin }

  /// The possible outcomes.
  public var outcomes: Set<Outcome> {
    switch self {
    case .applyUpdatePolicy:
      [
        .allowed, .blockedWithUpdate, .blockedWithoutUpdate, .noInternet, .serverUnreachable,
        .failed,
      ]
    case .setUpAccount: [.done, .deviceInsecure, .noInternet, .serverUnreachable, .failed]
    case .enableBiometrics, .sealBiometrics: [.confirmed, .rejected]
    case .scanBiometrics:
      [
        .valid, .iosFirstFailure, .iosLaterFailure, .androidFailure, .androidLastFailure,
        .cancelled, .unavailable,
      ]
    case .validatePin:
      [
        .valid, .blocked, .blockedForGood, .wrongFirst, .wrongSecond, .wrongThird, .wrongFourth,
        .finalWrongFirst, .finalWrongSecond, .finalWrongThird, .finalWrongFourth, .noInternet,
        .serverUnreachable, .failed,
      ]
    case .wipe: [.deleted, .failed]
    case .disableBiometrics: [.done, .failed]
    case .lock: [.locked]
    case .checkProofing: [.ready, .codeKept, .unavailable, .submissionPending, .claimAlive]
    case .claimCode: [.claimed, .recoverable, .irrecoverable]
    case .readLicence: [.passed, .recoverable, .irrecoverable, .sessionLost]
    case .announceLicence: [.done]
    case .submitProofing:
      [
        .issued, .recoverable, .irrecoverable, .pendingReview, .sessionLost, .replacementWaits,
        .pinNeeded,
      ]
    case .retrieveRequest:
      [
        .otherDevice, .sameDevice, .notInWallet, .sessionExpired, .noInternet, .unreachable,
        .unknownVerifier, .knownVerifier, .failed,
      ]
    case .retrieveLogin:
      Self.retrieveRequest.outcomes.union([.moreOnOtherDevice, .moreOnSameDevice])
    case .shareData: [.done, .noInternet, .knownVerifier, .sessionExpired, .pinNeeded, .failed]
    case .refuseRequest, .dropRequest: [.done]
    case .tellVerifier: [.done, .websiteGiven]
    }
  }
}

/// How a determination or an effect ended.
public enum Outcome: String, CaseIterable, Sendable {
  case launch, resume, yes, no, locked, unlocked, fits, equal, done, confirmed, rejected, valid
  case invalid, cancelled, unavailable, allowed, deleted, issuance, sharing, login, enrolment
  case ready, claimed, passed, issued, recoverable, irrecoverable
  case noButStepLeft = "no, but a step was left"
  case noButLinkKept = "no, but an enrolment link was opened"
  case wasActive = "was active"
  case wasShutDown = "was shut down"
  case tooSimple = "too simple"
  case differFirstTime = "differ, first time"
  case differSecondTime = "differ, second time"
  case foreignScanner = "read by a foreign scanner"
  case blockedWithUpdate = "blocked, update available"
  case blockedWithoutUpdate = "blocked, no update"
  case noInternet = "no internet"
  case serverUnreachable = "server unreachable"
  case deviceInsecure = "device insecure"
  case failed = "anything else"
  case iosFirstFailure = "iOS, first failure"
  case iosLaterFailure = "iOS, second failure or lock-out"
  case androidFailure = "Android, first to fourth failure"
  case androidLastFailure = "Android, fifth failure or lock-out"
  case blocked = "blocked for a time"
  case blockedForGood = "blocked for good"
  case wrongFirst = "first wrong"
  case wrongSecond = "second wrong"
  case wrongThird = "third wrong"
  case wrongFourth = "fourth wrong"
  case finalWrongFirst = "final round, first wrong"
  case finalWrongSecond = "final round, second wrong"
  case finalWrongThird = "final round, third wrong"
  case finalWrongFourth = "final round, fourth wrong"
  case codeKept = "ready, and a code is kept"
  case claimAlive = "a claim is alive"
  case submissionPending = "a submission is pending"
  case pendingReview = "pending review"
  case sessionLost = "session lost"
  case replacementWaits = "has to wait for another wallet"
  case pinNeeded = "the PIN is needed"
  case flowInProgress = "an identity proofing is under way"
  case active
  case otherDevice = "other device"
  case sameDevice = "same device"
  case notInWallet = "not in wallet"
  case sessionExpired = "session expired"
  case unreachable = "relying party unreachable"
  case unknownVerifier = "unknown relying party, error"
  case knownVerifier = "known relying party, error"
  case moreOnOtherDevice = "more than a log-in, other device"
  case moreOnSameDevice = "more than a log-in, same device"
  case websiteGiven = "done, with an address to open"
}
