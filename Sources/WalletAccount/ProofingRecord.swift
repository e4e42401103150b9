#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import WalletCrypto
public import WalletModel
public import WalletProtocol
public import WalletStorage

/// What the device stores of a claimed enrolment code, sealed under the account key: enough to
/// continue after a restart, and no personal data but the masked label of the account.
public struct ProofingRecord: Codable, Equatable, Sendable {
  public enum Stage: String, Codable, Sendable {
    /// The code is claimed.
    case claimed
    /// Evidence was sent, or may have been.
    case submitted
    /// The verdict is positive; the PID has to be fetched.
    case proofed
  }

  public var stage = Stage.claimed
  /// The session at the provider.
  public var session: String
  public var accountLabel: String
  /// How often a licence may still fail, as far as the provider has counted.
  private var attemptsLeftAtProvider: UInt32
  /// How many licences failed on the device, which the provider never learns; nil in records of
  /// earlier versions.
  private var failedScans: UInt32?
  public var kinds: [LicenceKind]
  public var countries: [LicenceCountry]
  public var minimumAge: Int
  public var maximumAge: Int
  /// When the session ends, in seconds since 1970 by the provider's clock. The provider decides
  /// when it really ends.
  public var expiresAt: Int64

  /// How often a licence may still fail, on the device or at the provider.
  public var attemptsLeft: UInt32 {
    attemptsLeftAtProvider - min(attemptsLeftAtProvider, failedScans ?? 0)
  }

  /// - Parameter now: seconds since 1970 by the provider's clock.
  public init(_ session: ProofingSession, now: Int64) {
    self.session = session.id
    accountLabel = session.accountLabel
    attemptsLeftAtProvider = session.attemptsLeft
    kinds = session.kinds
    countries = session.countries
    minimumAge = session.minimumAge
    maximumAge = session.maximumAge
    expiresAt = Self.end(of: session.expiresInMilliseconds, now: now)
  }

  /// Updates the record with what the provider says of the session.
  public mutating func note(_ status: ProofingStatus, now: Int64) {
    if let left = status.attemptsLeft { attemptsLeftAtProvider = left }
    if let life = status.expiresInMilliseconds { expiresAt = Self.end(of: life, now: now) }
  }

  /// Counts a licence that failed before anything was sent.
  public mutating func noteFailedScan() {
    guard attemptsLeft > 0 else { return }
    failedScans = (failedScans ?? 0) + 1
  }

  private static func end(of life: UInt64, now: Int64) -> Int64 {
    let (end, overflow) = now.addingReportingOverflow(Int64(clamping: life / 1000))
    return overflow ? .max : end
  }

  enum CodingKeys: String, CodingKey {
    case stage, session, kinds, countries
    case accountLabel = "account_label"
    case attemptsLeftAtProvider = "attempts_left"
    case failedScans = "failed_scans"
    case minimumAge = "minimum_age"
    case maximumAge = "maximum_age"
    case expiresAt = "expires_at"
  }
}

extension Account {
  /// Returns the proofing in progress; nil if there is none.
  public func proofing() throws(WalletError) -> ProofingRecord? {
    try store.read { try $0.account(AccountRecords.proofing, key: accountKey) }?
      .record(ProofingRecord.self)
  }

  /// Writes a few bytes to test whether a proofing could be stored.
  public func checkSpace() throws(WalletError) {
    try store.transaction(label: "proofing.checked") { transaction in
      let count = try transaction.marker(AccountRecords.proofingChecks) ?? 0
      try transaction.setMarker(AccountRecords.proofingChecks, (count + 1) % 2)
    }
  }

  /// Deletes the record in a transaction that also stores what the proofing led to.
  public func forgetProofing(_ transaction: SealedStore.Transaction) throws {
    try transaction.deleteAccount(AccountRecords.proofing)
  }

  /// Stores `record`, or deletes the stored one if nil.
  public func keep(_ record: ProofingRecord?) throws(WalletError) {
    try store.transaction(label: "proofing.kept") { transaction in
      guard let record else { return try transaction.deleteAccount(AccountRecords.proofing) }
      try transaction.setAccount(
        AccountRecords.proofing, Secret(encoding: record), key: accountKey)
    }
  }
}
