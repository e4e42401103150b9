internal import FoundationEssentials
internal import WalletModel

/// Encodes JSON for hosts.
enum JSONText {
  /// Returns the JSON of `value`; "{}" if encoding fails, which no value here can cause.
  static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(value) else { return "{}" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The data of an error as an object with "schema".
struct ErrorData: Encodable {
  private let members: [String: WalletError.Value]

  init(_ members: [String: WalletError.Value]) { self.members = members }

  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(1, forKey: Member(stringValue: "schema"))
    for (name, value) in members where name != "schema" {
      let key = Member(stringValue: name)
      switch value {
      case .text(let text): try container.encode(text, forKey: key)
      case .number(let number): try container.encode(number, forKey: key)
      case .truth(let truth): try container.encode(truth, forKey: key)
      }
    }
  }
}

/// The JSON of a configuration event.
struct ConfigurationDocument: Encodable {
  let configuration: HostConfiguration

  private enum CodingKeys: String, CodingKey {
    case schema, kind, version
    case inactiveTimeout = "inactive_timeout_ms"
    case inactiveWarning = "inactive_warning_ms"
    case backgroundTimeout = "background_timeout_ms"
    case proofingHosts = "proofing_hosts"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(1, forKey: .schema)
    try container.encode("configuration", forKey: .kind)
    try container.encode(configuration.version, forKey: .version)
    try container.encode(configuration.inactiveTimeoutMilliseconds, forKey: .inactiveTimeout)
    try container.encode(configuration.inactiveWarningMilliseconds, forKey: .inactiveWarning)
    try container.encode(configuration.backgroundTimeoutMilliseconds, forKey: .backgroundTimeout)
    try container.encode(configuration.proofingHosts, forKey: .proofingHosts)
  }
}

/// The JSON of a lock-state event.
struct LockStateDocument: Encodable {
  var schema = 1
  var kind = "lock_state"
  let isLocked: Bool
  var locksIn: Int64?

  init(_ state: LockState) {
    isLocked = state.isLocked
    if case .unlocked(let locksIn) = state { self.locksIn = locksIn }
  }

  private enum CodingKeys: String, CodingKey {
    case schema, kind
    case isLocked = "is_locked"
    case locksIn = "locks_in_ms"
  }
}

/// The JSON of a version-state event.
struct VersionStateDocument: Encodable {
  var schema = 1
  var kind = "version_state"
  let grade: String
  var blockedIn: Int64?
  var isUpdateAvailable: Bool?

  init(_ state: VersionState) {
    switch state {
    case .ok: grade = "ok"
    case .recommend: grade = "recommend"
    case .warn(let milliseconds):
      grade = "warn"
      blockedIn = milliseconds
    case .block(let updateAvailable):
      grade = "block"
      isUpdateAvailable = updateAvailable
    }
  }

  private enum CodingKeys: String, CodingKey {
    case schema, kind, grade
    case blockedIn = "blocked_in_ms"
    case isUpdateAvailable = "is_update_available"
  }
}

/// The JSON of a cards-changed event.
struct CardsChangedDocument: Encodable {
  var schema = 1
  var kind = "cards_changed"
}

/// The JSON of a completion.
struct CompletionDocument: Encodable {
  var schema = 1
  var kind = "completion"
  let request: UInt64
  let status: Int32
  let statusName: String
  var error: Failure?
  var pin: Pin?
  var replacement: Replacement?
  var cards: [CardDocument]?
  var presentations: [String]?
  var sharing: SharingDocument?
  var shared: SharedDocument?
  var activities: [ActivityDocument]?

  /// Why the request failed.
  struct Failure: Encodable {
    let category: Int32
    let message: String
    let data: ErrorData
  }

  /// The provider's answer about the PIN.
  struct Pin: Encodable {
    let outcome: String
    let attemptsLeft: UInt32?
    let isFinalRound: Bool?
    let blockedFor: UInt64?
    let failedAttempts: UInt64?
    let lastFailedAt: Int64?

    init(_ answer: PinAnswer) {
      outcome = answer.name
      attemptsLeft = answer.attemptsLeft
      isFinalRound = answer.isFinalRound
      blockedFor = answer.blockedFor
      failedAttempts = answer.failures?.count
      lastFailedAt = answer.failures?.lastAt
    }

    private enum CodingKeys: String, CodingKey {
      case outcome
      case attemptsLeft = "attempts_left"
      case isFinalRound = "is_final_round"
      case blockedFor = "blocked_for_ms"
      case failedAttempts = "failed_attempts"
      case lastFailedAt = "last_failed_at"
    }
  }

  /// Another wallet that waits to take the place of this one.
  struct Replacement: Encodable {
    let session: String
    let takesEffectIn: Int64

    init(_ replacement: OwnerNotices.Replacement) {
      session = replacement.session
      takesEffectIn = replacement.takesEffectIn
    }

    private enum CodingKeys: String, CodingKey {
      case session
      case takesEffectIn = "takes_effect_in_ms"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case schema, kind, request, status, error, pin, replacement, cards, presentations
    case sharing, shared, activities
    case statusName = "status_name"
  }
}
