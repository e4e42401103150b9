public import WalletModel

/// Where a PIN lies that the user entered; the runtime holds the bytes.
public struct PinSlot: Hashable, Sendable {
  public let number: UInt64

  public init(_ number: UInt64) { self.number = number }
}

/// Where the walk stands: a row, the partial flows that lead to it, and what was learned on the way. Never
/// changes, so that history, screen and what was left can share one.
final class FlowPosition: Sendable {
  let row: RowID
  /// The row as its table has it.
  let definition: Row?
  /// The rows whose partial flows are under way, the outermost first.
  let frames: [RowID]
  let details: Details
  /// What failed, where this is an error step.
  let failed: RowID?
  /// Whether the flow has ended here.
  let isEnd: Bool

  init(
    row: RowID, frames: [RowID] = [], details: Details = Details(), failed: RowID? = nil,
    isEnd: Bool = false
  ) {
    self.row = row
    definition = UseCaseTables.row(row)
    self.frames = frames
    self.details = details
    self.failed = failed
    self.isEnd = isEnd
  }

  /// Whether both are the same screen of the same partial flows, whatever was learned.
  func isSameScreen(as other: FlowPosition) -> Bool {
    row == other.row && frames == other.frames && failed == other.failed
  }

  /// The other screen of its row, where nothing failed.
  var alternative: Screen? {
    details.failure?.row.errorClass == .pending ? definition?.alternative : nil
  }

  /// Whether it fills the screen, so that prompts stand over it and Back returns to it.
  var isScreen: Bool {
    if case .screen(let screen) = definition?.kind { screen != .splash && !isEnd } else { false }
  }

  /// Whether this is on the way from a confirmation by biometrics to its PIN (UC7.1 3.2 and 3.3).
  var awaitsPinForBiometrics: Bool {
    row == RowID(.cards, "3.2") || frames.contains(RowID(.cards, "3.3"))
  }

  /// Whether it may be shown while the wallet is locked.
  var isAllowedWhileLocked: Bool { isEnd || UseCaseTables.isAllowedWhileLocked(row) }
}

extension FlowPosition: Equatable {
  static func == (left: FlowPosition, right: FlowPosition) -> Bool {
    left.isSameScreen(as: right) && left.details == right.details && left.isEnd == right.isEnd
  }
}

/// What the runtime learned with an outcome, for the step that follows.
public struct Details: Equatable, Sendable {
  /// Arguments of the step.
  public var arguments: [String: Step.Value]
  /// When time is up on this step, by the core's clock, in milliseconds.
  public var deadline: Int64?
  public var notices: [Notice]
  /// Of an error: whether trying again can help, and whether only a wipe does.
  public var repeatingHelps: Bool
  public var wipeHelps: Bool
  /// What stands between the user and the PID (UC3.1); the step's argument "failure".
  public var failure: ProofingError?
  /// What is over with this outcome. Where a lock comes first nobody hears of the outcome, and it stays.
  public var ends: ProofingEnd?

  public init(
    arguments: [String: Step.Value] = [:], deadline: Int64? = nil, notices: [Notice] = [],
    repeatingHelps: Bool = true, wipeHelps: Bool = false, failure: ProofingError? = nil,
    ends: ProofingEnd? = nil
  ) {
    self.arguments = arguments
    self.deadline = deadline
    self.notices = notices
    self.repeatingHelps = repeatingHelps
    self.wipeHelps = wipeHelps
    self.failure = failure
    self.ends = ends
  }
}

/// What of an identity proofing an outcome is the end of.
public enum ProofingEnd: Equatable, Sendable {
  /// The claim, which is given back.
  case claim
  /// What was submitted, which the provider has ended.
  case submission
}

/// What the engine knows of the wallet at the moment of an event.
public struct Facts: Equatable, Sendable {
  /// The core's clock, in milliseconds; `Int64.min` where time has no say.
  public var now = Int64.min
  public var isRegistered = false
  public var hasPID = false
  public var isBiometricUnlockEnabled = false
  public var areBiometricsSupported = false
  /// What the platform recognises its user by: "any", "fingerprint" or "face"; nil if nothing.
  public var biometrics: String?
  public var appVersion = ""
  public var configurationVersion: UInt64 = 0
  public var platform = PlatformRules.android
  /// What the update policy says.
  public var versionState = VersionState.ok
  /// Whether an enrolment link made for this device is kept.
  public var hasEnrolmentLink = false
  public var proofing = ProofingFact.none
  /// How often a licence may still fail for the claim that is alive; nil where none is.
  public var licenceAttemptsLeft: UInt32?
  /// A reference for support that nothing has yet, without any meaning; empty where there is none.
  public var reference = ""

  public init() {}
}

/// How far an identity proofing has come (UC3.1).
public enum ProofingFact: Equatable, Sendable {
  /// There is none, or it has ended.
  case none
  /// An enrolment code is claimed by this wallet.
  case claimed
  /// The evidence is with the provider, whose verdict is awaited.
  case submitted
}

/// What was set aside for Resume.
struct SuspendedFlow: Equatable, Sendable {
  var place: FlowPosition
  var screen: FlowPosition?
  var history: [FlowPosition]
  /// Whether what was read of a licence was wiped meanwhile.
  var isWithoutEvidence = false
}
