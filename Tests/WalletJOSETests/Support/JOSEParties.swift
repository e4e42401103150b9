import Crypto
import Foundation
import WalletJOSE
import WalletProtocol
import XCTest

/// A P-256 key that signs with swift-crypto.
struct TestKey: Signer {
  let algorithm = SignatureAlgorithm.es256
  var keyID: String?
  let key: P256.Signing.PrivateKey

  init(keyID: String? = nil, key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) {
    self.keyID = keyID
    self.key = key
  }

  func sign(_ message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).rawRepresentation)
  }

  func signDER(_ message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).derRepresentation)
  }

  var subject: SubjectPublicKey {
    get throws { try SubjectPublicKey(p256: Array(key.publicKey.x963Representation)) }
  }

  var verifier: P256VerifyingKey { get throws { try P256VerifyingKey(subject) } }
}

/// A signer that returns the bytes it is told to.
struct FixedSigner: Signer {
  let algorithm = SignatureAlgorithm.es256
  let keyID: String? = nil
  let signature: [UInt8]

  func sign(_: [UInt8]) throws -> [UInt8] { signature }
}

enum JOSETest {
  static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  static func bytes(_ text: String) throws -> [UInt8] { try XCTUnwrap(Base64URL.decode(text)) }

  /// A JWS over a header and payload of our choice, rightly signed unless `signature` says more.
  static func jws(
    header: String, payload: String = "{}", key: TestKey,
    signature: (([UInt8]) throws -> [UInt8])? = nil
  ) throws -> String {
    let input = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
    let signed = try (signature ?? key.sign)(Array(input.utf8))
    return input + "." + Base64URL.encode(signed)
  }

  /// The texts that differ from `text` in one character of base64url.
  static func changes(of text: String) -> [String] {
    let characters = Array(text)
    return characters.indices.map { index in
      var changed = characters
      changed[index] = characters[index] == "A" ? "B" : "A"
      return String(changed)
    }
  }

  /// All beginnings of `text` but the whole.
  static func beginnings(of text: String) -> [String] {
    (0..<text.count).map { String(text.prefix($0)) }
  }
}

extension XCTestCase {
  func assertRefused(
    _ reason: JOSEError, _ note: String = "", line: UInt = #line, file: StaticString = #filePath,
    _ body: () throws -> some Any
  ) {
    XCTAssertThrowsError(try body(), note, file: file, line: line) {
      XCTAssertEqual($0 as? JOSEError, reason, note, file: file, line: line)
    }
  }
}
