public import WalletModel
internal import WalletPlatform
internal import WalletProtocol
public import WalletStorage

/// What the provider says of the PIN without one.
public struct PinStateResult: Sendable {
  public let state: PinState
  /// Wrong PINs that the owner has not been told of. Whoever tells them calls `Account.noteTold`.
  public let failures: PinFailures?
}

// Whether the provider accepts a PIN: its own answer, and the last block that it told of.
extension Account {
  /// Asks the provider whether it accepts a PIN. Costs no attempt: only the hardware key signs.
  ///
  /// - Parameter requireAllowed: Called right before the question is sent; throws to send nothing.
  public func pinState(
    if requireAllowed: () throws(WalletError) -> Void
  ) throws(WalletError) -> PinStateResult {
    try translating {
      try requireNotCancelled()
      let failures = Monitor<FailedAttempts?>(nil)
      var asking = self
      asking.whenFailuresTold = { told in failures.withLock { $0 = told } }
      let outcome = try asking.performPlain(
        .pinState, try confirmedRegistration(), if: requireAllowed)
      return PinStateResult(
        state: try Self.state(outcome), failures: try untold(failures.withLock { $0 }))
    }
  }

  private static func state(_ outcome: InstructionOutcome) throws(WalletError) -> PinState {
    switch outcome {
    case .notBlocked(let attemptsLeft, let finalRound):
      return .notBlocked(attemptsLeft: attemptsLeft, finalRound: finalRound)
    case .blocked(let milliseconds, _): return .blocked(milliseconds: milliseconds)
    case .blockedPermanently: return .blockedPermanently
    default:
      throw WalletError(
        .serverRefused, "The provider's answer does not fit a question about the PIN.")
    }
  }

  /// Returns the last known block of the PIN; needs no key.
  public static func pinBlock(in store: SealedStore) throws(WalletError) -> PinBlock? {
    try store.read { reader in
      guard let toldAt = try reader.marker(AccountRecords.pinBlockToldMarker) else { return nil }
      return PinBlock(
        toldAt: toldAt, duration: try reader.marker(AccountRecords.pinBlockDurationMarker))
    }
  }

  /// Stores the last known block of the PIN, or that there is none; needs no key.
  public static func setPinBlock(
    _ block: PinBlock?, in store: SealedStore
  ) throws(WalletError) {
    try store.transaction(label: "pin-block.told") { transaction in
      try AccountRecords.deletePinBlock(transaction)
      guard let block else { return }
      try transaction.setMarker(AccountRecords.pinBlockToldMarker, block.toldAt)
      guard let duration = block.duration else { return }
      try transaction.setMarker(AccountRecords.pinBlockDurationMarker, duration)
    }
  }
}
