/// A value with the number of its change, so that a late delivery never replaces a newer value.
public struct Versioned<Value: Sendable>: Sendable {
  public let value: Value
  /// Grows with every change, from 1.
  public let version: UInt64

  public init(_ value: Value, version: UInt64) {
    self.value = value
    self.version = version
  }
}
