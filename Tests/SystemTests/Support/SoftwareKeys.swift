import CWalletCore
import Crypto
import Foundation
import TestSupport
import WalletCrypto

/// The platform of a test: both key stores behind the three C bridges. Keys are in memory, and in
/// files too if a directory is given, so that they survive a kill as in a device's key store.
final class SoftwareKeys: @unchecked Sendable {
  // Sendable: the dictionaries are touched only with `lock` held.
  private let lock = NSLock()
  private var signing: [String: SigningKey] = [:]
  private var encryption: [String: Secret] = [:]
  private var counts: [String: Int] = [:]
  private var storagePath: String?
  /// The kinds of keys that cannot be deleted, as prefixes of their files.
  private var undeletable: Set<String> = []
  private var isSilentOnDeletion = false
  /// The status with which signing with keys of a prefix fails.
  private var signingRefusal: (prefix: String, status: wallet_core_bridge_status)?
  private let files: URL?
  /// Keys of cards, and those that the next cards get.
  private var cardKeys: [String: P256.Signing.PrivateKey] = [:]
  private var givenCardKeys: [P256.Signing.PrivateKey] = []
  /// Called before the platform signs with the key of a card; to be set while it does not.
  var beforeCardSigns: (@Sendable () -> Void)?
  /// Called before the platform signs with any key; to be set while it does not.
  var beforeSigns: (@Sendable () -> Void)?
  /// Whether keys of PIDs are P-256 keys, as those of phones are; otherwise Ed25519 keys.
  var makesP256 = true
  /// Whether the platform has biometrics; to be set before `connect`.
  var hasBiometrics = false
  /// The biometric prompts.
  let prompts = BiometricPrompts()

  init(storagePath: String? = nil, files: URL? = nil) {
    self.storagePath = storagePath
    self.files = files
    guard let files else { return }
    for (file, seed) in Self.seeds(in: files) {
      guard let secret = try? Secret(copying: seed) else { continue }
      if let identifier = Self.identifier(file, after: "signing-") {
        signing[identifier] = try? SigningKey(identifier, seed: secret)
      } else if let identifier = Self.identifier(file, after: "encryption-") {
        encryption[identifier] = secret
      }
    }
  }

  /// The keys in the files of a key directory, by file name: `signing-<identifier>` and
  /// `encryption-<identifier>`, 32 bytes each.
  static func seeds(in files: URL) -> [String: [UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        (try? Data(contentsOf: files.appendingPathComponent(name))).map { (name, Array($0)) }
      })
  }

  private static func identifier(_ file: String, after prefix: String) -> String? {
    file.hasPrefix(prefix) ? String(file.dropFirst(prefix.count)) : nil
  }

  private func keep(_ name: String, _ seed: Secret) throws {
    guard let files else { return }
    try Data(seed.disclosed()).write(to: files.appendingPathComponent(name), options: .atomic)
  }

  func loseKeys() {
    lock.withLock {
      signing = [:]
      encryption = [:]
    }
  }

  /// Sets what the utilities bridge answers from the next `connect` on.
  func setStoragePath(_ path: String) { lock.withLock { storagePath = path } }

  /// Makes the next cards' keys these ones. Without any the platform makes Ed25519 keys only.
  func give(cardKeys: [P256.Signing.PrivateKey]) { lock.withLock { givenCardKeys += cardKeys } }

  var cardKeyCount: Int { lock.withLock { cardKeys.count } }

  /// Deletes the signing keys with this prefix, as a device that loses them.
  func loseSigningKeys(_ prefix: String) {
    lock.withLock { signing = signing.filter { !$0.key.hasPrefix(prefix) } }
  }

  /// Makes the platform lose the keys of cards.
  func loseCardKeys() { lock.withLock { cardKeys = [:] } }

  /// Makes signing with keys of this prefix fail with this status from now on; OK ends that.
  func refuseSigning(with prefix: String, _ status: wallet_core_bridge_status) {
    lock.withLock { signingRefusal = status == WALLET_CORE_BRIDGE_OK ? nil : (prefix, status) }
  }

  /// Replies with the refusal, if there is one. Returns whether it did.
  fileprivate func refuseSigning(_ call: UInt64, _ identifier: String) -> Bool {
    let refusal = lock.withLock { signingRefusal }
    guard let refusal, identifier.hasPrefix(refusal.prefix) else { return false }
    _ = wallet_core_bridge_reply(call, refusal.status, nil, 0, "not now")
    return true
  }

  /// The identifiers of the signing keys with this prefix.
  func signingKeys(_ prefix: String) -> Set<String> {
    lock.withLock { Set(signing.keys.filter { $0.hasPrefix(prefix) }) }
  }

  /// Makes these kinds of keys, "signing-" or "encryption-", undeletable from now on.
  func refuseDeletion(of kinds: Set<String>) { lock.withLock { undeletable = kinds } }

  /// From now on the deletion of an undeletable key gets no reply.
  func keepSilentOnDeletion() { lock.withLock { isSilentOnDeletion = true } }

  fileprivate func refuse(_ call: UInt64) {
    guard !lock.withLock({ isSilentOnDeletion }) else { return }
    _ = wallet_core_bridge_reply(
      call, wallet_core_bridge_status(-1007), nil, 0, "the key store is stuck")
  }

  /// Sets whether keys can be deleted.
  func refuseDeletion(_ refuses: Bool) {
    refuseDeletion(of: refuses ? ["signing-", "encryption-"] : [])
  }

  /// The encryption keys whose identifier has this prefix.
  func encryptionKeys(_ prefix: String) -> [String: Secret] {
    lock.withLock { encryption.filter { $0.key.hasPrefix(prefix) } }
  }

  /// Restores keys, as a device's backup might.
  func putBack(_ keys: [String: Secret]) {
    lock.withLock { encryption.merge(keys) { _, new in new } }
  }

  var keyCount: Int { lock.withLock { signing.count + encryption.count } }

  func calls(of name: String) -> Int { lock.withLock { counts[name] ?? 0 } }

  private func count(_ name: String) { counts[name, default: 0] += 1 }

  private func cardKey(_ identifier: String) -> P256.Signing.PrivateKey? {
    if let key = cardKeys[identifier] { return key }
    guard !givenCardKeys.isEmpty else { return nil }
    let key = givenCardKeys.removeFirst()
    cardKeys[identifier] = key
    return key
  }

  private func signingKey(_ identifier: String) throws -> SigningKey {
    if let key = signing[identifier] { return key }
    let seed = try Secret.random(count: 32)
    let key = try SigningKey(identifier, seed: seed, makesP256: makesP256)
    try keep("signing-" + identifier, seed)
    signing[identifier] = key
    return key
  }

  fileprivate func publicKey(_ identifier: String) -> [UInt8]? {
    lock.withLock {
      count("public_key")
      if identifier.hasPrefix("wallet_core.card."), let key = cardKey(identifier) {
        return Array(key.publicKey.derRepresentation)
      }
      return (try? signingKey(identifier))?.publicKey
    }
  }

  fileprivate func sign(_ identifier: String, _ payload: [UInt8]) -> [UInt8]? {
    beforeSigns?()
    if lock.withLock({ cardKeys[identifier] != nil }) { beforeCardSigns?() }
    return lock.withLock {
      count("sign")
      if let key = cardKeys[identifier] {
        return (try? key.signature(for: payload)).map { Array($0.derRepresentation) }
      }
      return signing[identifier]?.sign(payload)
    }
  }

  fileprivate func encrypt(_ identifier: String, _ plaintext: [UInt8]) -> [UInt8]? {
    lock.withLock {
      count("encrypt")
      if encryption[identifier] == nil, let secret = try? Secret.random(count: 32) {
        try? keep("encryption-" + identifier, secret)
        encryption[identifier] = secret
      }
      guard let key = encryption[identifier], let secret = try? Secret(copying: plaintext) else {
        return nil
      }
      return try? AuthenticatedBox.seal(secret, key: key, associatedData: [])
    }
  }

  fileprivate func decrypt(_ identifier: String, _ box: [UInt8]) -> [UInt8]? {
    lock.withLock {
      count("decrypt")
      guard let key = encryption[identifier] else { return nil }
      return try? AuthenticatedBox.open(box, key: key, associatedData: []).disclosed()
    }
  }

  /// Each bridge deletes its own keys only.
  ///
  /// - Returns: false if the key cannot be deleted.
  private func deleteKey(_ kind: String, _ identifier: String, _ remove: () -> Void) -> Bool {
    lock.withLock {
      count("delete")
      if undeletable.contains(kind) { return false }
      remove()
      if let files {
        try? FileManager.default.removeItem(at: files.appendingPathComponent(kind + identifier))
      }
      return true
    }
  }

  fileprivate func deleteSigningKey(_ identifier: String) -> Bool {
    deleteKey("signing-", identifier) {
      signing[identifier] = nil
      cardKeys[identifier] = nil
    }
  }

  fileprivate func deleteEncryptionKey(_ identifier: String) -> Bool {
    deleteKey("encryption-", identifier) { encryption[identifier] = nil }
  }

  /// Hands the bridges to the library.
  func connect() -> wallet_core_status {
    let context = Unmanaged.passRetained(self).toOpaque()
    var signing = wallet_core_signing_key_bridge()
    signing.struct_size = MemoryLayout.size(ofValue: signing)
    signing.context = context
    signing.public_key = { context, call, identifier in
      reply(call, keys(context).publicKey(String(cString: identifier)))
    }
    signing.sign = { context, call, identifier, payload, length in
      let bytes = Array(UnsafeBufferPointer(start: payload, count: length))
      let name = String(cString: identifier)
      if keys(context).refuseSigning(call, name) { return }
      reply(call, keys(context).sign(name, bytes))
    }
    signing.delete_key = { context, call, identifier in
      let store = keys(context)
      let isDeleted = store.deleteSigningKey(String(cString: identifier))
      if isDeleted { reply(call, []) } else { store.refuse(call) }
    }
    var encryption = wallet_core_encryption_key_bridge()
    encryption.struct_size = MemoryLayout.size(ofValue: encryption)
    encryption.context = context
    encryption.encrypt = { context, call, identifier, protection, plaintext, length in
      let bytes = Array(UnsafeBufferPointer(start: plaintext, count: length))
      let answer = keys(context).encrypt(String(cString: identifier), bytes)
      guard protection == WALLET_CORE_PROTECTION_BIOMETRIC else { return reply(call, answer) }
      keys(context).prompts.ask(call, answer)
    }
    encryption.decrypt = { context, call, identifier, protection, box, length in
      let bytes = Array(UnsafeBufferPointer(start: box, count: length))
      let answer = keys(context).decrypt(String(cString: identifier), bytes)
      guard protection == WALLET_CORE_PROTECTION_BIOMETRIC else { return reply(call, answer) }
      keys(context).prompts.ask(call, answer)
    }
    encryption.cancel = { context, _ in keys(context).prompts.noteCancel() }
    encryption.delete_key = { context, call, identifier in
      let store = keys(context)
      let isDeleted = store.deleteEncryptionKey(String(cString: identifier))
      if isDeleted { reply(call, []) } else { store.refuse(call) }
    }
    var utilities = wallet_core_utilities_bridge()
    utilities.struct_size = MemoryLayout.size(ofValue: utilities)
    utilities.context = context
    if storagePath != nil {
      utilities.storage_path = { context, call in
        reply(call, keys(context).storagePath.map { Array($0.utf8) })
      }
    }
    if hasBiometrics {
      utilities.biometrics_available = { _, call in
        reply(call, [UInt8(WALLET_CORE_BIOMETRICS_FINGERPRINT.rawValue)])
      }
    }
    return wallet_core_init_platform_support(&signing, &encryption, &utilities, nil)
  }
}

/// The wallet's own key is an Ed25519 key, which the core accepts too, and those of PIDs are P-256
/// keys.
private enum SigningKey {
  case ed25519(Ed25519.SigningKey)
  case p256(P256.Signing.PrivateKey)

  private static let spki: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]

  init(_ identifier: String, seed: Secret, makesP256: Bool = true) throws {
    self =
      if makesP256, identifier.hasPrefix("wallet_core.pid.") {
        .p256(try P256.Signing.PrivateKey(rawRepresentation: seed.disclosed()))
      } else {
        .ed25519(try Ed25519.SigningKey(seed: seed))
      }
  }

  var publicKey: [UInt8] {
    switch self {
    case .ed25519(let key): Self.spki + key.publicKey
    case .p256(let key): Array(key.publicKey.derRepresentation)
    }
  }

  func sign(_ payload: [UInt8]) -> [UInt8]? {
    switch self {
    case .ed25519(let key): key.sign(payload)
    case .p256(let key): (try? key.signature(for: payload)).map { Array($0.derRepresentation) }
    }
  }
}

private func keys(_ context: UnsafeMutableRawPointer?) -> SoftwareKeys {
  Unmanaged<SoftwareKeys>.fromOpaque(context!).takeUnretainedValue()
}

private func reply(_ call: UInt64, _ bytes: [UInt8]?) {
  guard let bytes else {
    _ = wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_KEY_MISSING, nil, 0, "no such key")
    return
  }
  _ = wallet_core_bridge_reply(call, WALLET_CORE_BRIDGE_OK, bytes, bytes.count, nil)
}
