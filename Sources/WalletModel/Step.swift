/// What the user sees now, or what the host is asked to do: one step of a use case (flows.md).
public struct Step: Equatable, Sendable {
  /// What a host does with a step.
  public enum Kind: String, Sendable, CaseIterable {
    /// Fills the screen.
    case screen
    /// Stands over the screen that `beneath` names.
    case prompt
    /// Work of the core that takes longer than 0.2 s: a spinner.
    case progress
    /// A prompt of the operating system, which a bridge call opens: nothing to draw.
    case systemPrompt = "system-prompt"
    /// Work of the host, which says by a choice that it is done.
    case handOff = "hand-off"
    /// A failure and what can be done about it.
    case error
    /// The flow has ended; the next start begins anew.
    case end
  }

  /// What a choice may bring along.
  public enum Input: String, Sendable, CaseIterable {
    case none
    /// A PIN, for the action `enter`.
    case pin
    /// Bytes and symbology of a scanned code, for the action `scanned`.
    case scan
  }

  /// A value for the message or the drawing.
  public enum Value: Equatable, Sendable {
    case text(String)
    case number(Int64)
    case truth(Bool)
  }

  /// What the user can choose.
  public struct Choice: Equatable, Sendable {
    /// The stable name, e.g. "forgot-pin".
    public let action: String
    /// The English default of its label.
    public let label: String

    public init(action: String, label: String) {
      self.action = action
      self.label = label
    }
  }

  /// Grows with every shown step, also one that is shown again, from 1.
  public var serial: UInt64
  /// The published number, e.g. "UC2.3".
  public var useCase: String
  /// The row in it, e.g. "1.3".
  public var row: String
  public var kind: Kind
  /// The stable name, e.g. "open-with-pin".
  public var name: String
  /// The English default of the title and of the message, its arguments filled in.
  public var title: String
  public var message: String
  /// What the message and the drawing need, by stable names; durations in milliseconds (`_ms`).
  public var arguments: [String: Value]
  /// Short news on top of the step, by stable names, e.g. "link-invalid".
  public var notices: [String]
  public var input: Input
  /// What can be chosen; the first is the primary action.
  public var choices: [Choice]
  /// The name of the screen under a prompt; nil where there is none.
  public var beneath: String?
  /// The rows and cases that led from the step before to this one, e.g. "UC2.3 1.1b".
  public var trail: [String]
  /// Whether it may be shown only while the wallet is unlocked. The last member: Swift keeps the tag of
  /// an enum in the spare bits of its payload's end, and leak checkers know no tagged pointers.
  public var isProtected: Bool

  public init(
    serial: UInt64, useCase: String, row: String, kind: Kind, name: String, title: String,
    message: String, arguments: [String: Value] = [:], notices: [String] = [],
    input: Input = .none, choices: [Choice] = [], beneath: String? = nil,
    isProtected: Bool = false, trail: [String] = []
  ) {
    self.serial = serial
    self.useCase = useCase
    self.row = row
    self.kind = kind
    self.name = name
    self.title = title
    self.message = message
    self.arguments = arguments
    self.notices = notices
    self.input = input
    self.choices = choices
    self.beneath = beneath
    self.isProtected = isProtected
    self.trail = trail
  }
}

/// How the app came to life, as its host knows it (UC1.2 1.1).
public enum Startup: Sendable {
  /// No process was active: a launch on iOS, a cold or warm start on Android.
  case launch
  /// The process was active: a resume on iOS, a hot start on Android.
  case resume
}

/// What kind of symbol a scanned code came from.
public enum Symbology: Int32, Sendable {
  case qrCode = 1
  case pdf417 = 2
  /// None that anything is read from.
  case other = 3
}
