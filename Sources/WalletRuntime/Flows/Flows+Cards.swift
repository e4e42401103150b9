internal import WalletModel
internal import WalletPlatform

extension Flows {
  /// Looks in the background whether cards are in another state, if the wallet is unlocked: after an
  /// unlock, when the time has come, and when the configuration has changed.
  func configurationChanged() {
    context.lock.limitsChanged()
    lookAtCards()
  }

  func lookAtCards() {
    guard !context.lock.current.value.isLocked else { return }
    jobs.addUntilDone(needs: .device) { session, job in session.lookAtCardsIfUnlocked(job) }
  }
}
