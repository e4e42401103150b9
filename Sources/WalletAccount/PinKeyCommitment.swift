internal import WalletCrypto
internal import WalletProtocol

/// Names a PIN public key in a message that anyone may read. Only who has the opening can see
/// whether a key is the one that is meant; the public key itself would let guesses be checked.
struct PinKeyCommitment {
  /// Random, in the sealed message.
  let opening: Secret
  /// Base64url of the SHA-256 of the opening and the public key, in the outer claims.
  let value: String

  init(_ key: Ed25519.SigningKey) throws {
    opening = try Secret.random(count: PinKeyAdoption.openingLength)
    let content = try Secret(
      .joined([.secret(opening), .secret(try key.guardedPublicKey())]))
    value = Base64URL.encode(try Hash.sha256(content).disclosed())
  }
}
