public import WalletCrypto
public import WalletModel

/// What a client can ask for that takes time.
public enum WalletRequest: Sendable {
  case register(Pin)
  case unlock(Pin)
  case checkPin(Pin)
  case wipe
  case enableBiometricUnlock(Pin)
  case disableBiometricUnlock
  case unlockWithBiometrics

  /// Whether the platform will ask the user something.
  var prompts: Bool {
    switch self {
    case .enableBiometricUnlock, .unlockWithBiometrics: true
    case .register, .unlock, .checkPin, .wipe, .disableBiometricUnlock: false
    }
  }
}

/// How a request ended: the provider's word for a PIN, nil where there was none.
public typealias WalletOutcome = Result<PinCheck?, WalletError>

/// Hears of the wallet's changes. Called with no lock held, from any of the core's threads; must
/// neither wait nor run host code.
public protocol WalletObserver: Sendable {
  func lockStateChanged(_ state: Versioned<LockState>)
  func configurationChanged(_ configuration: Versioned<HostConfiguration>)
  func versionStateChanged(_ state: Versioned<VersionState>)
  func stepShown(_ step: Versioned<Step>)
}
