import Crypto
import Foundation
import WalletAccount
import WalletCards
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletStorage
import XCTest

/// A platform that makes P-256 keys, or Ed25519 keys.
final class TestKeyStore: PlatformBridges {
  private let keys = Monitor<[String: P256.Signing.PrivateKey]>([:])
  private let makesEd25519: Bool

  let areReady = true
  let rules = PlatformRules.android

  init(makesEd25519: Bool = false) { self.makesEd25519 = makesEd25519 }

  var identifiers: [String] { keys.withLock { $0.keys.sorted() } }

  func perform(
    _ request: BridgeRequest, cancellation: Cancellation
  ) throws(BridgeFailure) -> Secret {
    guard case .publicKey(let identifier) = request else { throw .missing }
    do {
      if makesEd25519 {
        let key = try SubjectPublicKey(
          ed25519: Array(Curve25519.Signing.PrivateKey().publicKey.rawRepresentation))
        return try Secret(copying: key.der)
      }
      let key = keys.withLock { keys in
        let key = keys[identifier] ?? P256.Signing.PrivateKey()
        keys[identifier] = key
        return key
      }
      return try Secret(copying: Array(key.publicKey.derRepresentation))
    } catch { throw .missing }
  }
}

/// A device with a store of cards, and the provider's use key.
final class CardDevice {
  static let walletID = "wallet-1"

  let keyStore = TestKeyStore()
  let accountKey: Secret
  let vaultKey: Secret
  let recipient: SealedBox.Recipient
  let path: String
  /// Where the files were copied to at each crash point, which is what a killed process leaves.
  let copies = Monitor<[(point: String, path: String)]>([])
  private(set) var store: SealedStore

  init(for test: XCTestCase, watchingCrashPoints: Bool = false) throws {
    accountKey = try Secret.random(count: 32)
    vaultKey = try Secret.random(count: 32)
    recipient = try SealedBox.Recipient()
    let root = NSTemporaryDirectory() + "wallet-cards-" + UUID().uuidString
    path = root + "/wallet"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    test.addTeardownBlock { try? FileManager.default.removeItem(atPath: root) }
    var environment = SystemEnvironment()
    if watchingCrashPoints {
      environment.passCrashPoint = { [copies, path] point in
        let target = root + "/" + UUID().uuidString
        try? FileManager.default.copyItem(atPath: path, toPath: target)
        copies.withLock { $0.append((point, target)) }
      }
    }
    store = try SealedStore.open(in: StorageDirectory(path: path, environment: environment))
  }

  var cards: CardStore { CardStore(store: store, accountKey: accountKey) }
  var useKey: PublishedKey {
    PublishedKey(id: "use-1", key: Base64URL.encode(recipient.publicKey))
  }

  /// The cards in a copy of the files.
  func cards(at path: String) throws -> CardStore {
    CardStore(
      store: try SealedStore.open(in: StorageDirectory(path: path)), accountKey: accountKey)
  }

  func prepare(_ count: Int, for purpose: CardKeyPurpose = .card) throws -> [CardKey] {
    try cards.prepareKeys(
      count, for: purpose, platform: keyStore, cancellation: Cancellation())
  }

  /// Takes a card of several copies.
  @discardableResult
  func take(
    _ issuer: TestIssuer, _ recipes: [TestIssuer.Recipe],
    display: CardDisplay = CardDisplay(name: "Library card")
  ) throws -> String {
    let keys = try prepare(recipes.count)
    let texts = try zip(recipes, keys).map { try issuer.card($0, holder: $1.subjectKey) }
    let offered = try OfferedCard(
      texts, display: display, keys: keys, anchors: issuer.anchors, now: TestIssuer.now)
    return try store(offered)
  }

  /// Chooses a copy and counts its use.
  func use(_ id: String, at now: Int64 = TestIssuer.now) throws -> ChosenCopy {
    let chosen = try cards.chooseCopies(of: [id], at: now)
    try cards.countUses(chosen, at: now)
    return chosen[0]
  }

  func store(_ offered: OfferedCard) throws -> String {
    try offered.store(
      in: cards, walletID: Self.walletID, useKey: useKey, now: TestIssuer.now
    ) { [vaultKey] content, id throws(WalletError) in
      try content.sealed(card: id, key: vaultKey)
    }.id
  }

  func content(of id: String, in cards: CardStore? = nil) throws -> CardContent {
    try CardContent(stored: (cards ?? self.cards).content(of: id).open(key: vaultKey))
  }

  /// Opens a slot as the provider does: returns what is in front of the key, and the key.
  func opened(_ slot: CardSlot) throws -> (prefix: [UInt8], key: Secret) {
    let message = try recipient.open(slot.sealedKey).disclosed()
    XCTAssertEqual(message.count, SlotKeyMessage.length)
    return (Array(message.dropLast(32)), try Secret(copying: Array(message.suffix(32))))
  }
}
