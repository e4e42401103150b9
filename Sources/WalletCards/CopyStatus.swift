internal import WalletCredentials

/// Where the status of a copy is published, and what was last read there.
public struct CopyStatus: Codable, Equatable, Sendable {
  /// What a status list said.
  public struct Known: Codable, Equatable, Sendable {
    /// The value in the list.
    var value: UInt8
    /// When the list was issued, in seconds since 1970. An older list says nothing new.
    var issuedAt: Int64
    /// When the list came, in seconds since 1970.
    public var at: Int64
    /// When the list should be fetched again, in seconds since 1970.
    public var due: Int64
    /// When the list says nothing any more, in seconds since 1970.
    public var until: Int64

    /// Whether the copy was withdrawn.
    var isWithdrawn: Bool { !TokenStatus(value: value).isUsable }
  }

  /// The address of the status list; nil if the issuer cannot withdraw the copy, or can in a way
  /// that is not supported.
  public private(set) var uri: String?
  private var index: Int64?
  /// Whether the issuer can withdraw the copy in a way that is not supported.
  private var isUnsupported = false
  public private(set) var known: Known?
  /// When a host of another party was last asked for the list, in seconds since 1970.
  private var askedAt: Int64?

  init(_ source: CredentialStatusSource) {
    switch source {
    case .none: break
    case .list(let index, let uri): (self.index, self.uri) = (index, uri)
    case .unsupported: isUnsupported = true
    }
  }

  /// The index of the copy in the list at `uri`; nil if it is not in that list.
  func index(in uri: String) -> Int64? {
    guard let own = self.uri, own.utf8.elementsEqual(uri.utf8) else { return nil }
    return index
  }

  /// Notes what a list says of the copy. A list without its entry, or one that is older than the
  /// last one, takes back no withdrawal, and one for good is never taken back.
  ///
  /// - Parameter status: nil if the list has no such entry.
  mutating func note(_ status: TokenStatus?, _ list: CardRecord.ReadStatusList) {
    if let known {
      // What was read in the future was read by a clock that was wrong, and is no newer.
      guard TokenStatus(value: known.value) != .invalid,
        list.issuedAt >= known.issuedAt || known.at > list.fetchedAt && !known.isWithdrawn,
        status != nil || !known.isWithdrawn
      else { return }
    }
    known = status.map { status in
      Known(
        value: status.value, issuedAt: list.issuedAt, at: list.fetchedAt, due: list.due,
        until: list.expires)
    }
  }

  /// How long a host of another party is not asked again, whatever it has answered: otherwise it
  /// could have the wallet ask after every unlock. In seconds.
  static let pause: Int64 = 600

  mutating func noteAttempt(at now: Int64) { askedAt = now }

  /// Whether the list should be fetched. A copy that was withdrawn for good needs no list any more.
  func isDue(at now: Int64) -> Bool {
    if let askedAt, askedAt <= now {
      let (passed, overflows) = now.subtractingReportingOverflow(askedAt)
      if !overflows, passed < Self.pause { return false }
    }
    guard let known else { return uri != nil }
    return TokenStatus(value: known.value) != .invalid && (known.due <= now || now < known.at)
  }

  enum Verdict { case good, revoked, suspended, unknown }

  /// What is known at a time. That a copy was withdrawn counts until the list says otherwise: who
  /// keeps the list from the wallet must not make the copy look usable. That it is good counts only
  /// while the list does. What was read in the future says nothing, because a clock is wrong.
  func verdict(at now: Int64) -> Verdict {
    guard !isUnsupported else { return .unknown }
    guard uri != nil else { return .good }
    guard let known else { return .unknown }
    switch TokenStatus(value: known.value) {
    case .invalid: return .revoked
    case .suspended, .applicationSpecific, .reserved: return .suspended
    case .valid: return known.at <= now && now < known.until ? .good : .unknown
    }
  }
}
