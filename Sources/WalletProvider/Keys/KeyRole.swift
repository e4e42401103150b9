import WalletSignatures

/// The purpose of a provider key. A key never has two roles.
public enum KeyRole: String, CaseIterable, Sendable {
  /// Signs the configuration and the update policy. Its public half is built into apps.
  case configurationSigning = "configuration-signing"
  /// Signs answers to instructions.
  case result
  /// Signs wallet certificates.
  case certificate
  /// Signs the certificates of the next two roles. Servers do not need it as long as these are
  /// valid.
  case issuerAuthority = "issuer-authority"
  /// Signs PIDs, which name it by its certificate.
  case documentSigner = "document-signer"
  /// Signs status lists.
  case statusSigner = "status-signer"
  /// Opens what wallets seal: PIN instructions, enrolment codes, evidence.
  case encryption
  /// Opens what wallets need to use copies of cards.
  case use
  /// Seals PIN public keys, unlock shares and personal data in the database.
  case sealing

  /// The environment variable that may hold the keys instead of a file.
  public var environmentVariable: String {
    KeyEnvironment.prefix + rawValue.uppercased().split(separator: "-").joined(separator: "_")
  }

  /// The environment variable that may hold the retired keys instead of a file, if they are needed.
  public var retiredVariable: String { environmentVariable + "_RETIRED" }

  /// The name of the key file.
  var fileName: String { rawValue + ".key" }

  /// The name of the file to which retired keys are moved if they must not be lost.
  var retiredFileName: String { rawValue + ".retired" }

  /// Whether retired keys still open. Those of other roles that are kept are for the operator to
  /// recover; none of them is loaded.
  var opensWhenRetired: Bool { self == .use }

  /// Whether retired keys are kept in a file.
  var keepsRetired: Bool { opensWhenRetired || self == .sealing }

  /// Whether keys of this role are Ed25519 keys.
  var isEd25519: Bool {
    switch self {
    case .configurationSigning, .result, .certificate: true
    case .issuerAuthority, .documentSigner, .statusSigner, .encryption, .use, .sealing: false
    }
  }

  /// How long a key is published before it is used, in seconds. By then every app that is used at
  /// least weekly knows it.
  var announcement: Int64 {
    switch self {
    case .configurationSigning, .result, .certificate, .issuerAuthority, .encryption, .use:
      7 * Self.day
    // What they sign brings their certificate along. The servers, and whoever has fetched the
    // issuer's keys before, must learn of them.
    case .documentSigner, .statusSigner: Self.day
    // Only the servers need to know a sealing key.
    case .sealing: 0
    }
  }

  /// How long a key stays published after its successor came into use, in seconds.
  var retention: Int64 {
    switch self {
    // Nobody looks up a use key that is sealed to already.
    case .configurationSigning, .result, .certificate, .encryption, .use, .statusSigner:
      7 * Self.day
    // As long as a PID can be valid, because verifiers look up the key that signed it, or the
    // authority above that.
    case .issuerAuthority, .documentSigner: 90 * Self.day
    // A sealing key is needed as long as rows use it. Besides, a server that was started before the
    // promotion still seals with it until it is restarted.
    case .sealing: Self.day
    }
  }

  /// Whether clients learn the role's keys from the published configuration.
  var isInConfiguration: Bool {
    switch self {
    case .result, .certificate, .encryption, .use: true
    case .configurationSigning, .issuerAuthority, .documentSigner, .statusSigner, .sealing: false
    }
  }

  /// The id of the key derived from `secret`; nil if `secret` is not a valid key.
  func keyID(_ secret: [UInt8]) -> String? {
    switch self {
    case .configurationSigning, .result, .certificate:
      (try? Ed25519Signer(seed: secret))?.id
    case .issuerAuthority, .documentSigner, .statusSigner: (try? P256Signer(scalar: secret))?.id
    case .encryption, .use: EncryptionKey(secretKey: secret)?.id
    case .sealing: SoftwareSealingKey(secret)?.id
    }
  }

  /// The secret of a new key and the key's id, which cannot be mistaken for a command-line option.
  func makeSecret() -> (secret: [UInt8], id: String) {
    while true {
      let secret = SecureRandom.bytes(32)
      // Of 2^32 texts of 32 bytes one is no P-256 key.
      if let id = keyID(secret), !id.hasPrefix("-") { return (secret, id) }
    }
  }

  private static let day: Int64 = 24 * 3600
}
