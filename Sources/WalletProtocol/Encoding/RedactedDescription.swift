/// What says nothing of its content where it is printed, logged or dumped by accident.
public protocol RedactedDescription: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
}

extension RedactedDescription {
  /// The name of the type and nothing of the value.
  public var description: String { "\(Self.self)" }

  public var debugDescription: String { description }

  /// Without members: `dump` and reflecting loggers look past descriptions.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
