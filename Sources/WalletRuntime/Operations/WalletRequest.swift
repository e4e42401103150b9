public import WalletCrypto
public import WalletModel

/// What a client can ask for that takes time.
public enum WalletRequest: Sendable {
  case register(Pin)
  case unlock(Pin)
  case checkPin(Pin)
  case changePin(Pin, to: Pin)
  case wipe
  case enableBiometricUnlock(Pin)
  case disableBiometricUnlock
  case unlockWithBiometrics
  case cards
  /// A presentation of the card with this id.
  case present(card: String, claims: Set<String>, nonce: String, audience: String)

  /// Whether only an unlocked wallet can do it.
  var needsUnlocked: Bool {
    switch self {
    case .changePin, .enableBiometricUnlock, .cards, .present: true
    case .register, .unlock, .checkPin, .wipe, .disableBiometricUnlock, .unlockWithBiometrics: false
    }
  }

  /// Whether the update policy may forbid it: what only takes away is allowed all the same.
  var needsAllowedVersion: Bool {
    switch self {
    case .register, .unlock, .checkPin, .changePin, .enableBiometricUnlock, .unlockWithBiometrics,
      .cards, .present:
      true
    case .wipe, .disableBiometricUnlock: false
    }
  }

  /// Whether the platform will ask the user something.
  var prompts: Bool {
    switch self {
    case .enableBiometricUnlock, .unlockWithBiometrics: true
    case .register, .unlock, .checkPin, .changePin, .wipe, .disableBiometricUnlock, .cards,
      .present:
      false
    }
  }
}

/// What a request brought.
public enum WalletAnswer: Equatable, Sendable {
  case nothing
  /// The provider's word for a PIN.
  case pin(PinCheck)
  case cards([Card])
  /// An SD-JWT with key binding, in compact form.
  case presentation(String)
}

/// How a request ended.
public typealias WalletOutcome = Result<WalletAnswer, WalletError>

/// Hears of the wallet's changes. Called with no lock held, from any of the core's threads; must
/// neither wait nor run host code.
public protocol WalletObserver: Sendable {
  func lockStateChanged(_ state: Versioned<LockState>)
  func configurationChanged(_ configuration: Versioned<HostConfiguration>)
  func versionStateChanged(_ state: Versioned<VersionState>)
  func stepShown(_ step: Versioned<Step>)
}
