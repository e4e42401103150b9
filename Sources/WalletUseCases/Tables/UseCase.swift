/// The published use cases and partial flows that the core runs, with their numbers.
public enum UseCase: String, CaseIterable, Sendable {
  case openApp = "UC1.2"
  case introduceApp = "UC1.1"
  case setUpPin = "UC2.1"
  case unlock = "UC2.3"
  case obtainPID = "UC3.1"
  case issuance = "UC4.1"
  case sharing = "UC5.1"
  case login = "UC5.2"
  case activities = "UC6.1"
  case activity = "UC6.3"
  case cards = "UC7.1"
  case about = "UC9.2"
  case wipe = "UC9.4"
  case help = "UC9.6"
  case lock = "UC9.7"
  case scanQR = "UC9.9"
  case updatePolicy = "PF1.4"
  case confirm = "PF2.4"
  case universalLink = "PF2.7"
  case validatePin = "PF2.8"
  /// The error flows, which the published tables name but do not spell out.
  case errors = "EF"
}

/// A row of a use case's table, e.g. "UC2.3 1.3".
public struct RowID: Hashable, Sendable, CustomStringConvertible {
  public let useCase: UseCase
  public let number: String

  public init(_ useCase: UseCase, _ number: String) {
    self.useCase = useCase
    self.number = number
  }

  /// Whether this is the first row of `useCase`.
  func isFirst(of useCase: UseCase) -> Bool {
    self.useCase == useCase && self == UseCaseTables.firstRow(of: useCase)
  }

  public var description: String { useCase.rawValue + " " + number }
}
