import CSodium
import Foundation
import WalletCrypto
import WalletOPRF
import WalletProtocol

/// One guess of a PIN, with everything that is needed to find it in stored data.
struct PinGuess: Sendable {
  let pin: String
  /// The PIN after Argon2id.
  private let stretched: [UInt8]

  /// - Parameter registration: The stored registration, which has the salt and the parameters.
  init(_ pin: String, _ registration: [String: Any]) throws {
    self.pin = pin
    guard let salt = (registration["salt"] as? String).flatMap({ Base64URL.decode($0) }),
      let passes = registration["passes"] as? UInt64,
      let memory = registration["memoryBytes"] as? Int
    else { throw TestFailure("no parameters in \(registration.keys)") }
    var stretched = [UInt8](repeating: 0, count: 32)
    guard
      crypto_pwhash(
        &stretched, 32, pin, UInt64(pin.utf8.count), salt, passes, memory,
        crypto_pwhash_ALG_ARGON2ID13) == 0
    else { throw TestFailure("no memory") }
    self.stretched = stretched
  }

  /// The guess, blinded for an evaluation.
  func blinded() throws -> Blinded { try Blinded(stretched) }

  /// A scalar, and base64url of the guess that it blinds.
  func blindedWithScalar() throws -> (scalar: [UInt8], element: String) {
    let blinded = try blinded()
    return (blinded.scalar, blinded.element)
  }

  struct Blinded {
    private let stretched: [UInt8]
    private let blind: SecretScalar
    private let group: GroupElement

    fileprivate init(_ stretched: [UInt8]) throws {
      self.stretched = stretched
      let blind = try SecretScalar.random()
      self.blind = blind
      group = try stretched.withUnsafeBytes { try ObliviousPRF.blinded($0, by: blind) }
    }

    fileprivate var scalar: [UInt8] { blind.withBytes(Array.init) }

    /// Base64url of the blinded guess.
    var element: String { Base64URL.encode(group.serialized) }

    /// The PIN key that the evaluation gives.
    func key(_ evaluation: PinEvaluation) throws -> Ed25519.SigningKey {
      try key(GroupElement(serialized: Base64URL.decode(evaluation.element) ?? []))
    }

    /// The PIN key that both halves of the key give, if they are known.
    func key(halves: [[UInt8]]) throws -> Ed25519.SigningKey { try secrets(halves: halves).key }

    /// What the PIN becomes with these halves of the key.
    func secrets(halves: [[UInt8]]) throws -> PinSecrets { try secrets(group, halves) }

    /// What the PIN becomes with an evaluation by one half and with the other halves themselves.
    func secrets(_ evaluation: HalfEvaluation, halves: [[UInt8]]) throws -> PinSecrets {
      try secrets(GroupElement(serialized: Base64URL.decode(evaluation.element) ?? []), halves)
    }

    private func secrets(_ element: GroupElement, _ halves: [[UInt8]]) throws -> PinSecrets {
      try secrets(
        halves.reduce(element) { element, half in
          try half.withUnsafeBytes { try SecretScalar(serialized: $0) }.evaluate(element)
        })
    }

    private func key(_ evaluated: GroupElement) throws -> Ed25519.SigningKey {
      try secrets(evaluated).key
    }

    private func secrets(_ evaluated: GroupElement) throws -> PinSecrets {
      var output = [UInt8](repeating: 0, count: ObliviousPRF.outputLength)
      try stretched.withUnsafeBytes { stretched in
        try output.withUnsafeMutableBytes {
          try ObliviousPRF.finalize(stretched, blind: blind, evaluated: evaluated, into: $0)
        }
      }
      return try PinSecrets(output: Secret(copying: output))
    }
  }

  /// Whether anything on the device confirms this guess.
  ///
  /// - Parameter key: The guess's key, if an evaluation has revealed it.
  func isVerified(by device: StolenDevice, key: Ed25519.SigningKey? = nil) throws -> Bool {
    let secrets = [Array(pin.utf8), stretched] + (key.map { [$0.publicKey] } ?? [])
    let values = secrets + secrets.map { Hash.sha256($0) }
    let forms = values.flatMap(Self.forms)
    if forms.contains(where: { device.contains($0) }) { return true }
    for value in values where value.count == 32 {
      if try device.opens(with: value) { return true }
    }
    if try isBlinded(in: device) { return true }
    guard let key else { return false }
    return try device.readable.contains { try Self.isSigned($0, by: key) }
  }

  private static func forms(_ value: [UInt8]) -> [[UInt8]] {
    [
      value, Array(Base64URL.encode(value).utf8), Array(Data(value).base64EncodedString().utf8),
      Array(value.map { String(format: "%02x", $0) }.joined().utf8),
    ]
  }

  /// Whether the device has the blinded guess and the scalar that blinded it.
  private func isBlinded(in device: StolenDevice) throws -> Bool {
    for candidate in Set(device.readable.filter { $0.count == ObliviousPRF.scalarLength }) {
      guard let blind = try? candidate.withUnsafeBytes({ try SecretScalar(serialized: $0) })
      else { continue }
      let element = try stretched.withUnsafeBytes { try ObliviousPRF.blinded($0, by: blind) }
      if Self.forms(element.serialized).contains(where: { device.contains($0) }) { return true }
    }
    return false
  }

  private static func isSigned(_ text: [UInt8], by key: Ed25519.SigningKey) throws -> Bool {
    guard text.count < 100_000,
      let message = try? SignedMessage(parsing: String(decoding: text, as: UTF8.self))
    else { return false }
    let parts = message.compact.split(separator: ".")
    return try Ed25519.VerifyingKey(publicKey: key.publicKey).isValid(
      signature: Base64URL.decode(parts[2]) ?? [], for: Array((parts[0] + "." + parts[1]).utf8))
  }
}
