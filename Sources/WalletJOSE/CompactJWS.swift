public import WalletProtocol

/// A JWS in compact form (RFC 7515 section 7.1) of another party, split and decoded without trusting
/// any of it.
///
/// The parts are kept as received, because the signature covers their text.
public struct CompactJWS: Sendable, Equatable, RedactedDescription {
  /// The maximum length of a text, in bytes, where the kind of text has no limit of its own.
  public static let maximumLength = 64 * 1024

  /// The compact form, as it travels.
  public let text: String
  public let header: JOSEHeader
  /// What the issuer states, not verified until `verify` returns.
  public let payload: [UInt8]

  private let signature: [UInt8]
  private let signingInput: [UInt8]

  /// - Parameter maximumLength: the longest text of its kind, in bytes.
  public init(
    parsing text: String, maximumLength: Int = CompactJWS.maximumLength
  ) throws(JOSEError) {
    let parts = try CompactForm.split(text, into: 3, maximumLength: maximumLength)
    guard let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { throw .malformed }
    self.text = text
    self.header = try JOSEHeader(parsing: header)
    self.payload = payload
    self.signature = signature
    signingInput = Array((parts[0] + "." + parts[1]).utf8)
  }

  /// Checks `typ`, that `alg` is the key's, and the signature, which has 64 bytes.
  ///
  /// - Parameter type: the `typ` that the context demands, byte for byte.
  public func verify(type: String, by verifier: some Verifier) throws(JOSEError) {
    guard let found = header.type, found.utf8.elementsEqual(type.utf8) else { throw .typeRefused }
    guard header.algorithm == verifier.algorithm.rawValue else { throw .algorithmRefused }
    guard signature.count == 64, verifier.isValid(signature: signature, for: signingInput) else {
      throw .signatureInvalid
    }
  }

  /// Signs `payload`; `alg` and `kid` are the signer's. Errors of the signer pass through.
  ///
  /// - Parameters:
  ///   - type: `typ`.
  ///   - chain: certificates in DER for `x5c`, the signer's first; empty for none.
  public static func sign(
    _ payload: [UInt8], type: String, chain: [[UInt8]] = [], signer: some Signer
  ) throws -> String {
    var header: [String: JSONValue] = [
      "alg": .string(signer.algorithm.rawValue), "typ": .string(type),
    ]
    if let keyID = signer.keyID { header["kid"] = .string(keyID) }
    if !chain.isEmpty { header["x5c"] = .array(chain.map { .string(Base64.encode($0)) }) }
    let input =
      Base64URL.encode(JSONValue.object(header).encoded) + "." + Base64URL.encode(payload)
    let signature = try signer.sign(Array(input.utf8))
    guard signature.count == 64 else { throw JOSEError.signerRefused }
    return input + "." + Base64URL.encode(signature)
  }
}
