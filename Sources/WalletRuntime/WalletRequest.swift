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
}

/// How a request ended: nil for register and wipe, the provider's word for a PIN.
public typealias WalletOutcome = Result<PinCheck?, WalletError>

/// Hears of the wallet's changes. Called with no lock held, from any of the core's threads; must
/// neither wait nor run host code.
public protocol WalletObserver: Sendable {
  func lockStateChanged(_ state: Versioned<LockState>)
  func configurationChanged(_ configuration: Versioned<HostConfiguration>)
  func versionStateChanged(_ state: Versioned<VersionState>)
  func stepShown(_ step: Versioned<Step>)
}
