internal import Crypto
internal import FoundationEssentials
internal import WalletJOSE
internal import WalletProtocol

// JWS and JWE of other parties. Base64url hides their members from a fuzzer, so both are also read
// from a written form, which is encoded here: a line of JSON for the header, and the content.

/// Splits the written form, which begins with a brace as no compact form does.
func writtenLines(_ bytes: [UInt8], atMost count: Int) -> [[UInt8]]? {
  guard bytes.first == UInt8(ascii: "{") else { return nil }
  return bytes.split(
    separator: UInt8(ascii: "\n"), maxSplits: count - 1, omittingEmptySubsequences: false
  ).map(Array.init)
}

/// A JWS with a signature that only `Believer` takes for one.
func unsignedJWS(_ header: [UInt8], _ payload: [UInt8]) -> String {
  [header, payload, [UInt8](repeating: 0, count: 64)].map { Base64URL.encode($0) }
    .joined(separator: ".")
}

/// Signs nothing.
struct AnyHand: Signer {
  var algorithm = SignatureAlgorithm.es256
  let keyID: String? = nil

  func sign(_: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 64) }
}

/// Accepted where only the signature is left to check.
func readCompactJWS(_ bytes: [UInt8]) -> Bool {
  let lines = writtenLines(bytes, atMost: 2)
  let text =
    lines.map { unsignedJWS($0[0], $0.count > 1 ? $0[1] : []) }
    ?? String(decoding: bytes, as: UTF8.self)
  guard let jws = try? CompactJWS(parsing: text) else { return false }
  let header = jws.header
  precondition(jws.text.utf8.elementsEqual(text.utf8), "a text that changes when read")
  precondition(text.utf8.count <= CompactJWS.maximumLength)
  precondition(header.chain.count <= JOSEHeader.maximumChain && !header.chain.contains([]))
  precondition(header.members["crit"] == nil, "an extension that nobody knows")
  let believer = Believer(algorithm: .es256)
  guard let type = header.type else {
    precondition((try? jws.verify(type: "", by: believer)) == nil, "no type, and yet one")
    return false
  }
  precondition((try? jws.verify(type: type + "x", by: believer)) == nil, "two types")
  guard (try? jws.verify(type: type, by: believer)) != nil else { return false }
  precondition(header.algorithm == believer.algorithm.rawValue)
  let signed = try? CompactJWS.sign(jws.payload, type: type, chain: header.chain, signer: AnyHand())
  let again = signed.flatMap { try? CompactJWS(parsing: $0) }
  precondition(
    again?.payload == jws.payload && again?.header.chain == header.chain
      && again?.header.type == type, "parts that do not survive being signed")
  return true
}

/// The recipient of the example in OpenID4VP 1.0 section 8.3 and the sender of RFC 7518 appendix C,
/// whose private keys are published.
private let recipient = "Et-3ce0omz8_TuZ96Df9lp0GAaaDoUnDe6X-CRO7Aww"
private let sender = "0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo"

private func scalar(_ text: String) -> [UInt8] { Base64URL.decode(text) ?? [] }

/// Accepted where it opens.
func readCompactJWE(_ bytes: [UInt8]) -> Bool {
  guard let key = try? KeyAgreementKey(scalar: scalar(recipient)),
    let own = try? KeyAgreementKey(scalar: scalar(sender))
  else { preconditionFailure("no keys") }
  let lines = writtenLines(bytes, atMost: 2)
  let content = lines.map { $0.count > 1 ? $0[1] : [] }
  let text =
    lines.flatMap { sealed($0[0], content ?? []) } ?? String(decoding: bytes, as: UTF8.self)
  guard let jwe = try? CompactJWE(parsing: text) else { return false }
  precondition(text.utf8.count <= CompactJWE.maximumLength)
  precondition(jwe.header.members["zip"] == nil && jwe.header.members["crit"] == nil)
  let opened = try? jwe.decrypt(with: key)
  precondition((try? jwe.decrypt(with: own)) == nil, "a content for somebody else")
  if let content, let ephemeral = jwe.header.members["epk"],
    (try? SubjectPublicKey(foreignJWK: ephemeral)) == own.publicKey
  {
    precondition(opened == content, "what was rightly sealed does not open")
  }
  guard let opened else { return false }
  let written = try? CompactJWE.encrypt(
    opened, for: key.publicKey, keyID: jwe.header.keyID, with: jwe.encryption,
    parties: jwe.parties)
  let again = written.flatMap { try? CompactJWE(parsing: $0) }
  precondition(again?.parties == jwe.parties && again?.header.keyID == jwe.header.keyID)
  precondition((try? again?.decrypt(with: key)) == opened, "a content that changes when sent")
  return true
}

/// Seals `content` under any header as the sender does whose key RFC 7518 appendix C prints. This
/// derives the key anew from RFC 7518 section 4.6.2, so that nothing here is the core's.
private func sealed(_ header: [UInt8], _ content: [UInt8]) -> String? {
  let members = (try? JSONValue(parsing: header, profile: .foreign))?.object ?? [:]
  let name = members["enc"]?.string ?? ""
  let length = name == "A256GCM" ? 32 : 16
  func party(_ name: String) -> [UInt8] {
    members[name]?.string.flatMap { Base64URL.decode($0) } ?? []
  }
  func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
  func counted(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }
  do {
    let ours = try P256.KeyAgreement.PrivateKey(rawRepresentation: scalar(sender))
    let theirs = try P256.KeyAgreement.PrivateKey(rawRepresentation: scalar(recipient)).publicKey
    let secret = try ours.sharedSecretFromKeyAgreement(with: theirs).withUnsafeBytes(Array.init)
    let info = counted(Array(name.utf8)) + counted(party("apu")) + counted(party("apv"))
    let digest = SHA256.hash(data: number(1) + secret + info + number(length * 8))
    let protected = Base64URL.encode(header)
    let box = try AES.GCM.seal(
      content, using: SymmetricKey(data: Array(digest.prefix(length))),
      nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
      authenticating: Array(protected.utf8))
    return [
      protected, "", Base64URL.encode(box.nonce), Base64URL.encode(box.ciphertext),
      Base64URL.encode(box.tag),
    ].joined(separator: ".")
  } catch { return nil }
}
