public import WalletCrypto
public import WalletModel

/// An asynchronous request of a client.
public enum WalletRequest: Sendable {
  case register(Pin)
  case unlock(Pin)
  case checkPin(Pin)
  case pinState
  case changePin(Pin, to: Pin)
  /// The owner's decision on the replacement with this id.
  case decideReplacement(session: String, isAllowed: Bool, Pin)
  case wipe
  case enableBiometricUnlock(Pin)
  case disableBiometricUnlock
  case unlockWithBiometrics
  case cards
  /// Presentations of cards for one verifier, authorised by the PIN.
  case present([CardSelection], nonce: String, audience: String, PinOnce)
  /// Prepares this many keys for the copies of a card.
  case prepareCardKeys(Int)
  /// Takes a card of another issuer: its copies.
  case takeCard([String], CardDisplay)
  /// Deletes the card with this id.
  case deleteCard(String)
  /// Retrieves what a relying party asks for by a link or code.
  case beginSharing(Secret, isFromOtherDevice: Bool)
  /// Chooses an option of the request with this id.
  case chooseSharingOption(String, Int)
  /// Shares what is chosen, authorised by the PIN.
  case confirmSharing(String, PinOnce)
  case refuseSharing(String)
  case activities

  var operation: Operation {
    switch self {
    case .register: .register
    case .unlock: .unlock
    case .checkPin: .checkPin
    case .pinState: .pinState
    case .changePin: .changePin
    case .decideReplacement: .decideReplacement
    case .wipe: .wipe
    case .enableBiometricUnlock: .enableBiometrics
    case .disableBiometricUnlock: .disableBiometrics
    case .unlockWithBiometrics: .unlockWithBiometrics
    case .cards: .cards
    case .present: .present
    case .prepareCardKeys: .prepareCardKeys
    case .takeCard: .takeCard
    case .deleteCard: .deleteCard
    case .beginSharing: .beginSharing
    case .chooseSharingOption: .chooseSharingOption
    case .confirmSharing: .confirmSharing
    case .refuseSharing: .refuseSharing
    case .activities: .activities
    }
  }
}

/// The result of a successful request.
public enum WalletAnswer: Equatable, Sendable {
  case nothing
  /// The wallet is unlocked without the provider.
  case unlocked(OwnerNotices)
  /// The provider's answer to a PIN.
  case pin(PinCheck, OwnerNotices = OwnerNotices())
  case pinState(PinState, OwnerNotices = OwnerNotices())
  case cards([Card])
  /// The PIN is right, and these are SD-JWTs with key binding in compact form, one for each
  /// selection.
  case presentations([String], OwnerNotices = OwnerNotices())
  case sharing(SharingRequest)
  /// A request has ended. With notices if the PIN was right.
  case shared(SharedAnswer, OwnerNotices? = nil)
  /// The newest first.
  case activities([Activity])
}

extension WalletAnswer {
  /// What the answer tells the owner.
  public var notices: OwnerNotices {
    switch self {
    case .unlocked(let notices), .pin(_, let notices), .pinState(_, let notices),
      .presentations(_, let notices):
      notices
    case .shared(_, let notices): notices ?? OwnerNotices()
    case .nothing, .cards, .sharing, .activities: OwnerNotices()
    }
  }
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
  /// The set of cards or the state of one is another than hosts were last told.
  func cardsChanged()
}
