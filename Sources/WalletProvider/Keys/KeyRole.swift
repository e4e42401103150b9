/// What a key of the provider is for. No key has two roles.
public enum KeyRole: String, CaseIterable, Sendable {
  /// Signs the configuration and the update policy. Apps have its public half built in.
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

  /// The variable that may hold the keys in place of a file.
  public var environmentVariable: String {
    KeyEnvironment.prefix + rawValue.uppercased().split(separator: "-").joined(separator: "_")
  }

  /// The file in the directory of keys.
  var fileName: String { rawValue + ".key" }

  /// The file that keeps retired keys where they must not be lost. Nothing reads it.
  var retiredFileName: String { rawValue + ".retired" }

  /// Whether its keys are Ed25519 keys.
  var signs: Bool {
    switch self {
    case .configurationSigning, .result, .certificate, .issuer: true
    case .encryption, .sealing: false
    }
  }

  /// How long a key is published before it comes into use, in seconds: by then every app that is
  /// used at least weekly has heard of it.
  var announcement: Int64 {
    switch self {
    case .configurationSigning, .result, .certificate, .issuer, .encryption: 7 * Self.day
    // Only the servers have to know it.
    case .sealing: 0
    }
  }

  /// How long a key stays published after the next one came into use, in seconds.
  var retention: Int64 {
    switch self {
    case .configurationSigning, .result, .certificate, .encryption: 7 * Self.day
    // As long as a PID may be valid: verifiers look its key up.
    case .issuer: 90 * Self.day
    // The rows in the database decide; and a server of before the promotion seals with it until it is
    // started again.
    case .sealing: Self.day
    }
  }

  /// Whether clients learn its keys from the published configuration.
  var isInConfiguration: Bool { self != .configurationSigning && self != .sealing }

  /// The id of the key that `secret` makes; nil where it makes none.
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
