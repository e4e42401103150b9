/// The status of a card (draft-ietf-oauth-status-list section 7.1).
public enum TokenStatus: Sendable, Equatable {
  /// 0: the only one with which a card may be used.
  case valid
  /// 1: revoked for good.
  case invalid
  /// 2: revoked for the time being.
  case suspended
  /// 3 and 12 to 15: what the issuer means by it is not known here.
  case applicationSpecific(UInt8)
  /// All others, which have no meaning yet.
  case reserved(UInt8)

  /// The status of a value in a list.
  public init(value: UInt8) {
    switch value {
    case 0: self = .valid
    case 1: self = .invalid
    case 2: self = .suspended
    case 3, 0x0C...0x0F: self = .applicationSpecific(value)
    default: self = .reserved(value)
    }
  }

  /// The value in a list.
  public var value: UInt8 {
    switch self {
    case .valid: 0
    case .invalid: 1
    case .suspended: 2
    case .applicationSpecific(let value), .reserved(let value): value
    }
  }

  /// Whether a card with this status may be used.
  public var isUsable: Bool { self == .valid }
}
