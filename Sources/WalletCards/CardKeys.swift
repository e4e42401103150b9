public import WalletAccount
public import WalletModel
public import WalletPlatform
internal import WalletProtocol
public import WalletStorage

/// What keys are prepared for. A key that one party has seen is not offered to another one, which
/// could tell by it that both deal with the same wallet.
public enum CardKeyPurpose: String, CaseIterable, Sendable {
  /// The PID, which the wallet's own provider issues.
  case pid
  /// A card of another issuer.
  case card

  /// The name of the list of identifiers in the store.
  var list: String { "\(rawValue).prepared-keys" }
}

extension CardStore {
  /// The maximum number of copies of a card.
  public static let maximumCopies = 100

  /// Prepares keys for the copies of a card. Keys that were prepared and not used are taken first.
  /// Identifiers are stored before the keys are made, so that a kill leaves no unknown key.
  ///
  /// - Throws: `cardKeyUnsupported` if the platform does not make P-256 keys; `invalidArgument` for
  ///   a count that is not 1 to 100.
  public func prepareKeys(
    _ count: Int, for purpose: CardKeyPurpose, platform: any PlatformBridges,
    cancellation: Cancellation
  ) throws(WalletError) -> [CardKey] {
    guard (1...Self.maximumCopies).contains(count) else {
      throw WalletError(.invalidArgument, "A card has 1 to \(Self.maximumCopies) copies.")
    }
    var identifiers = try preparedKeys(purpose)
    let missing = count - identifiers.count
    if missing > 0 {
      let new = (0..<missing).map { _ in Account.newKeyIdentifier(purpose.rawValue) }
      try store.transaction(label: "card.keys") { transaction in
        try Self.change(purpose.list, transaction) { $0 += new }
      }
      identifiers += new
    }
    // Each time: a kill may have prevented an earlier note.
    let wanted = Array(identifiers.prefix(count))
    try store.notePlatformKeys(wanted)
    let keys = try keys(wanted, platform: platform, cancellation: cancellation)
    guard keys.count == count else {
      // Other keys are made instead if the platform makes P-256 keys later.
      let unusable = wanted.filter { identifier in
        !keys.contains { $0.identifier == identifier }
      }
      try giveUp(unusable, purpose)
      throw WalletError(
        .cardKeyUnsupported,
        "The signing-key bridge makes Ed25519 keys. Cards need P-256 keys.")
    }
    return keys
  }

  /// The keys that are prepared and usable.
  public func prepared(
    for purpose: CardKeyPurpose, platform: any PlatformBridges, cancellation: Cancellation
  ) throws(WalletError) -> [CardKey] {
    try keys(try preparedKeys(purpose), platform: platform, cancellation: cancellation)
  }

  /// Gives up all prepared keys, so that others are made: the platform has lost one of them.
  public func giveUpPreparedKeys(_ purpose: CardKeyPurpose) throws(WalletError) {
    try giveUp(try preparedKeys(purpose), purpose)
  }

  private func giveUp(
    _ keys: [String], _ purpose: CardKeyPurpose
  ) throws(WalletError) {
    try store.transaction(label: "card.keys-given-up") { transaction in
      try Self.change(purpose.list, transaction) { $0.removeAll(where: keys.contains) }
      try Self.change(Self.releasedKeys, transaction) { $0 += keys }
    }
  }

  /// The identifiers of keys of deleted cards that the platform has not deleted yet; needs no key.
  public static func releasedKeys(in store: SealedStore) throws(WalletError) -> [String] {
    try store.read { try Self.identifiers(Self.releasedKeys, $0) }
  }

  /// Forgets released keys that are noted as orphans, so that they are deleted in time.
  public static func forgetReleasedKeys(
    _ keys: [String], in store: SealedStore
  ) throws(WalletError) {
    try store.transaction(label: "card.keys-released") { transaction in
      try change(Self.releasedKeys, transaction) { $0.removeAll(where: keys.contains) }
    }
  }

  private func preparedKeys(_ purpose: CardKeyPurpose) throws(WalletError) -> [String] {
    try store.read { try Self.identifiers(purpose.list, $0) }
  }

  /// Those of the keys that are P-256 keys.
  private func keys(
    _ identifiers: [String], platform: any PlatformBridges, cancellation: Cancellation
  ) throws(WalletError) -> [CardKey] {
    var keys: [CardKey] = []
    for identifier in identifiers {
      let key = try HardwareKey.fetch(
        identifier: identifier, platform: platform, cancellation: cancellation)
      guard key.subjectKey.algorithm == .es256 else { continue }
      keys.append(CardKey(identifier: identifier, subjectKey: key.subjectKey))
    }
    return keys
  }

  /// Changes a list of identifiers.
  static func change(
    _ name: String, _ transaction: SealedStore.Transaction, _ change: (inout [String]) -> Void
  ) throws {
    var list = try identifiers(name, transaction)
    change(&list)
    guard !list.isEmpty else { return try transaction.deleteKeyring(name) }
    try transaction.setKeyring(name, Array(list.joined(separator: "\n").utf8))
  }

  private static func identifiers(
    _ name: String, _ reader: SealedStore.Reader
  ) throws -> [String] {
    guard let text = try reader.keyring(name) else { return [] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
