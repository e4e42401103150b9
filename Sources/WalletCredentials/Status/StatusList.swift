public import WalletProtocol

/// A status list whose token was checked (draft-ietf-oauth-status-list section 4).
public struct StatusList: Sendable, Equatable, RedactedDescription {
  /// The maximum length of a decompressed list, in bytes.
  public static let maximumLength = 16 * 1024 * 1024
  /// For how many seconds a list is fresh at most, whatever it says: a day.
  public static let maximumTimeToLive: Int64 = 24 * 60 * 60
  /// After how many seconds a list says nothing any more, whatever it says: a week. A list without
  /// an end would otherwise never tell of a revocation.
  public static let maximumAge: Int64 = 7 * 24 * 60 * 60

  /// The address of the list (`sub`).
  public let uri: String
  /// Seconds since 1970 (`iat`).
  public let issuedAt: Int64
  /// Seconds since 1970 (`nbf`, RFC 7519 section 4.1.5); nil if the token does not say.
  public let notBefore: Int64?
  /// Seconds since 1970 (`exp`); nil if the token does not say.
  public let expires: Int64?
  /// For how many seconds the list may be used before it is fetched again (`ttl`); nil if the token
  /// does not say.
  public let timeToLive: Int64?

  private let bits: Int
  private let bytes: [UInt8]

  /// - Parameter bits: 1, 2, 4 or 8.
  init(
    uri: String, issuedAt: Int64, notBefore: Int64?, expires: Int64?, timeToLive: Int64?,
    bits: Int, bytes: [UInt8]
  ) {
    self.uri = uri
    self.issuedAt = issuedAt
    self.notBefore = notBefore
    self.expires = expires
    self.timeToLive = timeToLive
    self.bits = bits
    self.bytes = bytes
  }

  /// The number of entries, of which the last few may be padding.
  public var count: Int { bytes.count * (8 / bits) }

  /// Returns the status at an index, from 0. Within a byte the entry of the lowest index has the
  /// least significant bits.
  public func status(at index: Int64) throws(StatusListError) -> TokenStatus {
    guard let index = Int(exactly: index), (0..<count).contains(index) else {
      throw .indexBeyondEnd
    }
    let perByte = 8 / bits
    let shifted = bytes[index / perByte] >> UInt8(index % perByte * bits)
    return TokenStatus(value: shifted & UInt8(truncatingIfNeeded: (1 << bits) - 1))
  }

  /// Returns whether what the list says still counts.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - fetchedAt: when the list came, in seconds since 1970.
  ///   - skew: how far the issuer's clock may be ahead, in seconds.
  public func age(at now: Int64, fetchedAt: Int64, skew: Int64 = 60) -> StatusListAge {
    guard max(issuedAt, notBefore ?? issuedAt) <= Self.sum(now, skew) else { return .notYetValid }
    if let expires, expires <= now { return .expired }
    // A clock that was set back must not keep a list fresh for longer.
    guard now >= fetchedAt else { return .stale }
    let (held, overflow) = now.subtractingReportingOverflow(fetchedAt)
    if overflow || held >= Self.maximumAge { return .expired }
    let freshFor = min(timeToLive ?? Self.maximumTimeToLive, Self.maximumTimeToLive)
    return held < freshFor ? .fresh : .stale
  }

  /// When a list that came at a time should be fetched again and when it says nothing any more, in
  /// seconds since 1970; nil if it says nothing at that time.
  public func lapse(
    fetchedAt now: Int64, skew: Int64 = 60
  ) -> (stale: Int64, expired: Int64)? {
    guard age(at: now, fetchedAt: now, skew: skew) == .fresh else { return nil }
    let end = min(Self.sum(now, Self.maximumAge), expires ?? .max)
    let freshFor = min(timeToLive ?? Self.maximumTimeToLive, Self.maximumTimeToLive)
    return (min(Self.sum(now, freshFor), end), end)
  }

  private static func sum(_ first: Int64, _ second: Int64) -> Int64 {
    let (sum, overflow) = first.addingReportingOverflow(second)
    guard overflow else { return sum }
    return second < 0 ? Int64.min : Int64.max
  }
}

/// How old a status list is.
public enum StatusListAge: Sendable, Equatable {
  /// It need not be fetched again yet.
  case fresh
  /// It should be fetched again; until it expires it says what was last known.
  case stale
  /// It says nothing any more.
  case expired
  /// It is from the future, so a clock is wrong, and it says nothing yet.
  case notYetValid
}
