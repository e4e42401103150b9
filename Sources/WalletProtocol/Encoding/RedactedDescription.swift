/// A value that shows nothing of its content if it is printed, logged or dumped by accident.
public protocol RedactedDescription: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
}

extension RedactedDescription {
  /// The name of the type and nothing of the value.
  public var description: String { "\(Self.self)" }

  public var debugDescription: String { description }

  /// Without members, because `dump` and reflecting loggers ignore descriptions.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
