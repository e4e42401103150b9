internal import Crypto
internal import Foundation
internal import SwiftASN1
public import WalletProtocol
internal import X509

/// A signer of status lists with a certificate below a test authority. Its key is P-256.
public struct TestStatusSigner: Signer, Sendable {
  public let algorithm = SignatureAlgorithm.es256
  public let keyID: String? = nil
  /// Its certificate, as `x5c` has it.
  public let chain: [[UInt8]]
  /// 65 bytes, uncompressed (X9.63).
  public let publicKey: [UInt8]
  private let key = P256.Signing.PrivateKey()

  public init(below authority: TestAuthority) throws {
    publicKey = Array(key.publicKey.x963Representation)
    chain = try authority.chain(of: "Status", key: publicKey)
  }

  public func sign(_ message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).rawRepresentation)
  }
}
