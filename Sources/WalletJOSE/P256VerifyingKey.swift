internal import Crypto
public import WalletProtocol

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Verifies ES256 signatures (RFC 7518 section 3.4) with a P-256 key whose point is on the curve.
public struct P256VerifyingKey: Verifier {
  public let algorithm = SignatureAlgorithm.es256
  /// The key that signatures are verified with.
  public let subject: SubjectPublicKey

  private let key: P256.Signing.PublicKey

  /// - Throws: `keyRefused` if the key is of another algorithm or its point is not on the curve.
  public init(_ subject: SubjectPublicKey) throws(JOSEError) {
    guard subject.algorithm == .es256 else { throw .keyRefused }
    do { key = try P256.Signing.PublicKey(x963Representation: subject.rawKey) } catch {
      throw .keyRefused
    }
    self.subject = subject
  }

  /// - Parameter point: 65 bytes, uncompressed (X9.63).
  /// - Throws: `keyRefused` for another form, or if the point is not on the curve.
  public init(x963 point: [UInt8]) throws(JOSEError) {
    let subject: SubjectPublicKey
    do { subject = try SubjectPublicKey(p256: point) } catch { throw .keyRefused }
    try self.init(subject)
  }

  /// Reads the JWK of another party, see `SubjectPublicKey.init(foreignJWK:)`.
  ///
  /// - Throws: `keyRefused` for another form, or if the point is not on the curve.
  public init(jwk: JSONValue) throws(JOSEError) {
    try self.init(SubjectPublicKey(foreignJWK: jwk))
  }

  public func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    // Of other lengths than 64 bytes there is no such signature.
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
      return false
    }
    return key.isValidSignature(signature, for: message)
  }
}
