internal import WalletJOSE
internal import WalletProtocol

/// One disclosure (RFC 9901 sections 4.2.1 and 4.2.2): base64url of a JSON array.
/// The text is kept as received, because the digest covers it.
struct Disclosure: Sendable, Equatable, RedactedDescription {
  let text: String
  /// The name of an object's member; nil for an element of an array.
  let name: String?
  let value: JSONValue

  /// Reads a disclosure. The salt may be any string: another issuer's choice is its own affair, and
  /// what a weak one costs the holder is decided before the card is accepted, if at all.
  init(parsing text: String) throws(CredentialError) {
    guard let bytes = Base64URL.decode(text),
      let parts = (try? JSONValue(parsing: bytes, profile: .foreign))?.array,
      let salt = parts.first, salt.string != nil, let value = parts.last
    else { throw .disclosureMalformed }
    switch parts.count {
    case 2: name = nil
    case 3:
      guard let name = parts[1].string else { throw .disclosureMalformed }
      self.name = name
    default: throw .disclosureMalformed
    }
    self.text = text
    self.value = value
  }

  /// The ASCII text of the digest (RFC 9901 section 4.2.3).
  var digest: [UInt8] { Array(Base64URL.encode(JOSEDigest.sha256(text.utf8)).utf8) }
}
