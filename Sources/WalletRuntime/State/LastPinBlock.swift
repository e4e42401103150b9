internal import WalletConfiguration
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

/// The last known block of the PIN.
enum LastPinBlock: Sendable {
  /// An earlier process has stored the block. How old the block is follows from the provider's
  /// time, because no other clock survives a restart.
  case stored(PinBlock)
  /// The block began to count at this time on the core's clock. Neither the device's calendar nor
  /// an answer of the provider changes how old it is any more.
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
      // Until the provider has answered with the nonce of a request in this process, `providerTime` may
      // come from a device calendar that is wrong. A time before the block does not tell how old the
      // block is. The
      // block then counts from now on, so that it does end.
      if updatePolicy.hasAnswer || seconds < 0 {
        storage.settlePinBlock(stored, .since(block.toldAt, duration: block.duration))
      }
    }
    return block.isOver(now: now) ? nil : block
  }
}
