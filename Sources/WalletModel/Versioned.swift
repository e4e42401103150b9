/// A value with a version number, so that a late delivery never replaces a newer value.
public struct Versioned<Value: Sendable>: Sendable {
  public let value: Value
  /// Grows from 1 with every change.
  public let version: UInt64

  public init(_ value: Value, version: UInt64) {
    self.value = value
    self.version = version
  }
}

extension Versioned: Equatable where Value: Equatable {}
