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
    var cards: [Card] = []
    try forEachCard(account, job) { card, content throws(WalletError) in
      cards.append(Card(card, content, trusting: anchors, now: now))
    }
    return cards
  }

  /// Calls `body` with each card, in the order in which they are shown, and with its content; nil if
  /// that is damaged, which must not hide the other cards.
  func forEachCard(
    _ account: Account, _ job: JobQueue.Job,
    _ body: (StoredCard, CardContent?) throws(WalletError) -> Void
  ) throws(WalletError) {
    let (cards, contents) = try account.cards.allWithContents()
    try openEach(contents, job) { index, stored throws(WalletError) in
      try body(cards[index], stored.flatMap { try? CardContent(stored: $0) })
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

  /// Opens values of the vault, unless the wallet was locked since the request, and calls `body` with
  /// each, in order; with nil for one that is nil or damaged.
  func openEach(
    _ values: [SealedVaultValue?], _ job: JobQueue.Job,
    _ body: (Int, UnsafeRawBufferPointer?) throws(WalletError) -> Void
  ) throws(WalletError) {
    try SealedVaultValue.openEach(
      values,
      withKey: { open throws(WalletError) in
        guard context.lock.epoch == job.gate.epoch else { throw Self.locked }
        let opened: Void? = try context.lock.withVaultKey { key throws(WalletError) in
          try open(key)
        }
        guard opened != nil else { throw Self.locked }
      }, body)
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
