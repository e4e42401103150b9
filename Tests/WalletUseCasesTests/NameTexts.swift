import WalletModel

@testable import WalletUseCases

/// What the article on the names says of each. A kind, an input, a hand-off or a notice without a text does
/// not compile.
enum NameTexts {
  static func work(_ kind: Step.Kind) -> String {
    switch kind {
    case .screen: "fills the display with it; also with a kind that it does not know"
    case .prompt: "draws it over the screen that `beneath` names"
    case .progress: "shows that the library works; it ends by itself"
    case .systemPrompt: "nothing: the operating system asks the user, because of a bridge call"
    case .handOff: "does what the step is about, and answers with how that ended"
    case .error: "shows what failed, and what can be done about it"
    case .end: "closes the app, or opens it anew by `wallet_core_open_app()`"
    }
  }

  static func want(_ input: Step.Input) -> String {
    switch input {
    case .none: "nothing"
    case .pin: "`WALLET_CORE_PIN_LENGTH` ASCII digits, with the action `enter`"
    case .scan: "the bytes of a symbol, by `wallet_core_choose_scanned()`: the action `scanned`"
    }
  }

  static func symbol(_ screen: Screen) -> (constant: String, content: String) {
    let qrCode = "`WALLET_CORE_SYMBOLOGY_QR_CODE`"
    return switch screen {
    case .scanEnrolmentCode: (qrCode, "the enrolment code of an account")
    case .scanLicence: ("`WALLET_CORE_SYMBOLOGY_PDF417`", "the back of a driver's licence")
    case .scanQR: (qrCode, "any code for a wallet, also an enrolment code")
    default: ("", "")
    }
  }

  static func work(_ handOff: HandOff) -> String {
    switch handOff {
    case .help: "shows its help"
    case .issuance: "has the card issued that the link is about"
    case .sharing: "shares what the link asks for, with the user's consent"
    case .login: "logs in where the link leads"
    case .cameraPermission: "says whether the app may use the camera, without asking"
    case .askForCamera: "has the operating system ask for the camera, says what came of it"
    }
  }

  static func news(_ notice: Notice) -> String {
    switch notice {
    case .linkInvalid: "the link that opened the app is none for this wallet"
    case .linkNeedsWallet: "the link needs a wallet, and there is none yet"
    case .linkNeedsPID: "the link needs a PID, and there is none yet"
    case .biometricsUnavailable: "biometrics cannot be used now; the PIN can"
    case .biometricsSwitchedOff: "biometric unlock was switched off, because its key is gone"
    case .sessionLost: "the identity proofing took too long, and its code has lapsed"
    case .flowInProgress: "a link or code has to wait until the identity proofing ends"
    }
  }

  /// What a host does itself when the user, or it, chooses the action; empty where that is nothing.
  static func work(_ action: Action) -> String {
    switch action {
    case .scanned: "no button: what the scanner answers when it has read a symbol"
    case .unreadable:
      "no button: what the scanner answers where it sees a symbol and cannot read it"
    case .torch: "lights the torch; the step stays"
    case .website: "opens its website; the step stays"
    case .store: "opens the store; the step stays"
    case .pauseOrPlay: "pauses or plays the animation; the step stays"
    case .done: "no button: the hand-off has ended"
    case .granted: "no button: the app may use the camera"
    case .rejected: "no button: it may not"
    case .enter: "the digits of the PIN pad; where it has none, the label is for the button"
    default: ""
    }
  }
}
