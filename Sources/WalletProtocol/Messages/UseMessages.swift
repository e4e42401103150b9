// The messages by which the owner's PIN authorises one use of cards.

/// What a use of cards is for.
public enum UsePurpose: String, Codable, Sendable, CaseIterable {
  /// Cards are shown to a verifier.
  case presentation
}

/// The slot of a copy of a card, as far as the provider needs it.
public struct SlotReference: Codable, Equatable, Sendable {
  /// The id of the use key that `box` is sealed to.
  public var useKey: String
  /// Base64url of a `SlotKeyMessage`, sealed to the use key.
  public var box: String

  public init(useKey: String, box: String) {
    self.useKey = useKey
    self.box = box
  }

  enum CodingKeys: String, CodingKey {
    case box
    case useKey = "use_key"
  }
}

/// What became of a slot. A slot that stays closed is no reason to refuse the others.
public enum SlotVerdict: String, Codable, Sendable, CaseIterable {
  case opened
  /// The provider has no such use key (any more).
  case unknownKey = "unknown_key"
  /// The box is not sealed to this key, was changed, or is not of this wallet.
  case doesNotOpen = "does_not_open"
}

/// The inner payload of `authorize_use`.
public struct UsePayload: Codable, Equatable, Sendable {
  /// The maximum number of slots.
  public static let maximumSlots = 16
  /// The length of `act` in bytes.
  public static let actLength = 32

  /// As in `PinPayload`; the keys of the slots are sealed to it.
  public var shareRecipient: String
  public var purpose: UsePurpose
  /// Base64url of a SHA-256 of what is done and 32 random bytes that never leave the wallet. So the
  /// PIN is given for this act alone, and nobody can recognise the act by the hash.
  public var act: String
  /// One for each copy that is used, at most `maximumSlots`.
  public var slots: [SlotReference]

  public init(shareRecipient: String, purpose: UsePurpose, act: String, slots: [SlotReference]) {
    self.shareRecipient = shareRecipient
    self.purpose = purpose
    self.act = act
    self.slots = slots
  }

  enum CodingKeys: String, CodingKey {
    case purpose, act, slots
    case shareRecipient = "share_recipient"
  }
}
