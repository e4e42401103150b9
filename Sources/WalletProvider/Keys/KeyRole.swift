import WalletSignatures

/// The purpose of a provider key. A key never has two roles.
public enum KeyRole: String, CaseIterable, Sendable {
  /// Signs the configuration and the update policy. Its public half is built into apps.
  case configurationSigning = "configuration-signing"
  /// Signs answers to instructions.
  case result
  /// Signs wallet certificates.
  case certificate
  /// Signs PIDs.
  case issuer
  /// Opens what wallets seal: PIN instructions, enrolment codes, evidence.
  case encryption
  /// Seals PIN public keys, unlock shares and personal data in the database.
  case sealing

  /// The environment variable that may hold the keys instead of a file.
  public var environmentVariable: String {
    KeyEnvironment.prefix + rawValue.uppercased().split(separator: "-").joined(separator: "_")
  }

  /// The name of the key file.
  var fileName: String { rawValue + ".key" }

  /// The name of the file to which retired keys are moved if they must not be lost, so that an
  /// operator can still recover them. No key is loaded from it.
  var retiredFileName: String { rawValue + ".retired" }

  /// Whether keys of this role sign. They are Ed25519 keys.
  var signs: Bool {
    switch self {
    case .configurationSigning, .result, .certificate, .issuer: true
    case .encryption, .sealing: false
    }
  }

  /// How long a key is published before it is used, in seconds. By then every app that is used at
  /// least weekly knows it.
  var announcement: Int64 {
    switch self {
    case .configurationSigning, .result, .certificate, .issuer, .encryption: 7 * Self.day
    // Only the servers need to know a sealing key.
    case .sealing: 0
    }
  }

  /// How long a key stays published after its successor came into use, in seconds.
  var retention: Int64 {
    switch self {
    case .configurationSigning, .result, .certificate, .encryption: 7 * Self.day
    // As long as a PID can be valid, because verifiers look up the key that signed it.
    case .issuer: 90 * Self.day
    // A sealing key is needed as long as rows use it. Besides, a server that was started before the
    // promotion still seals with it until it is restarted.
    case .sealing: Self.day
    }
  }

  /// Whether clients learn the role's keys from the published configuration.
  var isInConfiguration: Bool { self != .configurationSigning && self != .sealing }

  /// The id of the key derived from `secret`; nil if `secret` is not a valid key.
  func keyID(_ secret: [UInt8]) -> String? {
    switch self {
    case .configurationSigning, .result, .certificate, .issuer:
      (try? Ed25519Signer(seed: secret))?.id
    case .encryption: EncryptionKey(secretKey: secret)?.id
    case .sealing: SoftwareSealingKey(secret)?.id
    }
  }

  private static let day: Int64 = 24 * 3600
}
