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
    var cards: [Card] = []
    for record in try account.cards.records() {
      let content = try opened(try account.cards.content(of: record.id), job)
      cards.append(Card(record, try CardContent(stored: content), now: now))
    }
    return cards
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
