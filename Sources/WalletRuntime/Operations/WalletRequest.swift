public import WalletCrypto
public import WalletModel

/// An asynchronous request of a client.
public enum WalletRequest: Sendable {
  case register(Pin)
  case unlock(Pin)
  case checkPin(Pin)
  case pinState
  case changePin(Pin, to: Pin)
  case wipe
  case enableBiometricUnlock(Pin)
  case disableBiometricUnlock
  case unlockWithBiometrics
  case cards
  /// A presentation of the card with this id.
  case present(card: String, claims: Set<String>, nonce: String, audience: String)

  /// The name of the request in the log.
  var name: String {
    switch self {
    case .register: "register"
    case .unlock: "unlock"
    case .checkPin: "check_pin"
    case .pinState: "pin_state"
    case .changePin: "change_pin"
    case .wipe: "wipe"
    case .enableBiometricUnlock: "enable_biometric_unlock"
    case .disableBiometricUnlock: "disable_biometric_unlock"
    case .unlockWithBiometrics: "unlock_with_biometrics"
    case .cards: "cards"
    case .present: "present"
    }
  }

  /// Whether the request needs a registered wallet. Disabling biometric unlock does nothing without
  /// one.
  var needsRegistration: Bool {
    switch self {
    case .unlock, .checkPin, .pinState, .changePin, .enableBiometricUnlock, .unlockWithBiometrics,
      .cards, .present:
      true
    case .register, .wipe, .disableBiometricUnlock: false
    }
  }

  /// Whether the request unlocks the wallet and is refused once the wallet was locked after it.
  /// A registration is not: the wallet is then registered and stays locked.
  var opens: Bool {
    switch self {
    case .unlock, .unlockWithBiometrics: true
    case .register, .checkPin, .pinState, .changePin, .wipe, .enableBiometricUnlock,
      .disableBiometricUnlock, .cards, .present:
      false
    }
  }

  /// Whether the request needs an unlocked wallet.
  var needsUnlocked: Bool {
    switch self {
    case .changePin, .enableBiometricUnlock, .cards, .present: true
    case .register, .unlock, .checkPin, .pinState, .wipe, .disableBiometricUnlock,
      .unlockWithBiometrics:
      false
    }
  }

  /// Whether the update policy can forbid the request. Requests that only remove something are
  /// always allowed.
  var needsAllowedVersion: Bool {
    switch self {
    case .register, .unlock, .checkPin, .pinState, .changePin, .enableBiometricUnlock,
      .unlockWithBiometrics, .cards, .present:
      true
    case .wipe, .disableBiometricUnlock: false
    }
  }

  /// What the request needs, which decides the thread that does it.
  var need: JobQueue.Need {
    switch self {
    case .register, .unlock, .checkPin, .pinState, .changePin, .wipe, .enableBiometricUnlock:
      .provider
    case .disableBiometricUnlock, .unlockWithBiometrics, .cards, .present: .device
    }
  }

  /// Which requests of the other thread the request waits for.
  var order: JobQueue.Order {
    switch self {
    case .wipe: .alone
    case .enableBiometricUnlock, .disableBiometricUnlock: .changesBiometrics
    case .unlockWithBiometrics: .usesBiometrics
    case .register, .unlock, .checkPin, .pinState, .changePin, .cards, .present: .free
    }
  }

  /// Whether the request has a PIN of the wallet, which the provider checks. It ends the prompts of
  /// earlier requests: a user who enters the PIN is not at the sensor.
  var checksPin: Bool {
    switch self {
    case .unlock, .checkPin, .changePin, .enableBiometricUnlock: true
    case .register, .pinState, .wipe, .disableBiometricUnlock, .unlockWithBiometrics, .cards,
      .present:
      false
    }
  }

  /// Whether the platform will show the user a prompt.
  var prompts: Bool {
    switch self {
    case .enableBiometricUnlock, .unlockWithBiometrics: true
    case .register, .unlock, .checkPin, .pinState, .changePin, .wipe, .disableBiometricUnlock,
      .cards, .present:
      false
    }
  }
}

/// The result of a successful request.
public enum WalletAnswer: Equatable, Sendable {
  case nothing
  /// The provider's answer to a PIN, and the wrong PINs that the owner has not been told of.
  case pin(PinCheck, PinFailures? = nil)
  case pinState(PinState)
  case cards([Card])
  /// An SD-JWT with key binding, in compact form.
  case presentation(String)
}

/// How a request ended.
public typealias WalletOutcome = Result<WalletAnswer, WalletError>

/// Receives the wallet's changes. Called with no lock held, from any of the core's threads; must
/// neither wait nor run host code.
public protocol WalletObserver: Sendable {
  func lockStateChanged(_ state: Versioned<LockState>)
  func configurationChanged(_ configuration: Versioned<HostConfiguration>)
  func versionStateChanged(_ state: Versioned<VersionState>)
  func stepShown(_ step: Versioned<Step>)
}
