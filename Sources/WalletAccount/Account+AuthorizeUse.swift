public import WalletCrypto
public import WalletModel
public import WalletProtocol

/// What became of the slot of a copy.
public enum OpenedSlot: Sendable {
  /// The key that opens the copy.
  case opened(Secret)
  /// The provider has lost or given up the key that the slot is sealed to.
  case keyLost
  /// The slot is not one of this wallet, or was changed.
  case closed
}

/// The provider's answer to a PIN that authorises a use of cards.
public struct UseAuthorization {
  public let check: PinCheck
  /// As in `PinCheckResult`.
  public let wasCounted: Bool
  /// In the order of the request; only with `.valid`.
  public fileprivate(set) var slots: [OpenedSlot] = []
  /// As in `PinCheckResult`.
  public fileprivate(set) var failures: PinFailures?
}

extension Account {
  /// Lets the provider check `pin` and, if it is right, open the slots of the copies that are to be
  /// used. The provider keeps nothing of it, so an answer that is lost costs at most the attempt.
  ///
  /// - Parameters:
  ///   - act: The salted hash of what is done.
  ///   - slots: At most `UsePayload.maximumSlots`.
  ///   - requireAllowed: Called right before the PIN is sent; throws to send nothing.
  public func authorizeUse(
    _ pin: Pin, for purpose: UsePurpose, act: [UInt8], slots: [SlotReference],
    if requireAllowed: () throws(WalletError) -> Void
  ) throws(WalletError) -> UseAuthorization {
    try translating {
      let (record, _, stretched) = try stretch(pin)
      let recipient = try SealedBox.Recipient()
      let (outcome, _) = try attempt(.authorizeUse, stretched, record, if: requireAllowed) { _ in
        try PinMessage.payload(
          shareRecipient: recipient.publicKey, purpose: purpose, act: act, slots: slots)
      }
      var result = UseAuthorization(
        check: try Self.check(outcome), wasCounted: Self.isCountedBlock(outcome))
      switch outcome {
      case .authorized(let verdicts, let keys, let failures):
        result.slots = try recipient.openSlots(verdicts, keys: keys, count: slots.count)
        result.failures = try untold(failures)
      case .valid:
        throw WalletError(.serverRefused, "The provider's answer does not fit a use of cards.")
      default: break
      }
      return result
    }
  }
}

extension SealedBox.Recipient {
  /// Opens the keys of slots, which were sealed together.
  ///
  /// - Parameter count: the number of slots in the request.
  fileprivate func openSlots(
    _ verdicts: [SlotVerdict], keys: String, count: Int
  ) throws -> [OpenedSlot] {
    let length = SlotKeyMessage.keyLength
    let opened = verdicts.count { $0 == .opened }
    let content = try openAnswer(keys)
    guard verdicts.count == count, content.count == opened * length else {
      throw WalletError(
        .serverRefused,
        "The provider's answer does not have the keys of the slots; nothing was used.")
    }
    var next = 0
    return try verdicts.map { verdict in
      switch verdict {
      case .unknownKey: return .keyLost
      case .doesNotOpen: return .closed
      case .opened:
        defer { next += length }
        return .opened(
          try content.withBytes { bytes in
            try Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[next..<next + length]))
          })
      }
    }
  }
}
