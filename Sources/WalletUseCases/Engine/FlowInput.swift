public import WalletModel

/// What the engine handles.
public enum FlowInput: Equatable, Sendable {
  /// The app is opened, by a link or without one.
  case open(Startup, hasLink: Bool = false)
  /// The user chose; ignored if the choice belongs to another step than the visible one.
  case chose(serial: UInt64, Action, PinSlot?)
  /// A query or an effect ended; ignored if it is no longer awaited.
  case outcome(id: UInt64, Outcome, Details)
  /// A scan ended.
  case scanned(id: UInt64, ScanReply, Details)
  /// The pending effect takes longer than 0.2 s.
  case slow(id: UInt64)
  /// The time of the visible step is up.
  case timeIsUp(serial: UInt64)
  /// The user or the host asks for a lock, which then happens. The number is the version that the
  /// lock state has before it.
  case lockFollows(UInt64)
  /// The lock state has changed to this one; if it is locked, this is the cause. The news may
  /// arrive late and in any order, because the current lock state is in the facts.
  case lockChanged(Versioned<LockState>, LockCause)
  case registered
  case wiped
  case userActivity
  case background
  /// The app has been in the background for background_timeout.
  case backgroundTimeout
  case foreground
  case takenOver
  /// Facts have changed that a visible step may show.
  case factsChanged
  /// The last known block of the PIN has ended, or an answer of the provider has changed it.
  case blockChanged
}

/// Why the wallet locked.
public enum LockCause: Equatable, Sendable {
  case inactivity
  case background
  /// The user or the host asked for the lock.
  case request
}

/// A request of the engine to the runtime besides `Pending`.
public enum Command: Equatable, Sendable {
  /// Locks the wallet.
  case lock
  /// Restarts the inactivity timer.
  case noteActivity
  /// Notes that the step has told of the wrong PINs in the facts.
  case noteFailuresTold
  /// Forgets what the runtime remembers of a wallet that was deleted, such as kept links.
  case forgetLink
  /// Makes the kept enrolment link the code to claim.
  case useLink
  /// Releases the claim and forgets everything of this identity proofing.
  case releaseClaim
  /// Forgets the submission, which the provider has ended.
  case endSubmission
  /// Forgets the personal data and the code of the identity proofing.
  case forgetProofing
  /// Forgets the request of a relying party. What was posted stays posted.
  case forgetSharing
}

/// The result of handling an input.
public struct Reaction: Equatable, Sendable {
  /// The rows and cases that were taken, e.g. "UC2.3 1.1b".
  public var taken: [String] = []
  /// Whether a step is shown, with the engine's new serial.
  public var showsStep = false
  public var commands: [Command] = []
  /// Whether the reference in the facts was used for a failure, so that the next failure needs a
  /// new one.
  public var takesReference = false
}

/// The one thing that the engine waits for.
public struct Pending: Equatable, Sendable {
  public enum Job: Equatable, Sendable {
    case ask(FlowQuery)
    case perform(FlowEffect)
  }

  public let id: UInt64
  public let job: Job
  /// The PINs that the job needs.
  public let slots: [PinSlot]
  /// The row that runs the partial flow to which the job belongs, the outermost of several, e.g.
  /// UC7.1 3.3 for a PIN that enables biometrics; nil outside of partial flows.
  public let caller: RowID?
}

/// Why a choice is refused.
public enum ChoiceRefusal: Error, Equatable, Sendable {
  case stale
  case notOffered(actions: [String])
  case inputWanted(Step.Input)
  case inputNotWanted
}

/// When a visible step ends by itself.
public struct StepTimer: Equatable, Sendable {
  public enum End: Equatable, Sendable {
    /// One second after the splash was shown.
    case splash
    /// 60 seconds after the scanner was shown.
    case scan
    /// At a time on the core's clock, in milliseconds.
    case at(Int64)
  }

  public let serial: UInt64
  public let end: End
}
