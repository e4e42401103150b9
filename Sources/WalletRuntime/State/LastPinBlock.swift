internal import WalletConfiguration
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

/// The last known block of the PIN.
enum LastPinBlock: Sendable {
  /// From an earlier process. Its age follows from the provider's time, since no other clock
  /// survives a restart.
  case stored(PinBlock)
  /// Known since this time on the core's clock. Neither the device's calendar nor an answer of the
  /// provider changes its age any more.
  case since(Milliseconds, duration: Milliseconds?)
}

extension WalletContext {
  /// The last known block of the PIN, unless it is over.
  ///
  /// - Parameter now: The time on the core's clock.
  func pinBlock(now: Milliseconds) -> KnownBlock? {
    let block: KnownBlock
    switch storage.pinBlock {
    case nil: return nil
    case .since(let toldAt, let duration): block = KnownBlock(toldAt: toldAt, duration: duration)
    case .stored(let stored):
      let (seconds, overflow) = updatePolicy.providerTime.subtractingReportingOverflow(
        stored.toldAt)
      let age = overflow ? 0 : min(max(0, seconds), PinBlock.longestDuration) * 1000
      block = KnownBlock(toldAt: now &- age, duration: stored.duration)
      // Until the provider has answered in this process, its time may come from a wrong calendar.
      // If that calendar shows a time before the block, the block counts from now on, so that it
      // ends at all.
      if updatePolicy.hasAnswer || seconds < 0 {
        storage.settlePinBlock(stored, .since(block.toldAt, duration: block.duration))
      }
    }
    return block.isOver(now: now) ? nil : block
  }
}
