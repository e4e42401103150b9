import WalletProtocol

/// The keys of the provider, each with one role.
public struct ProviderKeys: Sendable {
  /// Signs the configuration.
  let configurationSigning: Ed25519Signer
  /// The public half of the second configuration-signing key, whose private half is meant to be
  /// kept where no server can reach it.
  let configurationOffline: [UInt8]
  /// Signs instruction results.
  let result: Ed25519Signer
  /// Signs wallet certificates.
  let certificate: Ed25519Signer
  /// Signs PIDs.
  let issuer: Ed25519Signer
  /// Opens what wallets seal: PIN instructions, enrolment codes, evidence.
  let encryption: EncryptionKey
  /// Seals PIN public keys, unlock shares and personal data in the database.
  let sealing: SealingKey

  /// The keys that a client holds the configuration against.
  var configurationSigningKeys: [PublishedKey] {
    [
      configurationSigning.published,
      PublishedKey(
        id: Digest.keyID(configurationOffline), key: Base64URL.encode(configurationOffline)),
    ]
  }

  /// Reads the key files in `directory` and makes those that are missing.
  ///
  /// A key file holds 32 bytes as base64url, has mode 0600 and is never replaced.
  /// - Throws: `FileProblem` that names the file.
  init(directory: String) throws(FileProblem) {
    try PrivateFile.createDirectory(directory)
    try self.init(KeyFiles(directory: directory, makesMissing: true))
  }

  /// Reads the key files in `directory` and makes none.
  ///
  /// - Throws: `FileProblem` for a file that is missing too.
  init(existing directory: String) throws(FileProblem) {
    try self.init(KeyFiles(directory: directory, makesMissing: false))
  }

  private init(_ files: KeyFiles) throws(FileProblem) {
    configurationSigning = try files.signer("configuration-signing")
    configurationOffline = try files.offlinePublicKey("configuration-signing-offline")
    result = try files.signer("result")
    certificate = try files.signer("certificate")
    issuer = try files.signer("issuer")
    encryption = try files.key("encryption") { EncryptionKey(secretKey: $0) }
    sealing = try files.key("sealing") { SealingKey($0) }
  }
}

private struct KeyFiles {
  let directory: String
  let makesMissing: Bool

  func path(_ name: String) -> String { "\(directory)/\(name)" }

  func signer(_ name: String) throws(FileProblem) -> Ed25519Signer {
    try key(name) { try? Ed25519Signer(seed: $0) }
  }

  func key<Key>(_ name: String, _ make: ([UInt8]) -> Key?) throws(FileProblem) -> Key {
    let path = path(name + ".key")
    let bytes: [UInt8]
    if let found = try read(path, secret: true) {
      bytes = found
    } else {
      bytes = SecureRandom.bytes(32)
      try write(bytes, to: path)
    }
    guard let key = make(bytes) else { throw FileProblem("\(path) does not hold a key") }
    return key
  }

  /// The `.pub` file alone is enough; the private half is made once, when neither is there.
  func offlinePublicKey(_ name: String) throws(FileProblem) -> [UInt8] {
    let publicPath = path(name + ".pub")
    if let publicKey = try read(publicPath, secret: false) {
      // A private half that is still here must not be readable by others either.
      _ = try read(path(name + ".key"), secret: true)
      return publicKey
    }
    let publicKey = try signer(name).publicKey
    try write(publicKey, to: publicPath)
    return publicKey
  }

  private func read(_ path: String, secret: Bool) throws(FileProblem) -> [UInt8]? {
    guard let content = try PrivateFile.read(path, secret: secret) else { return nil }
    let line = String(decoding: content, as: UTF8.self).split(separator: "\n").first ?? ""
    guard let bytes = Base64URL.decode(line), bytes.count == 32 else {
      throw FileProblem("\(path) does not hold a key: it must be 32 bytes as base64url")
    }
    return bytes
  }

  private func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    guard makesMissing else { throw FileProblem("there is no key \(path)") }
    try PrivateFile.write(
      Array((Base64URL.encode(bytes) + "\n").utf8), to: path, replace: false)
  }
}
