internal import WalletModel
internal import WalletPlatform

extension Flows {
  /// Takes the times and the authorities of a new configuration into account.
  func configurationChanged() {
    context.lock.limitsChanged()
    lookAtCards()
  }

  /// Looks in the background whether cards are in another state, if the wallet is unlocked: after an
  /// unlock, when the time has come, and when the configuration has changed.
  func lookAtCards() {
    guard !context.lock.current.value.isLocked else { return }
    jobs.addUntilDone(needs: .device) { session, job in session.lookAtCardsIfUnlocked(job) }
  }
}
