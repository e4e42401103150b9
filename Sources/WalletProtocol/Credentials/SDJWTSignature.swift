/// A signed part of an SD-JWT: a compact JWS (RFC 7515 section 7.1) with a strict header.
///
/// Like `SignedMessage`, but the header must have exactly the given members, and the payload is a
/// JSON object with any members.
struct SDJWTSignature: Sendable, Equatable {
  let text: String
  let header: [String: String]
  private let payload: [UInt8]
  private let signature: [UInt8]
  private let signingInput: [UInt8]

  /// Splits and decodes `text` without trusting any of it; the header must have exactly `members`.
  init(parsing text: String, members: Set<String>) throws(SDJWTError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3,
      let headerBytes = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2]), signature.count == 64
    else { throw .malformed }
    guard let header = (try? JSONValue(parsing: headerBytes))?.object,
      Set(header.keys) == members
    else { throw .headerRefused }
    var texts: [String: String] = [:]
    for (name, value) in header {
      guard let text = value.string else { throw .headerRefused }
      texts[name] = text
    }
    self.text = text
    self.header = texts
    self.payload = payload
    self.signature = signature
    self.signingInput = Array((parts[0] + "." + parts[1]).utf8)
  }

  /// Returns the payload after checking the type, the algorithm of the key and the signature.
  func content(
    type: String, verifier: some Verifier
  ) throws(SDJWTError) -> [String: JSONValue] {
    guard header["typ"] == type, header["alg"] == verifier.algorithm.rawValue else {
      throw .headerRefused
    }
    guard verifier.isValid(signature: signature, for: signingInput) else { throw .signatureInvalid }
    guard let content = (try? JSONValue(parsing: payload))?.object else { throw .contentMalformed }
    return content
  }

  /// Signs `content` and returns the compact form. Errors of the signer pass through.
  static func sign(
    _ content: [String: JSONValue], type: String, keyID: String?, signer: some Signer
  ) throws -> String {
    var header: [String: JSONValue] = [
      "alg": .string(signer.algorithm.rawValue), "typ": .string(type),
    ]
    if let keyID { header["kid"] = .string(keyID) }
    let input =
      Base64URL.encode(JSONValue.object(header).encoded) + "."
      + Base64URL.encode(JSONValue.object(content).encoded)
    let signature = try signer.sign(Array(input.utf8))
    guard signature.count == 64 else { throw SDJWTError.signerRefused }
    return input + "." + Base64URL.encode(signature)
  }
}
