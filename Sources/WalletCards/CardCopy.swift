public import WalletCrypto
public import WalletModel
public import WalletProtocol

/// A copy of a card: the SD-JWT as the issuer made it, whose salts open its digests, and the
/// identifier of the platform key that it is bound to. With these it could be presented.
///
/// It is text in ordinary memory, because JSON and base64url are read and written as such, and what
/// is presented is a part of it. So it is opened only for a use that was counted, and dropped with it.
public struct CardCopy: Codable, Equatable, Sendable, RedactedDescription {
  /// The compact form, without key binding.
  public var credential: String
  public var keyIdentifier: String

  public init(credential: String, keyIdentifier: String) {
    self.credential = credential
    self.keyIdentifier = keyIdentifier
  }

  enum CodingKeys: String, CodingKey {
    case credential
    case keyIdentifier = "key_identifier"
  }
}

/// A copy of a card, sealed so that it is opened only with the provider's consent, which is given
/// after the owner's PIN. The vault key does not open it, so biometrics let the owner see a card,
/// but not use it.
///
/// The copy is sealed under a random slot key, and that under the provider's use key. To make a slot
/// needs no network.
public struct CardSlot: Equatable, Sendable {
  private static let tag = "wallet_core.slot.1"

  /// The id of the use key.
  public let useKeyID: String
  /// A `SlotKeyMessage`, sealed to the use key. The provider gets it and returns the slot key.
  public let sealedKey: [UInt8]
  private let box: [UInt8]

  /// What the provider needs to open it.
  public var reference: SlotReference {
    SlotReference(useKey: useKeyID, box: Base64URL.encode(sealedKey))
  }

  /// The form in which it is stored.
  private struct Record: Codable {
    var schema = 1
    var useKey: String
    var sealedKey: String
    var box: String

    enum CodingKeys: String, CodingKey {
      case schema, box
      case useKey = "use_key"
      case sealedKey = "sealed_key"
    }
  }

  /// Seals a copy.
  ///
  /// - Parameters:
  ///   - copyID: 16 random bytes.
  ///   - walletID: the id of the wallet at the provider.
  ///   - useKey: the provider's, from the signed configuration.
  /// - Throws: `configurationInvalid` if nothing can be sealed to the use key; `outOfResources`.
  public init(
    sealing copy: CardCopy, copyID: [UInt8], walletID: String, to useKey: PublishedKey
  ) throws(WalletError) {
    guard let recipient = Base64URL.decode(useKey.key), copyID.count == SlotKeyMessage.copyLength
    else { throw Self.useKeyRefused }
    do {
      let slotKey = try Secret.random(count: SlotKeyMessage.keyLength)
      var text = try WireJSON.encode(copy)
      defer { text.withUnsafeMutableBytes { Memory.wipe($0) } }
      box = try AuthenticatedBox.seal(
        Secret(copying: text), key: slotKey,
        associatedData: Self.associatedData(walletID, copyID, useKey.id))
      sealedKey = try SealedBox.seal(
        Self.message(slotKey, walletID: walletID, copyID: copyID), to: recipient)
    } catch CryptoError.outOfMemory {
      throw WalletError(.outOfResources, "Not enough guarded memory for a card.")
    } catch { throw Self.useKeyRefused }
    useKeyID = useKey.id
  }

  /// Reads a stored slot.
  ///
  /// - Throws: `storageCorrupt`.
  public init(stored: [UInt8]) throws(WalletError) {
    guard let record = try? WireJSON.decode(Record.self, from: stored), record.schema == 1,
      let sealedKey = Base64URL.decode(record.sealedKey), let box = Base64URL.decode(record.box)
    else { throw Self.corrupt }
    (self.sealedKey, self.box, useKeyID) = (sealedKey, box, record.useKey)
  }

  /// The form that is stored. It needs no further seal.
  public func stored() throws(WalletError) -> [UInt8] {
    do {
      return try WireJSON.encode(
        Record(
          useKey: useKeyID, sealedKey: Base64URL.encode(sealedKey), box: Base64URL.encode(box)))
    } catch { throw WalletError(.internalDefect, "A card's slot could not be encoded.") }
  }

  /// Opens the copy with the slot key that the provider returned.
  ///
  /// - Throws: `storageCorrupt` if the slot is of another copy or wallet, or does not open.
  public func open(
    with slotKey: Secret, copyID: [UInt8], walletID: String
  ) throws(WalletError) -> CardCopy {
    do {
      let text = try AuthenticatedBox.open(
        box, key: slotKey, associatedData: Self.associatedData(walletID, copyID, useKeyID))
      var bytes = text.disclosed()
      defer { bytes.withUnsafeMutableBytes { Memory.wipe($0) } }
      return try WireJSON.decode(CardCopy.self, from: bytes)
    } catch CryptoError.outOfMemory {
      throw WalletError(.outOfResources, "Not enough guarded memory for a card.")
    } catch { throw Self.corrupt }
  }

  private static func message(
    _ slotKey: Secret, walletID: String, copyID: [UInt8]
  ) throws -> Secret {
    let prefix = SlotKeyMessage.prefix(
      walletHash: Hash.sha256(Array(walletID.utf8)), copy: copyID)
    return try Secret(count: SlotKeyMessage.length) { target in
      target.copyBytes(from: prefix)
      slotKey.withBytes { key in
        UnsafeMutableRawBufferPointer(rebasing: target[prefix.count...]).copyMemory(from: key)
      }
    }
  }

  /// Each part is preceded by its length, so that no two triples have the same data.
  private static func associatedData(
    _ walletID: String, _ copyID: [UInt8], _ useKeyID: String
  ) -> [UInt8] {
    [Array(tag.utf8), Array(walletID.utf8), copyID, Array(useKeyID.utf8)].flatMap { part in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: part.count >> $0) } + part
    }
  }

  private static var useKeyRefused: WalletError {
    WalletError(
      .configurationInvalid,
      "The provider's configuration has no use key that cards can be sealed to."
    )
  }

  private static var corrupt: WalletError {
    WalletError(.storageCorrupt, "A stored card is unreadable.")
  }
}
