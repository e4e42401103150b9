internal import WalletModel

/// The English default texts of a step. The wording is this project's own; hosts localise by names
/// and arguments.
struct StepText: Sendable {
  private enum Message {
    case fixed(String)
    case filled(@Sendable ([StepArgument: Step.Value]) -> String)
  }

  let title: String
  private let message: Message

  init(_ title: String, _ message: String = "") {
    self.title = title
    self.message = .fixed(message)
  }

  init(_ title: String, with message: @escaping @Sendable ([StepArgument: Step.Value]) -> String) {
    self.title = title
    self.message = .filled(message)
  }

  func message(_ arguments: [StepArgument: Step.Value]) -> String {
    switch message {
    case .fixed(let text): text
    case .filled(let make): make(arguments)
    }
  }

  static let end = StepText("Closed", "The app can be closed.")
  static let working = StepText("One moment")

  static func of(_ effect: FlowEffect) -> StepText {
    switch effect {
    case .applyUpdatePolicy: StepText("Checking this version")
    case .setUpAccount: StepText("Setting up your wallet")
    case .enableBiometrics, .sealBiometrics:
      StepText("Biometric unlock", "Confirm with your biometrics.")
    case .scanBiometrics:
      StepText("Unlock") { withRequest("Unlock with your biometrics.", $0) }
    case .validatePin: StepText("Checking your PIN")
    case .wipe: StepText("Deleting your wallet")
    case .disableBiometrics: StepText("Switching biometric unlock off")
    case .lock: StepText("Locking")
    case .checkProofing: StepText("Getting ready")
    case .claimCode: StepText("Checking the code")
    case .readLicence: StepText("Reading your licence")
    case .announceLicence: StepText("Licence read", "It is being checked now.")
    case .submitProofing: StepText("Checking your details", "This can take a moment. Please wait.")
    case .retrieveRequest, .retrieveLogin: StepText("Reading the request")
    case .shareData: StepText("Sharing your data")
    case .refuseRequest, .dropRequest, .tellVerifier: StepText("Stopping")
    }
  }

  static func of(_ handOff: HandOff) -> StepText {
    switch handOff {
    case .help: StepText("Help")
    case .issuance: StepText("Receive a card")
    case .openWebsite: StepText("Back to the website", "The app opens the website.")
    case .reportProblem: StepText("Report a problem")
    case .cameraPermission: StepText("Camera", "May the app use the camera?")
    case .askForCamera: StepText("Camera", "The system asks for the camera.")
    }
  }

  static func of(_ error: ErrorStep) -> StepText {
    switch error {
    case .noInternet:
      StepText("No internet", "Check the connection of your device and try again.")
    case .serverUnreachable:
      StepText("Service not available", "You are online, but our service does not answer.")
    case .deviceInsecure:
      StepText(
        "Device not secure enough",
        "Your wallet needs a device with a screen lock and a secure key store.")
    case .generic:
      StepText("Something went wrong") { arguments in
        guard case .text(let status) = arguments[.statusName] else { return "" }
        return (["The wallet reports \(status)."] + reference(arguments)).joined(separator: " ")
      }
    case .sessionExpired:
      StepText("Too late", "The website's request is over. Start again at the website.")
    case .unknownVerifier: verifierFailure("Request not accepted")
    case .knownVerifier: verifierFailure("That did not work")
    }
  }

  /// What a relying party's part in a failure is.
  private static func verifierFailure(_ title: String) -> StepText {
    StepText(title) { arguments in
      switch arguments[.reason] {
      case .text("unreachable"): "The website does not answer. Nothing was shared."
      case .text("may-have-been-shared"):
        "The website did not confirm that it has your data. It may have it."
      case .text("not-trusted"): "It is not known who asks, so nothing was shared."
      case .text("unsupported"): "The website asks for something that this wallet does not support."
      default: "The request of the website cannot be answered. Nothing was shared."
      }
    }
  }

  static func number(_ name: StepArgument, _ arguments: [StepArgument: Step.Value]) -> Int64? {
    if case .number(let number) = arguments[name] { number } else { nil }
  }

  /// Returns e.g. "2 minutes" or "40 seconds", rounded up so that a user never comes back too
  /// early.
  static func duration(_ milliseconds: Int64) -> String {
    func rounded(_ number: Int64, by unit: Int64) -> Int64 {
      number / unit + (number % unit > 0 ? 1 : 0)
    }
    let seconds = rounded(milliseconds, by: 1000)
    let minutes = rounded(seconds, by: 60)
    let hours = rounded(minutes, by: 60)
    let (count, unit) =
      seconds <= 90
      ? (seconds, "second")
      : minutes <= 90
        ? (minutes, "minute") : hours <= 48 ? (hours, "hour") : (rounded(hours, by: 24), "day")
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }

  static func of(_ screen: Screen) -> StepText {
    switch screen {
    case .splash: StepText("Wallet")
    case .updateNeeded:
      StepText("Update needed", "This version can no longer be used. The store has a newer one.")
    case .appBlocked:
      StepText("App blocked", "This version can no longer be used, and there is no newer one yet.")
    case .scanWithWallet:
      StepText("Scan with the wallet", "This code was made for the scanner in this app.")
    case .introduction1:
      StepText("Your wallet", "Keep proof of who you are on your own phone.")
    case .introduction2:
      StepText("You decide", "Nothing is shared before you have seen it and agreed.")
    case .introduction3:
      StepText("Safe with a PIN", "Six digits that only you know keep others out.")
    case .privacyConsiderations:
      StepText("Your privacy", "What is in your wallet stays on this device.")
    case .privacyStatement: StepText("Privacy statement")
    case .choosePin: StepText("Choose a PIN", "Choose 6 digits that are hard to guess.")
    case .repeatPin: StepText("Repeat the PIN", "Enter the same 6 digits once more.")
    case .configureBiometrics: configureBiometrics
    case .setupDone: setupDone
    case .pinTooSimple: pinTooSimple
    case .pinDiffersRetry:
      StepText("Not the same PIN", "The second PIN differs from the first. Repeat it.")
    case .pinDiffersStartOver:
      StepText("Not the same PIN", "The PINs differ again. Start over with a new PIN.")
    case .openWithPin: openWithPin
    case .biometricNotRecognised: StepText("Not recognised", "Try again, or use your PIN.")
    case .biometricNotRecognisedEnterPin: StepText("Not recognised", "Enter your PIN.")
    case .biometricTooManyAttempts:
      StepText("Too many attempts", "Biometrics failed too often. Open with your PIN.")
    case .biometricEnterPin: StepText("Enter your PIN", "Biometrics work again after that.")
    case .forgotPin:
      StepText(
        "Forgot your PIN?",
        "A PIN cannot be recovered. You can delete this wallet and set up a new one.")
    case .wrongPin: wrongPin
    case .temporarilyBlocked: temporarilyBlocked
    case .permanentlyBlocked:
      StepText(
        "Wallet blocked", "Too many wrong PINs. Delete this wallet to set up a new one.")
    case .proofingUnavailable: proofingUnavailable
    case .proofingStart: proofingStart
    case .scanEnrolmentCode:
      StepText("Scan the QR code", "Point the camera at the code of your account.")
    case .codeFailed: proofingFailure("This code cannot be used")
    case .codeRetry: proofingFailure("No code accepted yet")
    case .confirmAccount: confirmAccount
    case .stopProofing:
      StepText(
        "Stop here?", "The code is given back. To go on later, you may need a new one.")
    case .scanLicence:
      StepText("Scan your licence", "Point the camera at the wide barcode on the back.")
    case .licenceFailed: proofingFailure("This licence cannot be used")
    case .licenceRetry: proofingFailure("Licence not read yet")
    case .proofingFailed: proofingFailure("Identity not verified")
    case .proofingPending: proofingFailure("Still being checked")
    case .proofingRetry: proofingFailure("Not finished yet")
    case .proofingWaiting: proofingWaiting
    case .receiveWithPin:
      StepText("Enter your PIN", "Your digital ID is ready. Your PIN puts it into your wallet.")
    case .walletReady:
      StepText("Your wallet is ready", "Your digital ID is in your wallet and can be used now.")
    case .dashboard: dashboard
    case .cardDetails: StepText("Card")
    case .confirmWithPin: confirmWithPin
    case .walletReplacement: walletReplacement
    case .refuseReplacement:
      StepText("Enter your PIN", "The other wallet is declined. Yours stays as it is.")
    case .allowReplacement:
      StepText(
        "Enter your PIN",
        "The other wallet takes the place of this one, which can then no longer be used.")
    case .websiteCheck, .approveSharing, .approveLogin, .sharingDone, .loginDone, .confirmStop,
      .sharingStopped, .aboutWebsiteCheck, .sharingDetails, .requestedData, .detailsIncorrect,
      .agreements, .aboutOrganisation, .missingData, .missingDataDetails, .chooseCard:
      sharing(screen)
    case .activities: StepText("Activities", "What was shared with whom, and what was not.")
    case .activityDetails: StepText("Activity")
    case .about: StepText("About this app")
    case .wipe:
      StepText(
        "Delete all data?", "Your wallet and everything in it is deleted from this device.")
    case .inactivityWarning: inactivityWarning
    case .scanQR: StepText("Scan a QR code")
    case .cameraPermissionNeeded:
      StepText("Camera needed", "Without the camera no code can be scanned.")
    case .invalidQR: invalidQR
    }
  }

  private static let configureBiometrics = StepText("Biometric unlock") { arguments in
    switch arguments[.biometrics] {
    case .text("face"): "Do you want to open the app with your face?"
    case .text("fingerprint"): "Do you want to open the app with your fingerprint?"
    default: "Do you want to open the app with your biometrics?"
    }
  }

  private static let walletReplacement = StepText("Is this you?") { arguments in
    let wait = duration(number(.takesEffectIn, arguments) ?? 0)
    return "Somebody has proved to be you with another wallet, which takes the place of this one in"
      + " \(wait). Refuse it if you have not set up another wallet."
  }

  private static let setupDone = StepText("Your wallet is protected") { arguments in
    arguments[.protection] == .text("pin-and-biometrics")
      ? "Your PIN and your biometrics keep others out." : "Your PIN keeps others out."
  }

  private static let pinTooSimple = StepText("PIN too simple") { arguments in
    switch arguments[.reason] {
    case .text("sequence"): "Do not use digits in a row. Choose another PIN."
    case .text("common"): "Many people use this PIN, so it is tried first. Choose another PIN."
    default: "Use at least two different digits. Choose another PIN."
    }
  }

  private static let dashboard = StepText("Your cards") { arguments in
    arguments[.isPIDExpired] == .truth(true)
      ? "Your digital ID has expired. Scan a new QR code of your account to replace it." : ""
  }

  private static let wrongPin = StepText("Wrong PIN") { attemptsLeft($0) ?? "Try again." }

  private static func attemptsLeft(_ arguments: [StepArgument: Step.Value]) -> String? {
    guard let left = number(.attemptsLeft, arguments) else { return nil }
    let what = left == 1 ? "1 attempt" : "\(left) attempts"
    return arguments[.isFinalRound] == .truth(true)
      ? "You have \(what) left. Then your wallet is blocked for good."
      : "You have \(what) left. Then your wallet is blocked for a time."
  }

  private static let openWithPin = StepText("Open with your PIN") { arguments in
    withRequest(knownBlock(arguments) ?? attemptsLeft(arguments), arguments)
  }

  private static func knownBlock(_ arguments: [StepArgument: Step.Value]) -> String? {
    if let blocked = number(.blockedFor, arguments) {
      return "Too many wrong PINs. Try again in \(duration(blocked))."
    }
    guard arguments[.isPermanentlyBlocked] == .truth(true) else { return nil }
    let age = duration(number(.blockAge, arguments) ?? 0)
    return "Too many wrong PINs blocked this wallet for good, as of \(age) ago."
  }

  /// Adds to a message of the unlock that a request waits for it.
  private static func withRequest(_ message: String?, _ arguments: [StepArgument: Step.Value])
    -> String
  {
    let isWaiting = arguments[.isRequestWaiting] == .truth(true)
    let request = isWaiting ? "A request for your data waits until your wallet is open." : nil
    return [message, request].compactMap { $0 }.joined(separator: " ")
  }

  private static let temporarilyBlocked = StepText("Wallet blocked") { arguments in
    "Too many wrong PINs. Try again in \(duration(number(.blockedFor, arguments) ?? 0))."
  }

  private static let inactivityWarning = StepText("Are you still there?") { arguments in
    "The wallet locks in \(duration(number(.locksIn, arguments) ?? 0))."
  }

  private static let invalidQR = StepText("Not a code for this wallet") { arguments in
    switch arguments[.reason] {
    case .text("no-pid"): "First get your digital ID: scan the code of your account."
    case .text("flow-in-progress"): "First finish or stop proving who you are."
    default: "Scan another code."
    }
  }

  /// Returns the label of an action on the step `name`.
  static func label(_ action: Action, _ name: String) -> String {
    switch action {
    case .next: "Next"
    case .back: "Back"
    case .skip: "Skip"
    case .help: "Help"
    case .info: "Info"
    case .ok: "OK"
    case .close: "Close"
    case .cancel: "Cancel"
    case .enter: "Continue"
    case .enable: "Enable"
    case .scan: name == Screen.scanWithWallet.rawValue ? "Scan" : "Scan QR code"
    case .scanned: "Scanned"
    case .torch: "Torch"
    case .website: "Website"
    case .done: "Done"
    case .later: "Later"
    case .card: "Show card"
    case .about: "About"
    case .lock: "Lock"
    case .store: "Open the store"
    case .grant: "Grant"
    case .granted: "Granted"
    case .rejected: "Not granted"
    case .pauseOrPlay: "Pause or play"
    case .readPrivacyStatement: "Read privacy statement"
    case .tryAgain: "Try again"
    case .startOver: "Start over"
    case .enterPin: "Enter PIN"
    case .forgotPin: "Forgot PIN"
    case .useBiometrics: "Use biometrics"
    case .deleteWallet: "Delete wallet"
    case .confirmDelete: "Yes, delete"
    case .removeData: "Remove data"
    case .obtainPID: "Get your digital ID"
    case .enableBiometrics: "Enable biometric unlock"
    case .disableBiometrics: "Disable biometric unlock"
    case .goOn: name == Screen.inactivityWarning.rawValue ? "Yes, continue" : "Continue"
    case .exit: "Exit"
    case .replacement: "Another wallet"
    case .refuse: "Refuse"
    case .allow: "Allow"
    case .stop: "Stop"
    case .unreadable: "Unreadable"
    case .useLink: "Use link"
    case .scanAgain: "Scan again"
    case .scanAnother: "Scan another"
    case .scanLicence:
      name == Screen.proofingRetry.rawValue ? "Scan licence again" : "Scan licence"
    case .notMyAccount: "Not my account"
    case .yes: "Yes"
    case .no: "No"
    case .share: "Share"
    case .login: "Log in"
    case .organisation: "About the organisation"
    case .agreement: "Agreement"
    case .report: "Report a problem"
    case .activities: "Activities"
    case .activity: "See activity"
    case .details: "Details"
    case .overview: "To my overview"
    case .choose: "Choose"
    case .aboutCheck: "Why this question?"
    case .viewData: "View the data"
    case .detailsIncorrect: "Something is wrong"
    case .privacyPolicy: "Privacy policy"
    case .confirmStop: "Yes, stop"
    case .swapCard: "Choose another card"
    }
  }
}
