/// Names for the rows that the engine and the runtime treat specially. They use these names, so
/// that only the tables know row numbers.
extension RowID {
  /// Decides between a launch and a return.
  package static let appOpening = RowID(.openApp, "1.1")
  /// The splash screen.
  package static let splash = RowID(.openApp, "2.1")
  /// Applies the update policy at a launch.
  package static let policyAtLaunch = RowID(.openApp, "2.2")
  /// Decides whether there is a wallet to unlock.
  package static let walletSearch = RowID(.openApp, "2.3")
  /// Where a return to the app continues.
  package static let appReturn = RowID(.openApp, "3.1")
  /// Finds out whether an unlocked wallet that the user returns to has a PID.
  package static let appReturnHasPID = RowID(.openApp, "3.3")

  /// Blocks this version; an update is available.
  package static let versionBlock = RowID(.updatePolicy, "2.1")
  /// Blocks this version; no update is available.
  package static let versionBlockWithoutUpdate = RowID(.updatePolicy, "3.1")

  /// Decides what a link is for.
  package static let linkSearch = RowID(.universalLink, "1.1")
  package static let linkPurpose = RowID(.universalLink, "1.3")

  /// The choice of a PIN.
  package static let choosePin = RowID(.setUpPin, "1.1")
  /// Checks the chosen PIN against the policy.
  package static let pinPolicy = RowID(.setUpPin, "1.2")
  /// The repetition of the chosen PIN.
  package static let repeatPin = RowID(.setUpPin, "1.3")
  /// Compares both PINs.
  package static let comparePins = RowID(.setUpPin, "1.4")
  /// Registers the wallet.
  package static let setUpAccount = RowID(.setUpPin, "1.5")
  /// The wallet is registered and unlocked.
  package static let accountIsSetUp = RowID(.setUpPin, "1.6")
  /// Says that both PINs differ.
  package static let pinsDiffer = RowID(.setUpPin, "3.1")

  /// Decides how the wallet is unlocked.
  package static let unlockWay = RowID(.unlock, "1.1")
  /// Asks for the PIN of an unlock.
  package static let pinEntry = RowID(.unlock, "1.3")
  /// Checks the PIN of an unlock.
  package static let unlockByPin = RowID(.unlock, "1.4")
  /// Where an unlocked wallet continues.
  package static let afterUnlock = RowID(.unlock, "1.5")

  /// Has the provider check a PIN.
  package static let pinCheck = RowID(.validatePin, "1.1")

  /// Finds out whether an identity proofing can begin.
  package static let proofingCheck = RowID(.obtainPID, "1")
  /// Says why the identity proofing cannot begin.
  package static let proofingImpossible = RowID(.obtainPID, "2a")
  /// The start of an identity proofing.
  package static let proofingStart = RowID(.obtainPID, "2b")
  /// Scans an enrolment code.
  package static let codeScanner = RowID(.obtainPID, "3")
  /// Claims the account of the code.
  package static let codeClaim = RowID(.obtainPID, "4")
  /// Says that no code is accepted.
  package static let codeFailure = RowID(.obtainPID, "5a")
  /// Has the user try again with a code.
  package static let codeRetry = RowID(.obtainPID, "5b")
  /// Has the user confirm the account of the code.
  package static let confirmAccount = RowID(.obtainPID, "5c")
  /// Asks whether the user gives the claim up.
  package static let stopQuestion = RowID(.obtainPID, "5d")
  /// Scans a licence.
  package static let licenceScanner = RowID(.obtainPID, "6")
  /// Reads the scanned licence.
  package static let licenceReading = RowID(.obtainPID, "7")
  /// Says that no licence is accepted.
  package static let licenceFailure = RowID(.obtainPID, "8a")
  /// Has the user try again with a licence.
  package static let licenceRetry = RowID(.obtainPID, "8b")
  /// Says that the licence was read.
  package static let licenceIsRead = RowID(.obtainPID, "9a")
  /// Sends the evidence; continues while the wallet is locked.
  package static let submission = RowID(.obtainPID, "9b")
  /// Asks for the PIN with which the PID is received.
  package static let receivePin = RowID(.obtainPID, "9c")
  /// Checks the PIN with which the PID is received.
  package static let receiveByPin = RowID(.obtainPID, "9d")
  /// Says that there is no PID, or none yet.
  package static let submissionFailure = RowID(.obtainPID, "10a")
  /// Has the user try again after a submission.
  package static let submissionRetry = RowID(.obtainPID, "10b")
  /// Waits until the owner of the wallet that is proofed for the account decides, or time is up.
  package static let replacementWait = RowID(.obtainPID, "10c")
  /// The PID was obtained.
  package static let pidIsThere = RowID(.obtainPID, "11")

  /// The dashboard.
  package static let home = RowID(.cards, "1.1")
  /// One card.
  package static let card = RowID(.cards, "2.1")
  /// Asks for the PIN that confirms biometric unlock, after the biometrics did.
  package static let sealByBiometrics = RowID(.cards, "3.2")
  /// Checks the PIN that confirms biometric unlock.
  package static let confirmByPin = RowID(.cards, "3.3")

  /// Asks the owner about another wallet that waits to take the place of this one.
  package static let replacement = RowID(.cards, "4.1")
  /// Asks for the PIN of a refusal.
  package static let refusalPin = RowID(.cards, "4.2")
  /// Refuses the other wallet; confirmed by the PIN.
  package static let refuseByPin = RowID(.cards, "4.3")
  /// Asks for the PIN of an agreement.
  package static let agreementPin = RowID(.cards, "4.4")
  /// Allows the other wallet; confirmed by the PIN.
  package static let allowByPin = RowID(.cards, "4.5")
  /// All rows of the decision on another wallet.
  package static let ofReplacement: [RowID] = [
    .replacement, .refusalPin, .refuseByPin, .agreementPin, .allowByPin,
  ]

  /// Decides what a scanned code is for.
  package static let codePurpose = RowID(.scanQR, "1.5")

  /// Watches the times of the lock.
  package static let lockTimers = RowID(.lock, "1.1")
  /// Warns before a lock by inactivity.
  package static let lockWarning = RowID(.lock, "1.2")
  /// Locks on request.
  package static let lockRequest = RowID(.lock, "2")

  /// All rows above.
  package static let roles: [RowID] = [
    .appOpening, .splash, .policyAtLaunch, .walletSearch, .appReturn, .appReturnHasPID,
    .versionBlock, .versionBlockWithoutUpdate, .linkPurpose, .choosePin, .pinPolicy, .repeatPin,
    .comparePins, .setUpAccount, .accountIsSetUp, .pinsDiffer, .unlockWay, .pinEntry, .unlockByPin,
    .afterUnlock, .pinCheck, .proofingCheck, .proofingImpossible, .proofingStart, .codeScanner,
    .codeClaim, .codeFailure, .codeRetry, .confirmAccount, .stopQuestion, .licenceScanner,
    .licenceReading, .licenceFailure, .licenceRetry, .licenceIsRead, .submission, .receivePin,
    .receiveByPin, .submissionFailure, .submissionRetry, .replacementWait, .pidIsThere, .home,
    .card,
    .sealByBiometrics, .confirmByPin, .replacement, .refusalPin, .refuseByPin, .agreementPin,
    .allowByPin, .codePurpose, .lockTimers, .lockWarning, .lockRequest,
  ]
}
