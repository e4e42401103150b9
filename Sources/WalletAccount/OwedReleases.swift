public import WalletModel
public import WalletStorage
internal import WalletCrypto
internal import WalletPlatform
internal import WalletProtocol

/// The claims that the user has left without the provider knowing yet, sealed under the account
/// key. The wallet tells the provider in the background, also after a restart. Only the next claim
/// has to wait until the provider was told.
struct OwedReleases: Codable, Equatable {
  /// The sessions at the provider, the oldest first.
  var sessions: [String]

  /// The maximum number of sessions. Older ones are forgotten, because they expire at the provider
  /// by themselves.
  static let limit = 16
  private static let name = "claims.owed"
  /// Plain marker, so that "is a claim to be released?" needs no key: 1 while there is a record.
  private static let marker = "claims.owed.open"

  static func areOpen(_ reader: SealedStore.Reader) throws -> Bool {
    try reader.marker(marker) == 1
  }

  static func load(_ reader: SealedStore.Reader, key: Secret) throws -> OwedReleases {
    guard let bytes = try reader.account(name, key: key) else { return OwedReleases(sessions: []) }
    return try bytes.record(OwedReleases.self)
  }

  func save(_ transaction: SealedStore.Transaction, key: Secret) throws {
    guard !sessions.isEmpty else {
      try transaction.deleteAccount(Self.name)
      return try transaction.deleteMarker(Self.marker)
    }
    try transaction.setAccount(Self.name, Secret(encoding: self), key: key)
    try transaction.setMarker(Self.marker, 1)
  }
}

extension Account {
  /// Whether the provider has to be told of claims that the user has left; needs no key.
  public static func owesReleases(in store: SealedStore) throws(WalletError) -> Bool {
    try store.read { try OwedReleases.areOpen($0) }
  }

  /// Ends the claim `session` on this device. The provider is told by `releaseOwedClaims()`.
  public func leaveClaim(_ session: String) throws(WalletError) {
    var owed = try store.read { try OwedReleases.load($0, key: accountKey) }
    if !owed.sessions.contains(session) { owed.sessions.append(session) }
    owed.sessions = owed.sessions.suffix(OwedReleases.limit)
    // The stored record is deleted only if it is of this session, because another session may have
    // started.
    let isStored = try proofing()?.session == session
    try store.transaction(label: "proofing.kept") { [owed] transaction in
      try owed.save(transaction, key: accountKey)
      if isStored { try transaction.deleteAccount(AccountRecords.proofing) }
    }
  }

  /// Tells the provider of the claims that the user has left.
  ///
  /// - Throws: If the provider cannot be reached, that error. The claims not yet released stay
  ///   owed.
  public func releaseOwedClaims() throws(WalletError) {
    var owed = try store.read { try OwedReleases.load($0, key: accountKey) }
    for session in owed.sessions {
      do throws(WalletError) {
        try releaseClaim(session)
      } catch  where error.kind == .serverRefused {
        // The provider has not signed that the claim is released, so nothing changes: the claim
        // stays owed.
        log(.info, "proofing", "A claim was not released: \(error.message)")
        continue
      }
      owed.sessions.removeAll { $0 == session }
      try save(owed)
    }
  }

  /// Removes the claim `session` from the owed releases, because the user claimed it again.
  public func forgetOwedRelease(of session: String) throws(WalletError) {
    var owed = try store.read { try OwedReleases.load($0, key: accountKey) }
    guard owed.sessions.contains(session) else { return }
    owed.sessions.removeAll { $0 == session }
    try save(owed)
  }

  private func save(_ owed: OwedReleases) throws(WalletError) {
    try store.transaction(label: "proofing.released") { transaction in
      try owed.save(transaction, key: accountKey)
    }
  }
}
