import WalletModel

@testable import WalletUseCases

/// The descriptions in the article on the names. A kind, an input, a hand-off or a notice without a
/// description does not compile.
enum NameTexts {
  static func work(_ kind: Step.Kind) -> String {
    switch kind {
    case .screen: "draws it as a full screen, as it does with a kind that it does not know"
    case .prompt: "draws it over the screen that `beneath` names"
    case .progress: "shows that the library works; it ends by itself"
    case .systemPrompt: "nothing: the operating system asks the user, because of a bridge call"
    case .handOff: "does what the step describes, and answers with the result"
    case .error: "shows what failed, and the possible actions"
    case .end: "closes the app, or opens it again by `wallet_core_open_app()`"
    }
  }

  static func want(_ input: Step.Input) -> String {
    switch input {
    case .none: "nothing"
    case .pin: "`WALLET_CORE_PIN_LENGTH` ASCII digits, with the action `enter`"
    case .scan: "the bytes of a symbol, by `wallet_core_choose_scanned()`: the action `scanned`"
    case .option: "the index of an option, by `wallet_core_choose_option()`: the action `choose`"
    }
  }

  static func symbol(_ screen: Screen) -> (constant: String, content: String) {
    let qrCode = "`WALLET_CORE_SYMBOLOGY_QR_CODE`"
    return switch screen {
    case .scanEnrolmentCode: (qrCode, "the enrolment code of an account")
    case .scanLicence: ("`WALLET_CORE_SYMBOLOGY_PDF417`", "the back of a driver's licence")
    case .scanQR: (qrCode, "any code for a wallet, including enrolment codes")
    default: ("", "")
    }
  }

  static func work(_ handOff: HandOff) -> String {
    switch handOff {
    case .help: "shows its help"
    case .issuance: "answers `done`: no function of this version takes cards of other issuers"
    case .openWebsite: "opens the link in the browser, as it is and once"
    case .reportProblem: "shows how problems are reported"
    case .cameraPermission: "answers whether the app may use the camera, without asking the user"
    case .askForCamera: "has the operating system ask for the camera, and answers with the result"
    }
  }

  static func news(_ notice: Notice) -> String {
    switch notice {
    case .linkInvalid: "the link that opened the app is not one for this wallet"
    case .linkNeedsWallet: "the link needs a wallet, and there is none yet"
    case .linkNeedsPID: "the link needs a PID, and there is none yet"
    case .linkKept: "the enrolment link is kept; `proofing-start` will offer it by `use-link`"
    case .biometricsUnavailable: "biometrics cannot be used now, but the PIN can"
    case .biometricsSwitchedOff: "biometric unlock was switched off, because its key is gone"
    case .failedAttempts: "wrong PINs were entered that the user was not told of before"
    case .sessionLost: "the identity proofing took too long, and its code has lapsed"
    case .flowInProgress: "a link or code has to wait until the identity proofing ends"
    case .replacementRefused: "the wallet that waited to take the place of this one was declined"
    case .replacementAllowed:
      "the wallet that waited may take the place of this one now, which then no longer works"
    }
  }

  /// What a host does when the action is chosen; empty if it does nothing more.
  static func work(_ action: Action) -> String {
    switch action {
    case .scanned: "no button: the host's answer when the scanner has read a symbol"
    case .unreadable:
      "no button: the host's answer when the scanner cannot read a symbol"
    case .torch: "switches the torch on or off; the step stays"
    case .website: "on `about`, opens its website; the step stays"
    case .store: "opens the store; the step stays"
    case .choose: "no button: the user taps an option"
    case .privacyPolicy: "opens the privacy policy of the relying party; the step stays"
    case .pauseOrPlay: "pauses or plays the animation; the step stays"
    case .done: "no button: the hand-off has ended"
    case .granted: "no button: the app may use the camera"
    case .rejected: "no button: the app may not use it"
    case .enter: "passes the digits of its PIN pad; the label is for a button, if it has one"
    default: ""
    }
  }
}
