/// What a check found of one thing.
public struct Finding: Sendable, Equatable {
  public enum Grade: String, Sendable {
    case ok
    /// Nothing is wrong, and somebody may want to know.
    case note
    /// A server would not start with it, or not do what it should.
    case wrong
  }

  public let grade: Grade
  /// What was looked at.
  public let subject: String
  /// In one line.
  public let message: String

  /// For people.
  public var line: String { "\(grade.rawValue) \(subject): \(message)" }

  public init(_ grade: Grade, _ subject: String, _ message: String) {
    self.grade = grade
    self.subject = subject
    self.message = message
  }
}
