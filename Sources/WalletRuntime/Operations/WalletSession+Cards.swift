internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProofing
internal import WalletStorage

// Cards are read and used only while unlocked, and only if the wallet was not locked since the
// request.

extension WalletSession {
  /// The cards, in the order in which they are shown.
  func cards(_ job: JobQueue.Job) throws(WalletError) -> [Card] {
    let account = try account(job, creating: false)
    let now = context.updatePolicy.providerTime
    var cards: [Card] = []
    if let pid = try pid(of: account, job) {
      cards.append(pid.card(id: Account.pidName, now: now))
    } else if try account.hasPID() {
      // The PID and the flag that there is one are stored together, and flows and hosts rely on the
      // flag. So the flag without a PID is an error.
      throw WalletError(.storageCorrupt, "The stored PID is missing; wipe to start over.")
    }
    for record in try account.cards.records() {
      let content = try opened(try account.cards.content(of: record.id), job)
      cards.append(Card(record, try CardContent(stored: content), now: now))
    }
    return cards
  }

  /// Makes a presentation of a card and returns it in compact form.
  func present(
    _ card: String, disclosing claims: Set<String>, nonce: String, audience: String,
    _ job: JobQueue.Job
  ) throws(WalletError) -> String {
    let account = try account(job, creating: false)
    guard card == Account.pidName, let pid = try pid(of: account, job) else {
      // Throws if there is no such card.
      _ = try account.cards.record(of: card)
      throw WalletError(
        .invalidArgument, "Of the cards, wallet_core_present() presents only the PID.")
    }
    let key = PIDKey(identifier: pid.keyIdentifier, subjectKey: pid.holderKey)
    let presentation: String
    do {
      presentation = try pid.present(
        disclosing: claims, nonce: nonce, audience: audience,
        now: context.updatePolicy.providerTime, signer: account.signer(of: key))
    } catch {
      // The key may be gone only because a newer PID replaced this one while the platform was asked
      // to sign.
      guard error.kind == .cardKeyLost, try account.pidKeyIdentifier() != key.identifier else {
        throw error
      }
      return try present(
        card, disclosing: claims, nonce: nonce, audience: audience, job)
    }
    // Signing takes time: a presentation is not returned if the wallet was locked meanwhile.
    guard context.lock.epoch == job.gate.epoch else { throw Self.locked }
    return presentation
  }

  private func pid(of account: Account, _ job: JobQueue.Job) throws(WalletError) -> PIDCredential? {
    guard let sealed = try account.sealedPID() else { return nil }
    return try PIDCredential(stored: opened(sealed, job))
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
