/// The result of one check.
public struct Finding: Sendable, Equatable {
  public enum Grade: String, Sendable {
    case ok
    /// Nothing is wrong, but the operator may want to know.
    case note
    /// A server would not start, or not work as it should.
    case wrong
  }

  public let grade: Grade
  /// What was checked.
  public let subject: String
  /// A message of one line.
  public let message: String

  /// The finding as one line of output.
  public var line: String { "\(grade.rawValue) \(subject): \(message)" }

  public init(_ grade: Grade, _ subject: String, _ message: String) {
    self.grade = grade
    self.subject = subject
    self.message = message
  }
}
