/// The kinds of signed messages. Each has its own `typ`, so that one kind is never taken for
/// another.
public enum SignedMessageType: String, Sendable {
  /// A request of the wallet, signed by the hardware key.
  case instruction = "wallet-instruction+jwt"
  /// The inner part of a PIN instruction, signed by the PIN key.
  case pinInstruction = "wallet-pin-instruction+jwt"
  /// The proof that the wallet has the key of a new PIN, signed by that key.
  case newPinKeyProof = "wallet-new-pin-key-proof+jwt"
  /// An answer of the provider to an instruction.
  case instructionResult = "wallet-instruction-result+jwt"
  /// The evaluator's statement of its half of a PIN key.
  case evaluatorGrant = "wallet-evaluator-grant+jwt"
  /// The evaluator's statement that it has adopted a PIN key.
  case evaluatorReceipt = "wallet-evaluator-receipt+jwt"
  /// The proof of a registration, kept by the wallet.
  case certificate = "wallet-certificate+jwt"
  /// The configuration that the provider publishes.
  case configuration = "wallet-configuration+jwt"
  /// The update policy that the provider publishes.
  case updatePolicy = "wallet-update-policy+jwt"
  /// The proof that the wallet has the key that a PID is to be bound to, signed by that key.
  case pidKeyProof = "wallet-pid-key-proof+jwt"

  /// Whether the header may name the key by `kid`. The messages of the provider do, because it has
  /// several keys for a role. Those of a wallet must not: the reader knows the one key.
  var mayNameKey: Bool {
    switch self {
    case .instruction, .pinInstruction, .newPinKeyProof, .pidKeyProof: false
    case .instructionResult, .evaluatorGrant, .evaluatorReceipt, .certificate, .configuration,
      .updatePolicy:
      true
    }
  }
}

/// A compact JWS (RFC 7515 section 7.1) with a strict header: `alg`, `typ` and `kid`, nothing else.
///
/// Parsing gives access to the key id only; `content(type:verifier:)` returns the content after
/// checking the signature.
public struct SignedMessage: Sendable {
  /// The maximum length of a message, in bytes.
  public static let maximumLength = 256 * 1024

  /// The compact form, as it travels.
  public let compact: String
  /// The `kid` of the header, an unverified hint for choosing the verifier.
  public let keyID: String?

  private let header: Header
  private let signingInput: [UInt8]
  private let payload: [UInt8]
  private let signature: [UInt8]

  private struct Header {
    var alg: String
    var typ: String
    var kid: String?

    /// Reads a header; nil if it has other members, or one that is no text.
    init?(parsing json: [UInt8]) {
      guard let members = try? JSONReader.read(json).object, let algorithm = members["alg"]?.string,
        let type = members["typ"]?.string
      else { return nil }
      (alg, typ, kid) = (algorithm, type, members["kid"]?.string)
      guard members.count == (kid == nil ? 2 : 3) else { return nil }
    }
  }

  /// Splits and decodes `compact` without trusting any of it.
  public init(parsing compact: String) throws(WireError) {
    guard compact.utf8.count <= Self.maximumLength else { throw .malformedSignedMessage }
    let characters = Array(compact.utf8)
    let parts = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3,
      let headerBytes = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2]), signature.count == 64
    else { throw .malformedSignedMessage }
    guard let header = Header(parsing: headerBytes) else { throw .headerRefused }
    self.compact = compact
    self.keyID = header.kid
    self.header = header
    self.signingInput = Array(characters[..<parts[1].endIndex])
    self.payload = payload
    self.signature = signature
  }

  /// Returns the content after checking the type, the algorithm of the key and the signature.
  public func content<Content: Decodable>(
    _: Content.Type, type: SignedMessageType, verifier: some Verifier
  ) throws(WireError) -> Content {
    try check(type: type, verifier: verifier)
    return try WireJSON.decode(Content.self, from: payload)
  }

  /// Checks the type, the algorithm of the key and the signature. This also verifies what
  /// `unverifiedContent` returned earlier, since both read the same bytes.
  public func check(type: SignedMessageType, verifier: some Verifier) throws(WireError) {
    guard header.typ == type.rawValue, header.alg == verifier.algorithm.rawValue,
      type.mayNameKey || header.kid == nil
    else { throw .headerRefused }
    guard verifier.isValid(signature: signature, for: signingInput) else { throw .signatureInvalid }
  }

  /// Returns the content before any check, only to find a key that is named inside.
  ///
  /// Use it only to choose the key, then call `content(_:type:verifier:)`.
  public func unverifiedContent<Content: Decodable>(_: Content.Type) throws(WireError) -> Content {
    try WireJSON.decode(Content.self, from: payload)
  }

  /// Returns the JSON of the header for a message that `signer` signs.
  public static func header(_ type: SignedMessageType, of signer: some Signer) -> [UInt8] {
    // As `WireJSON` would write it, whose encoder takes many times as long.
    var members: [String: JSONValue] = [
      "alg": .string(signer.algorithm.rawValue), "typ": .string(type.rawValue),
    ]
    if let id = signer.keyID { members["kid"] = .string(id) }
    return JSONValue.object(members).encoded
  }

  /// Encodes and signs `content` and returns the compact form.
  public static func sign(
    _ content: some Encodable, type: SignedMessageType, signer: some Signer
  ) throws -> String {
    let input =
      Base64URL.encode(header(type, of: signer)) + "."
      + Base64URL.encode(try WireJSON.encode(content))
    let signature = try signer.sign(Array(input.utf8))
    guard signature.count == 64 else { throw WireError.encodingRefused }
    return input + "." + Base64URL.encode(signature)
  }
}
