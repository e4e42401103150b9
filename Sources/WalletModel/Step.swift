/// What the user sees now, or what the host must do: one step of a use case (flows.md).
public struct Step: Equatable, Sendable {
  /// The kind of a step, which decides what a host does with it.
  public enum Kind: String, Sendable, CaseIterable {
    /// Fills the screen.
    case screen
    /// Is shown over the screen that `beneath` names.
    case prompt
    /// Work of the core that takes longer than 0.2 s: a spinner.
    case progress
    /// A prompt of the operating system, which a bridge call opens. The host draws nothing.
    case systemPrompt = "system-prompt"
    /// Work of the host, which makes a choice when it is done.
    case handOff = "hand-off"
    /// A failure and the ways to continue.
    case error
    /// The flow has ended; the next start begins a new one.
    case end
  }

  /// The input of a choice.
  public enum Input: String, Sendable, CaseIterable {
    case none
    /// A PIN, for the action `enter`.
    case pin
    /// Bytes and symbology of a scanned code, for the action `scanned`.
    case scan
    /// The index of an option of the request, in decimal, for the action `choose`.
    case option
  }

  /// A value that the message or the screen shows.
  public enum Value: Equatable, Sendable {
    case text(String)
    case number(Int64)
    case truth(Bool)
  }

  /// A choice of the user.
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

  /// The number of the shown step. It grows from 1, also when the same step is shown again.
  public var serial: UInt64
  /// The published number of the use case, e.g. "UC2.3".
  public var useCase: String
  /// The row of the use case, e.g. "1.3".
  public var row: String
  public var kind: Kind
  /// The stable name, e.g. "open-with-pin".
  public var name: String
  /// The English defaults of the title and the message, with their arguments filled in.
  public var title: String
  public var message: String
  /// The values of the message and the screen by stable names; durations are in milliseconds
  /// (`_ms`).
  public var arguments: [StepArgument: Value]
  /// Short notices shown with the step, by stable names, e.g. "link-invalid".
  public var notices: [String]
  public var input: Input
  /// The possible choices; the first is the primary action.
  public var choices: [Choice]
  /// The name of the screen under a prompt; nil if there is none.
  public var beneath: String?
  /// The rows and cases that led from the step before to this one, e.g. "UC2.3 1.1b".
  public var trail: [String]
  /// What a relying party asks for, on the steps about it.
  public var sharing: SharingRequest?
  /// Whether the step may be shown only while the wallet is unlocked. This member must stay the
  /// last one: Swift keeps the tag of an enum in spare bits at the end of its payload. If a pointer
  /// were there, it would be tagged, and leak checkers do not understand tagged pointers.
  public var isProtected: Bool

  public init(
    serial: UInt64, useCase: String, row: String, kind: Kind, name: String, title: String,
    message: String, arguments: [StepArgument: Value] = [:], notices: [String] = [],
    input: Input = .none, choices: [Choice] = [], beneath: String? = nil,
    isProtected: Bool = false, trail: [String] = [], sharing: SharingRequest? = nil
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
    self.sharing = sharing
  }
}

/// How the app was started, as its host knows it (UC1.2 1.1).
public enum Startup: Sendable {
  /// No process was active: a launch on iOS, a cold or warm start on Android.
  case launch
  /// The process was active: a resume on iOS, a hot start on Android.
  case resume
}

/// The kind of symbol that was scanned.
public enum Symbology: Int32, Sendable {
  case qrCode = 1
  case pdf417 = 2
  /// A kind that is not supported.
  case other = 3
}
