public import CWalletCore

// Tests write values of the header's enumerations as numbers too: 0 for OK, and those that no
// constant has.

extension wallet_core_status: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_category: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_kind: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_version_grade: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_pin_outcome: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_pin_verdict: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_bridge_status: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_replacement: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_startup: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_symbology: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_platform: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_log_level: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_step_kind: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_input: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
extension wallet_core_lifecycle: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int32) { self.init(rawValue: value) }
}
