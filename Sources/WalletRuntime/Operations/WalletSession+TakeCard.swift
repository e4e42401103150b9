internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletStorage
internal import WalletTrust

// Cards are taken only while unlocked: their content is sealed under the vault key.

extension WalletSession {
  /// Prepares keys for the copies of a card.
  func prepareCardKeys(_ count: Int, _ job: JobQueue.Job) throws(WalletError) {
    let account = try account(job, creating: false)
    _ = try account.cards.prepareKeys(
      count, for: .card, platform: context.platform, cancellation: job.cancellation)
  }

  /// Checks a card of another issuer and stores it.
  ///
  /// - Parameter copies: the copies, each an SD-JWT in compact form, bound to prepared keys.
  func takeCard(
    _ copies: [String], display: CardDisplay, _ job: JobQueue.Job
  ) throws(WalletError) {
    let account = try account(job, creating: false)
    let now = context.updatePolicy.providerTime
    let offered = try OfferedCard(
      copies, display: display,
      keys: account.cards.prepared(
        for: .card, platform: context.platform, cancellation: job.cancellation),
      anchors: context.configuration.trustAnchors, now: now)
    let place = try place(account)
    _ = try offered.store(
      in: account.cards, walletID: place.walletID, useKey: place.useKey, now: now
    ) { content, id throws(WalletError) in
      guard context.lock.epoch == job.gate.epoch else { throw Self.locked }
      guard let sealed = try sealed(content, id) else { throw Self.locked }
      return sealed
    }
    lookAtCards(account, areOthers: true)
  }

  /// Checks the PID that the provider has issued for `keys`, and stores it in place of an earlier
  /// one, together with the end of the proofing.
  ///
  /// - Returns: The record of the PID; nil if the wallet is locked.
  func takePID(
    _ copies: [String], keys: [CardKey], of account: Account, _ job: JobQueue.Job
  ) throws(WalletError) -> CardRecord? {
    let now = context.updatePolicy.providerTime
    let offered = try issued(copies, keys, now: now, job)
    try offered.requirePID(
      type: context.configuration.current.pidType, count: keys.count)
    let place = try place(account)
    var formerKeys: [String]?
    if try account.cards.storedPID() != nil {
      let known = try context.lock.withVaultKey { key throws(WalletError) in
        try Self.keysOfPID(account, key)
      }
      guard let known else { return nil }
      formerKeys = known
    }
    guard let content = try sealed(offered.content, CardStore.pid) else { return nil }
    let record = try offered.store(
      in: account.cards, as: CardStore.pid, replacing: formerKeys, walletID: place.walletID,
      useKey: place.useKey, now: now, with: account.forgetProofing
    ) { _, _ in content }
    lookAtCards(account, areOthers: true)
    return record
  }

  /// The keys of the PID's copies; none if its content is damaged, so that a new one can take its
  /// place.
  private static func keysOfPID(
    _ account: Account, _ vaultKey: Secret
  ) throws(WalletError) -> [String] {
    do throws(WalletError) {
      let content = try account.cards.content(of: CardStore.pid).open(key: vaultKey)
      return try CardContent(stored: content).keyIdentifiers
    } catch  where error.kind == .storageCorrupt { return [] }
  }

  /// Checks a PID against the anchors of the configuration and, if they do not fit, of a new one:
  /// the provider may have a new authority.
  private func issued(
    _ copies: [String], _ keys: [CardKey], now: Int64, _ job: JobQueue.Job
  ) throws(WalletError) -> OfferedCard {
    func offered() throws(WalletError) -> OfferedCard {
      try OfferedCard(
        copies, keys: keys, for: .pid, anchors: context.configuration.trustAnchors, now: now)
    }
    do { return try offered() } catch  where error.kind == .cardRefused {
      _ = turn.givenAway { context.refresher.refreshNow(cancellation: job.abort) }
    }
    do { return try offered() } catch  where error.kind == .cardRefused {
      throw WalletError(.serverRefused, "The provider's PID does not verify. \(error.message)")
    }
  }

  /// Where a card's copies are sealed to. As with the PIN, nothing is sealed to a key that may have
  /// been retired long ago.
  private func place(
    _ account: Account
  ) throws(WalletError) -> (walletID: String, useKey: PublishedKey) {
    guard let configuration = currentConfiguration.known else {
      throw WalletError(
        .serverUnreachable, "The configuration has expired; it is fetched before a card is taken.")
    }
    guard let useKey = configuration.useKeys.first else {
      throw WalletError(.configurationInvalid, "The provider's configuration has no use key.")
    }
    guard let walletID = try account.walletID() else { throw Self.notRegistered }
    return (walletID, useKey)
  }

  /// Seals the content of a card under the vault key; nil if the wallet is locked.
  private func sealed(
    _ content: CardContent, _ id: String
  ) throws(WalletError) -> SealedVaultValue? {
    try context.lock.withVaultKey { key throws(WalletError) in
      try content.sealed(card: id, key: key)
    }
  }

  /// Deletes a card of another issuer. Its keys are deleted with the next start. Those of a damaged
  /// card are not known; a wipe deletes them.
  func deleteCard(_ id: String, _ job: JobQueue.Job) throws(WalletError) {
    let account = try account(job, creating: false)
    let content = try content(of: id, account, job)
    try account.cards.delete(id, keys: content?.keyIdentifiers ?? [])
    lookAtCards(account, areOthers: true)
  }
}
