public import WalletModel

/// A use case as data: its rows, in the order of the published table.
public struct Table: Sendable {
  public let useCase: UseCase
  public let title: String
  public let rows: [Row]

  init(_ useCase: UseCase, _ title: String, _ rows: [Row]) {
    self.useCase = useCase
    self.title = title
    self.rows = rows
  }
}

/// A row of a table: what it does and where each case leads. A class, so that all who refer to a
/// row share one copy.
public final class Row: Sendable {
  /// What a row does; the letters are those of the flow articles.
  public enum Kind: Sendable {
    /// D: determines something without a screen.
    case determination(FlowQuery)
    /// F: executes an effect.
    case effect(FlowEffect)
    /// P: runs a partial flow.
    case partialFlow(UseCase)
    /// S: a screen.
    case screen(Screen)
    /// Q: a prompt over the screen beneath.
    case prompt(Screen)
    /// O: a prompt of the operating system, while the core waits for a bridge.
    case systemPrompt(FlowEffect)
    /// H: a step of the host, also for what only the host can determine.
    case handOff(HandOff)
    /// An error step.
    case error(ErrorStep)
    /// D: a condition that is watched all the time beside the other rows (UC9.7 1.1).
    case watch
  }

  public let number: String
  public let kind: Kind
  public let cases: [Case]
  /// The screen that the row shows instead of its own if the failure is only a pending review.
  public let alternative: Screen?
  public let remark: Remark?

  init(
    _ number: String, _ kind: Kind, _ cases: [Case], alternative: Screen? = nil,
    remark: Remark? = nil
  ) {
    self.number = number
    self.kind = kind
    self.cases = cases
    self.alternative = alternative
    self.remark = remark
  }

  func orShowing(_ screen: Screen) -> Row {
    Row(number, kind, cases, alternative: screen, remark: remark)
  }

  /// Returns the row with a remark: what the published table has instead, and the reason.
  func corrected(_ published: String, _ reason: String) -> Row {
    noting(Remark(published: published, reason: reason))
  }

  /// Returns the row with the reason for something that the published table does not have.
  func added(_ reason: String) -> Row { noting(Remark(published: nil, reason: reason)) }

  private func noting(_ remark: Remark) -> Row {
    Row(number, kind, cases, alternative: alternative, remark: remark)
  }

  /// Returns the case of `trigger`; nil if the row has none.
  func firstCase(_ trigger: Case.Trigger) -> Case? { cases.first { $0.trigger == trigger } }
}

extension Row: Equatable {
  public static func == (left: Row, right: Row) -> Bool { left === right }
}

/// What differs from the published table, and why.
public struct Remark: Equatable, Sendable {
  /// What the published table has instead; nil if it has nothing here.
  public let published: String?
  public let reason: String
}

/// What can happen on a row, and what follows. A class, so that all who refer to a case share one
/// copy.
public final class Case: Sendable {
  public enum Trigger: Hashable, Sendable {
    case outcome(Outcome)
    case action(Action)
    case event(FlowEvent)
    case result(FlowResult)
  }

  /// "a", "b", ...; with the row's number it is the published name, e.g. 1.3b.
  public let letter: String
  public let trigger: Trigger
  public let next: Next
  public var condition: Condition? { extras.condition }
  /// The effect that runs before the step is shown again; only with `.stay`.
  public var effect: FlowEffect? { extras.effect }
  public var notice: Notice? { extras.notice }
  /// The failure in the error table that the case stands for.
  public var failure: ProofingError? { extras.failure }
  public var remark: Remark? { extras.remark }

  /// The properties that only some cases have.
  private struct Extras {
    var condition: Condition?
    var effect: FlowEffect?
    var notice: Notice?
    var failure: ProofingError?
    var remark: Remark?
  }

  private let extras: Extras

  private init(_ letter: String, _ trigger: Trigger, _ next: Next, _ extras: Extras = Extras()) {
    self.letter = letter
    self.trigger = trigger
    self.next = next
    self.extras = extras
  }

  /// The user's choice; nil if something else triggers the case.
  var action: Action? { if case .action(let action) = trigger { action } else { nil } }

  /// A case for an outcome of what the row determined or executed.
  static func when(_ letter: String, _ outcome: Outcome, _ next: Next) -> Case {
    Case(letter, .outcome(outcome), next)
  }

  /// A case for a choice of the user.
  static func on(_ letter: String, _ action: Action, _ next: Next) -> Case {
    Case(letter, .action(action), next)
  }

  /// A case for a time or a condition.
  static func after(_ letter: String, _ event: FlowEvent, _ next: Next) -> Case {
    Case(letter, .event(event), next)
  }

  /// A case for the end of the partial flow.
  static func result(_ letter: String, _ result: FlowResult, _ next: Next) -> Case {
    Case(letter, .result(result), next)
  }

  func only(_ condition: Condition) -> Case { with { $0.condition = condition } }

  func doing(_ effect: FlowEffect) -> Case { with { $0.effect = effect } }

  func telling(_ notice: Notice) -> Case { with { $0.notice = notice } }

  func failing(_ failure: ProofingError) -> Case { with { $0.failure = failure } }

  func corrected(_ published: String, _ reason: String) -> Case {
    with { $0.remark = Remark(published: published, reason: reason) }
  }

  func added(_ reason: String) -> Case {
    with { $0.remark = Remark(published: nil, reason: reason) }
  }

  private func with(_ change: (inout Extras) -> Void) -> Case {
    var extras = extras
    change(&extras)
    return Case(letter, trigger, next, extras)
  }
}

/// Where a case leads.
public enum Next: Equatable, Sendable {
  case row(String)
  case goTo(UseCase)
  case goToRow(UseCase, String)
  /// Ends the partial flow.
  case result(FlowResult)
  /// Leads to the screen before, or to this row if the history was cut.
  case back(RowID?)
  case stay
  case resume
  case end
  case error(ErrorStep)
  /// Repeats what failed; only in error steps.
  case repeatFailed
}

/// How a partial flow ends.
public enum FlowResult: String, CaseIterable, Sendable {
  case allowed = "App version is allowed"
  case noLink = "No (valid) universal link"
  case validPin = "Valid PIN"
  case retry = "Retry"
  case back = "Back"
  case confirm = "Confirm"
  case cancel = "Cancel"
}

/// What happens without a choice of the user.
public enum FlowEvent: String, CaseIterable, Sendable {
  case splashOver = "1 second passed"
  case blockOver = "time is up"
  case active = "active"
  case inactive = "inactive for inactive_timeout"
  case nearlyInactive = "inactive for warning_timeout"
  case shortBackground = "in background for less than background_timeout"
  case longBackground = "in background for background_timeout"
  case scanTimeout = "nothing found within a minute"
  case attemptsSpent = "no attempt is left"
  case replacementTold = "another wallet waits to take its place"
}

/// A short message on top of the next step.
public enum Notice: String, CaseIterable, Sendable {
  case linkInvalid = "link-invalid"
  case linkNeedsWallet = "no-wallet"
  case linkNeedsPID = "no-pid"
  /// An enrolment link cannot be used at once and is kept; UC3.1 2b offers it.
  case linkKept = "link-kept"
  case biometricsUnavailable = "biometrics-unavailable"
  /// The biometric key is permanently gone, so the unlock by PIN switched biometric unlock off.
  case biometricsSwitchedOff = "biometrics-switched-off"
  /// Wrong PINs were entered that the user was not told of yet.
  case failedAttempts = "failed-attempts"
  /// The claim of the identity proofing has lapsed.
  case sessionLost = "session-lost"
  /// A link or code has to wait for the end of the identity proofing.
  case flowInProgress = "flow-in-progress"
  /// The other wallet, which waited to take the place of this one, was declined.
  case replacementRefused = "replacement-refused"
  /// The other wallet may take the place of this one now.
  case replacementAllowed = "replacement-allowed"
}
