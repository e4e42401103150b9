import Crypto
import ServerTestSupport
import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

/// Checks ES256.
struct ES256Verifier: Verifier {
  let algorithm = SignatureAlgorithm.es256
  let key: P256.Signing.PublicKey

  init(_ key: P256.Signing.PublicKey) { self.key = key }

  init(jwk: JSONValue) throws {
    key = try P256.Signing.PublicKey(x963Representation: SubjectPublicKey(jwk: jwk).rawKey)
  }

  func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
      return false
    }
    return key.isValidSignature(signature, for: message)
  }
}

/// An issuer that signs whatever it is told, and a holder.
struct CardIssuer {
  static let now: Int64 = 1_790_000_000
  static let header = #"{"alg":"ES256","typ":"dc+sd-jwt"}"#

  let key = P256.Signing.PrivateKey()
  let holder = P256.Signing.PrivateKey()

  var verifier: ES256Verifier { ES256Verifier(key.publicKey) }
  var holderKey: SubjectPublicKey {
    get throws { try SubjectPublicKey(p256: Array(holder.publicKey.x963Representation)) }
  }

  /// A payload with all that a usual card has, and `members`.
  func payload(_ members: [String: JSONValue] = [:]) throws -> [String: JSONValue] {
    let usual: [String: JSONValue] = [
      "vct": .string("urn:example:card:1"), "iat": .integer(Self.now),
      "exp": .integer(Self.now + 86_400), "cnf": .object(["jwk": try holderKey.jwk]),
    ]
    return usual.merging(members) { $1 }
  }

  func sign(_ payload: [UInt8], header: String = header) throws -> String {
    let input = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload)
    let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
    return input + "." + Base64URL.encode(signature)
  }

  func card(
    _ payload: [String: JSONValue], _ disclosures: [String] = [], header: String = header
  ) throws -> String {
    let jws = try sign(JSONValue.object(payload).encoded, header: header)
    return ([jws] + disclosures).joined(separator: "~") + "~"
  }

  func read(_ text: String) throws -> VerifiedCredential {
    try Credential(parsing: text).verify(by: verifier)
  }

  /// Reads a card of the usual payload with `members`.
  func read(
    _ members: [String: JSONValue], _ disclosures: [String] = []
  ) throws -> VerifiedCredential {
    try read(card(payload(members), disclosures))
  }

  /// What a verifier reads in a presentation, without its key binding.
  func seen(in presentation: String) throws -> JSONValue {
    let end = try XCTUnwrap(presentation.lastIndex(of: "~"))
    return try read(String(presentation[...end])).claims
  }
}

/// A disclosure of JSON as it is written, with a fixed salt of its own.
func disclosure(_ name: String, _ value: String) -> String {
  Base64URL.encode(#"["salt of \#(name)", "\#(name)", \#(value)]"#.utf8)
}

/// The same for an element of an array.
func disclosure(element value: String, salt: String = "salt") -> String {
  Base64URL.encode(#"["\#(salt)", \#(value)]"#.utf8)
}

func digest(_ disclosure: String) -> JSONValue {
  .string(Base64URL.encode(sha256(Array(disclosure.utf8))))
}

/// An array's element that is hidden.
func hidden(_ disclosure: String) -> JSONValue { .object(["...": digest(disclosure)]) }

/// Reads JSON as other parties write it.
func json(_ text: String) throws -> JSONValue {
  try JSONValue(parsing: Array(text.utf8), profile: .foreign)
}

func path(_ text: String) throws -> ClaimsPath { try ClaimsPath(parsing: json(text)) }

func assertRefused<Failure: Error & Equatable>(
  _ expected: Failure, _ message: String = "", file: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Any
) {
  XCTAssertThrowsError(try body(), message, file: file, line: line) {
    XCTAssertEqual($0 as? Failure, expected, message, file: file, line: line)
  }
}
