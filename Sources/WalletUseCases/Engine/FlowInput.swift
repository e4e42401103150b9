public import WalletModel

/// What the engine is told.
public enum FlowInput: Equatable, Sendable {
  case open(Startup)
  /// The user chose; a choice for another step than the visible one is ignored.
  case chose(serial: UInt64, Action, PinSlot?)
  /// What was asked for or executed ended; ignored if it is awaited no more.
  case outcome(id: UInt64, Outcome, Details)
  /// A scan ended.
  case scanned(id: UInt64, ScanReply, Details)
  /// What is executed takes longer than 0.2 s.
  case slow(id: UInt64)
  /// The time of the visible step is up.
  case timeIsUp(serial: UInt64)
  case lockRequested
  case locked(LockCause)
  /// By a host that also uses its own screens.
  case unlocked
  case registered
  case wiped
  case inactivityWarning(locksAt: Int64)
  case warningOver
  case userActivity
  case background
  /// The background has lasted for background_timeout.
  case backgroundTimeout
  case foreground
  case takenOver
  /// Facts have changed that a visible step may show.
  case factsChanged
}

/// Why the wallet locked.
public enum LockCause: Equatable, Sendable {
  case inactivity
  case background
  /// Somebody asked for it.
  case request
}

/// What the engine wants done besides its work.
public enum Command: Equatable, Sendable {
  /// Locks the wallet.
  case lock
  /// Counts as user activity.
  case noteActivity
  /// Forgets a kept link.
  case forgetLink
  /// Opens the app again, as a resume: a link may wait.
  case openAgain
  /// Makes the kept enrolment link the code to claim.
  case useLink
  /// Gives the claim back and forgets everything of this identity proofing.
  case releaseClaim
  /// Forgets what was submitted, which the provider has ended.
  case endSubmission
  /// Forgets the personal data and the code of the identity proofing.
  case forgetProofing
}

/// What followed from an event.
public struct Reaction: Equatable, Sendable {
  /// The rows and cases that were taken, e.g. "UC2.3 1.1b".
  public var taken: [String] = []
  /// Whether a step is to be shown, with the engine's new serial.
  public var showsStep = false
  public var commands: [Command] = []
  /// Whether the reference of the facts was given to a failure, so that the next one needs another.
  public var takesReference = false
}

/// What the engine waits for. One thing at a time.
public struct Pending: Equatable, Sendable {
  public enum Job: Equatable, Sendable {
    case ask(FlowQuery)
    case perform(FlowEffect)
  }

  public let id: UInt64
  public let job: Job
  /// The PINs that the job is about.
  public let slots: [PinSlot]
  /// The row whose partial flow wants it, e.g. UC7.1 3.3 for a PIN that enables biometrics.
  public let caller: RowID?
}

/// Why a choice cannot be taken.
public enum ChoiceRefusal: Error, Equatable, Sendable {
  case stale
  case notOffered(actions: [String])
  case inputWanted(Step.Input)
  case inputNotWanted
}

/// When a visible step ends by itself.
public struct StepTimer: Equatable, Sendable {
  public enum End: Equatable, Sendable {
    /// One second after it was shown.
    case splash
    /// 60 seconds after the scanner was shown.
    case scan
    /// At a time of the core's clock, in milliseconds.
    case at(Int64)
  }

  public let serial: UInt64
  public let end: End
}
