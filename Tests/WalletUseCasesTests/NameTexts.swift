import WalletModel

@testable import WalletUseCases

/// The descriptions in the article on the names. A kind, an input, a hand-off or a notice without a
/// text does not compile.
enum NameTexts {
  static func work(_ kind: Step.Kind) -> String {
    switch kind {
    case .screen: "fills the display with it; also with an unknown kind"
    case .prompt: "draws it over the screen that `beneath` names"
    case .progress: "shows that work is pending; the step ends by itself"
    case .systemPrompt: "nothing: a bridge call makes the operating system ask the user"
    case .handOff: "does what the step names, and reports how it ended"
    case .error: "shows what failed and what the user can do"
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
    case .issuance: "receives the card that the link names"
    case .sharing: "shares what the link asks for, with the user's consent"
    case .login: "logs in to the service that the link names"
    case .cameraPermission: "reports whether the app may use the camera, without asking the user"
    case .askForCamera: "lets the operating system ask for the camera and reports the result"
    }
  }

  static func news(_ notice: Notice) -> String {
    switch notice {
    case .linkInvalid: "the link that opened the app is not for this wallet"
    case .linkNeedsWallet: "the link needs a wallet, and there is none yet"
    case .linkNeedsPID: "the link needs a PID, and there is none yet"
    case .biometricsUnavailable: "biometrics cannot be used now, but the PIN can"
    case .biometricsSwitchedOff: "biometric unlock was switched off, because its key is gone"
    case .sessionLost: "the identity proofing took too long, and its code has lapsed"
    case .flowInProgress: "a link or code has to wait until the identity proofing ends"
    }
  }

  /// What a host does itself when the action is chosen; empty if nothing.
  static func work(_ action: Action) -> String {
    switch action {
    case .scanned: "no button: the scanner has read a symbol"
    case .unreadable:
      "no button: the scanner sees a symbol but cannot read it"
    case .torch: "lights the torch; the step stays"
    case .website: "opens its website; the step stays"
    case .store: "opens the store; the step stays"
    case .pauseOrPlay: "pauses or plays the animation; the step stays"
    case .done: "no button: the hand-off has ended"
    case .granted: "no button: the app may use the camera"
    case .rejected: "no button: the app may not use the camera"
    case .enter: "the digits of the PIN pad; the label is for a button, if there is one"
    default: ""
    }
  }
}
