internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletModel
internal import WalletPlatform

extension WalletSession {
  /// Tells hosts if cards are in another state than they were last told, and has the wallet look
  /// again when time alone changes the next one. A failure is only logged: the next look tells it.
  ///
  /// - Parameter areOthers: Whether a card came or went, which is told in any case.
  func lookAtCards(_ account: Account, areOthers: Bool = false) {
    if areOthers { context.cardWatch.tell() }
    context.attempt("cards", "Changes of cards are told later") { () throws(WalletError) in
      let now = context.updatePolicy.providerTime
      let changes = try account.cards.takeChanges(
        at: now, trusting: context.configuration.trustAnchors)
      if !changes.isEmpty, !areOthers { context.cardWatch.tell() }
      context.cardWatch.look(at: try account.cards.nextTurn(after: now), now: now)
    }
  }

  /// Looks at the cards in the background, if the wallet is unlocked. After each unlock that is done
  /// in any case.
  func lookAtCardsIfUnlocked(_ job: JobQueue.Job) {
    guard !context.lock.current.value.isLocked else { return }
    context.attempt("cards", "Changes of cards are told later") { () throws(WalletError) in
      lookAtCards(try account(job, creating: false))
    }
  }
}
