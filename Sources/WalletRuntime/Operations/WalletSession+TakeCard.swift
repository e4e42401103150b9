internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletStorage
internal import WalletTrust

// Cards of other issuers are taken only while unlocked: their content is sealed under the vault key.

extension WalletSession {
  /// Prepares keys for the copies of a card.
  func prepareCardKeys(_ count: Int, _ job: JobQueue.Job) throws(WalletError) {
    let account = try account(job, creating: false)
    _ = try account.cards.prepareKeys(
      count, platform: context.platform, cancellation: job.cancellation)
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
      keys: account.cards.prepared(platform: context.platform, cancellation: job.cancellation),
      anchors: context.configuration.trustAnchors, now: now)
    // As with the PIN: nothing is sealed to a key that may have been retired long ago.
    guard let configuration = currentConfiguration.known else {
      throw WalletError(
        .serverUnreachable, "The configuration has expired; it is fetched before a card is taken.")
    }
    guard let useKey = configuration.useKeys.first else {
      throw WalletError(.configurationInvalid, "The provider's configuration has no use key.")
    }
    guard let walletID = try account.walletID() else { throw Self.notRegistered }
    _ = try offered.store(in: account.cards, walletID: walletID, useKey: useKey, now: now) {
      content, id throws(WalletError) in
      guard context.lock.epoch == job.gate.epoch else { throw Self.locked }
      let sealed = try context.lock.withVaultKey { key throws(WalletError) in
        try content.sealed(card: id, key: key)
      }
      guard let sealed else { throw Self.locked }
      return sealed
    }
  }

  /// Deletes a card of another issuer. Its keys are deleted in the background.
  func deleteCard(_ id: String, _ job: JobQueue.Job) throws(WalletError) {
    let account = try account(job, creating: false)
    let content = try CardContent(stored: opened(account.cards.content(of: id), job))
    try account.cards.delete(id, keys: content.keyIdentifiers)
  }
}
