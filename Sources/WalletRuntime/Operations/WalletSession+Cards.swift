internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

// Cards are read only while unlocked, and only if the wallet was not locked since the request.

extension WalletSession {
  /// The cards, in the order in which they are shown.
  func cards(_ job: JobQueue.Job) throws(WalletError) -> [Card] {
    let account = try account(job, creating: false)
    let now = context.updatePolicy.providerTime
    let anchors = context.configuration.trustAnchors
    return try account.cards.all().map { card throws(WalletError) in
      Card(card, try content(of: card.id, account, job), trusting: anchors, now: now)
    }
  }

  /// The content of a card; nil if it is damaged, which must not hide the other cards.
  func content(
    of card: String, _ account: Account, _ job: JobQueue.Job
  ) throws(WalletError) -> CardContent? {
    do throws(WalletError) {
      return try CardContent(stored: opened(account.cards.content(of: card), job))
    } catch  where error.kind == .storageCorrupt { return nil }
  }

  /// Opens a value of the vault, unless the wallet was locked since the request.
  func opened(
    _ sealed: SealedVaultValue, _ job: JobQueue.Job
  ) throws(WalletError) -> Secret {
    guard context.lock.epoch == job.gate.epoch else { throw Self.locked }
    let opened = try context.lock.withVaultKey { key throws(WalletError) in
      try sealed.open(key: key)
    }
    guard let opened else { throw Self.locked }
    return opened
  }
}
