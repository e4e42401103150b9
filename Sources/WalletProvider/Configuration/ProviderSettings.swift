public import WalletAttempts
public import WalletProtocol

/// An invalid setting. The description names the setting and the reason.
public struct SettingsError: Error, Equatable, CustomStringConvertible {
  /// A message for the operator.
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// Every limit and time-out of the provider. All durations are milliseconds.
public struct ProviderSettings: Sendable, Equatable {
  /// 366 days, the upper bound of every duration.
  public static let longestDuration: Int64 = 366 * 24 * 3_600_000

  /// The number of wrong PINs that are allowed, and the blocks between them.
  public var attemptPolicy = AttemptPolicy.standard
  /// How long a challenge can be used and its stored answer repeated; 1 s to 1 h. As long as the
  /// answer to an evaluation of the PIN is accepted, so that neither ends before the other.
  public var challengeLife: Int64 = AttemptState.answerLife
  /// How long a registration may stay unconfirmed; 1 minute to 366 days.
  public var unconfirmedLife: Int64 = 24 * 3_600_000
  /// For clients: how long after its signing a configuration may be used to seal a PIN message; 1 h
  /// to 7 days. It is never more, because keys are announced a week before their use and kept for a
  /// week after it.
  public var configurationValidity: Int64 = 7 * 24 * 3_600_000
  /// For clients: lock after this much inactivity; 10 s to 24 h.
  public var inactiveTimeout: Int64 = 300_000
  /// For clients: warn after this much inactivity; 1 s to 24 h, at most `inactiveTimeout`.
  public var inactiveWarning: Int64 = 240_000
  /// For clients: lock after this much time in the background; 1 s to 24 h.
  public var backgroundTimeout: Int64 = 300_000
  /// For clients: Argon2id memory for PIN keys, in bytes; 64 to 256 MiB. A wallet whose PIN key
  /// uses more memory keeps using that much.
  public var pinKeyMemoryBytes: Int64 = 64 * 1024 * 1024
  /// For clients: Argon2id passes for PIN keys; 3 to 10.
  public var pinKeyPasses = 3
  /// For clients: the host names accepted in universal links and scanned codes, compared in full;
  /// at most 64.
  public var proofingHosts: [String] = []
  /// For clients: the keys of the evaluator, the current one first.
  public var evaluatorKeys: [PublishedKey] = []
  /// For clients: the authorities that other parties' certificates come from, as
  /// `TrustAnchorFile` has read them.
  public var trustAnchors: [PublishedAnchor] = []
  /// The provider's name as an issuer; nil if it is not known, and then no document can say where
  /// its issuer's keys are.
  public var publicURL: PublicURL?
  /// Whether `publicURL` lacks the port that the server listens on.
  public var lacksPort = false
  /// The type of PIDs.
  public var pidType = PIDType.standard
  /// The limits and durations of identity proofing.
  public var proofing = ProofingSettings()
  /// The maximum number of challenges per wallet that have not expired. One more replaces the
  /// oldest.
  public var maximumChallengesPerWallet = 128

  public init() {}

  /// - Throws: `SettingsError` for the first value out of range.
  public func validate() throws(SettingsError) {
    try check("challenge life", challengeLife, 1_000...3_600_000)
    try check("unconfirmed account life", unconfirmedLife, 60_000...Self.longestDuration)
    try check("validity of the configuration", configurationValidity, 3_600_000...604_800_000)
    try check("inactive time-out", inactiveTimeout, 10_000...86_400_000)
    try check("inactive warning", inactiveWarning, 1_000...86_400_000)
    try check("background time-out", backgroundTimeout, 1_000...86_400_000)
    guard inactiveWarning <= inactiveTimeout else {
      throw SettingsError("the inactive warning must not come after the inactive time-out")
    }
    let mebibyte: Int64 = 1024 * 1024
    guard (64 * mebibyte...256 * mebibyte).contains(pinKeyMemoryBytes) else {
      throw SettingsError("the memory of PIN keys must be 64 to 256 MiB")
    }
    guard (3...10).contains(pinKeyPasses) else {
      throw SettingsError("the passes of PIN keys must be 3 to 10, not \(pinKeyPasses)")
    }
    guard proofingHosts.count <= 64, proofingHosts.allSatisfy(Self.isHostName) else {
      throw SettingsError(
        "the proofing hosts must be at most 64 host names in lower case, such as wallet.example.org"
      )
    }
    guard maximumChallengesPerWallet > 0 else {
      throw SettingsError("the limit of live challenges must be above zero")
    }
    try PIDType.check(pidType)
    try proofing.validate()
  }

  /// Whether `name` consists of labels of a-z, 0-9 and '-', with no '-' at either end of a label
  /// (RFC 1123 section 2.1).
  public static func isHostName(_ name: String) -> Bool {
    (1...253).contains(name.utf8.count)
      && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
              UInt8(ascii: "-"):
              true
            default: false
            }
          }
      }
  }

  private func check(
    _ name: String, _ value: Int64, _ range: ClosedRange<Int64>
  ) throws(SettingsError) {
    guard range.contains(value) else {
      throw SettingsError(
        "the \(name) must be \(range.lowerBound / 1000) to \(range.upperBound / 1000) seconds,"
          + " not \(Double(value) / 1000)")
    }
  }
}
