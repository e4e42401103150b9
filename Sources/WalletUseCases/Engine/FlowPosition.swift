public import WalletModel

/// The number of a PIN that the user entered; the runtime holds the bytes.
public struct PinSlot: Hashable, Sendable {
  public let number: UInt64

  public init(_ number: UInt64) { self.number = number }
}

/// A position in the flows: a row, the partial flows that lead to it, and what was learned on the
/// way. Immutable, so that history, screen and suspended flows can share one.
final class FlowPosition: Sendable {
  let row: RowID
  /// The row in its table; nil if the table has none.
  let definition: Row?
  /// The rows whose partial flows are running, the outermost first.
  let frames: [RowID]
  let details: Details
  /// The row that failed, if this is an error step.
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

  /// Whether both positions are the same screen of the same partial flows, whatever details they
  /// have.
  func isSameScreen(as other: FlowPosition) -> Bool {
    row == other.row && frames == other.frames && failed == other.failed
  }

  /// The row's alternative screen, if the failure is only a pending review; nil otherwise.
  var alternative: Screen? {
    details.failure?.row.errorClass == .pending ? definition?.alternative : nil
  }

  /// Whether this is a full screen, over which prompts lie and to which Back returns.
  var isScreen: Bool {
    if case .screen(let screen) = definition?.kind { screen != .splash && !isEnd } else { false }
  }

  /// Whether the user has confirmed with biometrics here and still has to confirm with the PIN
  /// (UC7.1 3.2 and 3.3).
  var awaitsPinForBiometrics: Bool {
    row == .sealByBiometrics || frames.contains(.confirmByPin)
  }

  /// Whether the user was asked for the PIN with which the PID is received (UC3.1 9c and 9d).
  var awaitsPinForPID: Bool { row == .receivePin || frames.contains(.receiveByPin) }

  /// Whether this may be shown while the wallet is locked.
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
  public var arguments: [StepArgument: Step.Value]
  /// When the step ends, on the core's clock, in milliseconds.
  public var deadline: Int64?
  public var notices: [Notice]
  /// Arguments of the step that shows the notices.
  public var noticeArguments: [StepArgument: Step.Value] = [:]
  /// For an error: whether trying again can help, and whether only a wipe does.
  public var repeatingHelps: Bool
  public var wipeHelps: Bool
  /// Why the user gets no PID yet (UC3.1); the step's argument "failure".
  public var failure: ProofingError?
  /// The part of the proofing that this outcome ends. If a lock comes first, the outcome is ignored
  /// and nothing ends.
  public var ends: ProofingEnd?
  /// Whether a scanner read a code of another kind than it is for, which does not count as an
  /// attempt.
  public var isOfOtherKind = false

  public init(
    arguments: [StepArgument: Step.Value] = [:], deadline: Int64? = nil, notices: [Notice] = [],
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

/// The part of an identity proofing that an outcome ends.
public enum ProofingEnd: Equatable, Sendable {
  /// The claim, which is released.
  case claim
  /// The submission, which the provider has ended.
  case submission
}

/// The state of the wallet at the moment of an input.
public struct Facts: Equatable, Sendable {
  /// The time on the core's clock, in milliseconds; `Int64.min` where no deadline matters.
  public var now = Int64.min
  public var isRegistered = false
  /// The lock state and its version, whatever has changed it.
  public var lock = Versioned(LockState.locked, version: 1)
  public var hasPID = false
  /// Whether the PID has expired by the provider's clock; nil if there is none or if that is
  /// unknown.
  public var isPIDExpired: Bool?
  public var isBiometricUnlockEnabled = false
  public var areBiometricsSupported = false
  /// The kind of biometrics on this device: "any", "fingerprint" or "face"; nil if there are none.
  public var biometrics: String?
  public var appVersion = ""
  public var configurationVersion: UInt64 = 0
  public var platform = PlatformRules.android
  /// What the update policy says about this version.
  public var versionState = VersionState.ok
  /// The last known block of the PIN; nil if there is none, or if it is over.
  public var pinBlock: KnownBlock?
  /// Another wallet that waits to take the place of this one; nil if none is known.
  public var replacement: Replacement?
  /// Wrong PINs that the owner has not been told of, if that was learned without a PIN.
  public var untoldFailures: PinFailures?
  /// The attempts left after a wrong PIN; nil if no wrong PIN was entered, or if the number is
  /// unknown.
  public var pinAttempts: KnownAttempts?
  /// Whether an enrolment link made for this device is kept.
  public var hasEnrolmentLink = false
  /// Whether a link of a relying party waits to be opened.
  public var isRequestWaiting = false
  public var proofing = ProofingFact.none
  /// How often a licence may still fail for the active claim; nil without a claim.
  public var licenceAttemptsLeft: UInt32?
  /// The request of a relying party that is under way; nil if there is none.
  public var sharing: SharingFact?
  /// An unused random reference for support, which carries no meaning; may be empty.
  public var reference = ""

  public init() {}
}

/// What is known of the request of a relying party (UC5.1, UC5.2).
public struct SharingFact: Equatable, Sendable {
  /// Nil until it was retrieved and its relying party is known.
  public var request: SharingRequest?
  /// What the host has to open at the end; nil if the relying party has given nothing.
  public var redirectURI: String?

  public init(request: SharingRequest? = nil, redirectURI: String? = nil) {
    self.request = request
    self.redirectURI = redirectURI
  }

  /// Whether the user has to return to where the link was.
  var mustReturn: Bool { redirectURI != nil && request?.isFromOtherDevice == false }
}

/// How far an identity proofing has come (UC3.1).
public enum ProofingFact: Equatable, Sendable {
  /// No proofing, or one that has ended.
  case none
  /// This wallet has claimed an enrolment code.
  case claimed
  /// The provider has the evidence, and its verdict is awaited.
  case submitted
}

/// A flow that was suspended for Resume.
struct SuspendedFlow: Equatable, Sendable {
  var position: FlowPosition
  var screen: FlowPosition?
  var history: [FlowPosition]
  /// Whether the licence data was wiped meanwhile.
  var isWithoutEvidence = false
}
