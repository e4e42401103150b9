/// The screens and prompts of the rows; the raw values are the names that hosts draw them by.
public enum Screen: String, CaseIterable, Sendable {
  // UC1.2, PF1.4, PF2.7
  case splash
  case updateNeeded = "update-needed"
  case appBlocked = "app-blocked"
  case scanWithWallet = "scan-with-wallet"
  // UC1.1
  case introduction1 = "introduction-1"
  case introduction2 = "introduction-2"
  case introduction3 = "introduction-3"
  case privacyConsiderations = "privacy-considerations"
  case privacyStatement = "privacy-statement"
  // UC2.1
  case choosePin = "choose-pin"
  case repeatPin = "repeat-pin"
  case configureBiometrics = "configure-biometrics"
  case setupDone = "setup-done"
  case pinTooSimple = "pin-too-simple"
  case pinDiffersRetry = "pin-differs-retry"
  case pinDiffersStartOver = "pin-differs-start-over"
  // UC2.3, PF2.8
  case openWithPin = "open-with-pin"
  case biometricNotRecognised = "biometric-not-recognised"
  case biometricNotRecognisedEnterPin = "biometric-not-recognised-enter-pin"
  case biometricTooManyAttempts = "biometric-too-many-attempts"
  case biometricEnterPin = "biometric-enter-pin"
  case forgotPin = "forgot-pin"
  case wrongPin = "wrong-pin"
  case temporarilyBlocked = "temporarily-blocked"
  case permanentlyBlocked = "permanently-blocked"
  // UC3.1
  case proofingUnavailable = "proofing-unavailable"
  case proofingStart = "proofing-start"
  case scanEnrolmentCode = "scan-enrolment-code"
  case codeFailed = "code-failed"
  case codeRetry = "code-retry"
  case confirmAccount = "confirm-account"
  case stopProofing = "stop-proofing"
  case scanLicence = "scan-licence"
  case licenceFailed = "licence-failed"
  case licenceRetry = "licence-retry"
  case proofingFailed = "proofing-failed"
  case proofingPending = "proofing-pending"
  case proofingRetry = "proofing-retry"
  case proofingWaiting = "proofing-waiting"
  case receiveWithPin = "receive-with-pin"
  case walletReady = "wallet-ready"
  // UC5.1, UC5.2
  case websiteCheck = "website-check"
  case approveSharing = "approve-sharing"
  case approveLogin = "approve-login"
  case sharingDone = "sharing-done"
  case loginDone = "login-done"
  case confirmStop = "confirm-stop"
  case sharingStopped = "sharing-stopped"
  case aboutWebsiteCheck = "about-website-check"
  case sharingDetails = "sharing-details"
  case requestedData = "requested-data"
  case detailsIncorrect = "details-incorrect"
  case agreements
  case aboutOrganisation = "about-organisation"
  case missingData = "missing-data"
  case missingDataDetails = "missing-data-details"
  case chooseCard = "choose-card"
  // UC6.1, UC6.3
  case activities
  case activityDetails = "activity-details"
  // UC7.1
  case dashboard
  case cardDetails = "card-details"
  case confirmWithPin = "confirm-with-pin"
  case walletReplacement = "wallet-replacement"
  case refuseReplacement = "refuse-replacement"
  case allowReplacement = "allow-replacement"
  // UC9
  case about
  case wipe
  case inactivityWarning = "inactivity-warning"
  case scanQR = "scan-qr"
  case cameraPermissionNeeded = "camera-permission-needed"
  case invalidQR = "invalid-qr"
}

/// What a row leaves to the host.
public enum HandOff: String, CaseIterable, Sendable {
  case help
  case issuance
  case openWebsite = "open-website"
  case reportProblem = "report-problem"
  case cameraPermission = "camera-permission"
  case askForCamera = "ask-for-camera"
}

/// The steps of the error flows.
public enum ErrorStep: String, CaseIterable, Sendable {
  case noInternet = "no-internet"
  case serverUnreachable = "server-unreachable"
  case deviceInsecure = "device-insecure"
  case generic
  case sessionExpired = "session-expired"
  case unknownVerifier = "unknown-verifier"
  case knownVerifier = "known-verifier"
}

/// A choice of the user, or of the host on its own behalf.
public enum Action: String, CaseIterable, Sendable {
  case next, back, skip, help, info, ok, close, cancel, enter, enable, scan, scanned, torch, website
  case done, later, card, about, lock, store, grant, granted, rejected, exit, stop, unreadable
  case pauseOrPlay = "pause-or-play"
  case readPrivacyStatement = "read-privacy-statement"
  case tryAgain = "try-again"
  case startOver = "start-over"
  case enterPin = "enter-pin"
  case forgotPin = "forgot-pin"
  case useBiometrics = "use-biometrics"
  case deleteWallet = "delete-wallet"
  case confirmDelete = "confirm-delete"
  case removeData = "remove-data"
  case obtainPID = "obtain-pid"
  case enableBiometrics = "enable-biometrics"
  case disableBiometrics = "disable-biometrics"
  case goOn = "continue"
  case useLink = "use-link"
  case scanAgain = "scan-again"
  case scanAnother = "scan-another"
  case scanLicence = "scan-licence"
  case notMyAccount = "not-my-account"
  case replacement, refuse, allow
  case yes, no, share, organisation, agreement, report, activities, activity, details, overview
  case choose
  case login = "log-in"
  case aboutCheck = "about-check"
  case viewData = "view-data"
  case detailsIncorrect = "details-incorrect"
  case privacyPolicy = "privacy-policy"
  case confirmStop = "confirm-stop"
  case swapCard = "swap-card"

  /// Whether a step offers the action before all others. Hosts make the first action the main
  /// button, so the first must lead on and not back.
  var comesFirst: Bool { [.next, .useLink, .grant].contains(self) }

  /// Whether a step offers the action after the others.
  var comesLast: Bool { self == .deleteWallet }

  /// `actions` in the order in which a step offers them.
  static func ordered(_ actions: [Action]) -> [Action] {
    actions.filter(\.comesFirst) + actions.filter { !$0.comesFirst && !$0.comesLast }
      + actions.filter(\.comesLast)
  }
}

/// When an action is offered; actions without a condition always are.
public enum Condition: String, CaseIterable, Sendable {
  /// Biometric unlock is enabled and not set aside.
  case biometricsUsable = "enabled and not set aside"
  case biometricsOff = "supported and off"
  case biometricsOn = "on"
  case withoutPID = "only without a PID"
  case withPID = "only with a PID"
  /// The error can pass by itself.
  case repeatingHelps = "where repeating can help"
  case somethingBefore = "where a screen lies before"
  case nothingBefore = "where no screen lies before"
  case wipeHelps = "where only starting over helps"
  /// The action is the button that the error table has for the failure.
  case remedy = "where the error has this button"
  case linkKept = "only where an enrolment link is kept"
  case replacementWaits = "only while another wallet waits to take its place"
  /// The relying party has given an address to open.
  case withWebsite = "only with an address to open"
  case mayStay = "on another device, or without an address to open"
  case withChoice = "where several cards fit"
}
