import WalletCrypto
import WalletProtocol
import XCTest

final class SignedMessageTests: XCTestCase {
  private struct Content: Codable, Equatable {
    var value: Int
  }

  /// A key of another algorithm that accepts everything, so that only the header can refuse.
  private struct GullibleES256: Verifier {
    var algorithm: SignatureAlgorithm { .es256 }
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool { true }
  }

  private struct ShortSigner: Signer {
    var algorithm: SignatureAlgorithm { .edDSA }
    var keyID: String? { nil }
    func sign(_ message: [UInt8]) -> [UInt8] { [1, 2, 3] }
  }

  private let goodHeader = #"{"alg":"EdDSA","typ":"wallet-instruction+jwt"}"#

  private func makeKey(
    id: String? = nil
  ) throws -> (Ed25519.SigningKey, Ed25519.VerifyingKey) {
    let key = try Ed25519.SigningKey(seed: Secret.random(count: 32), keyID: id)
    return (key, try Ed25519.VerifyingKey(publicKey: key.publicKey))
  }

  /// A message that is rightly signed over a header and payload of our choice.
  private func forge(
    header: String, payload: String = #"{"value":1}"#, with key: Ed25519.SigningKey
  ) -> String {
    let input = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
    return input + "." + Base64URL.encode(key.sign(Array(input.utf8)))
  }

  private func read(
    _ compact: String, _ verifier: some Verifier
  ) throws -> Content {
    try SignedMessage(parsing: compact)
      .content(Content.self, type: .instruction, verifier: verifier)
  }

  private func assertRefused(
    _ compact: String, _ verifier: some Verifier, _ reason: WireError, line: UInt = #line
  ) {
    XCTAssertThrowsError(try read(compact, verifier), line: line) {
      XCTAssertEqual($0 as? WireError, reason, line: line)
    }
  }

  func testWhatIsSignedIsReadAgain() throws {
    let (key, verifier) = try makeKey()
    let compact = try SignedMessage.sign(Content(value: 5), type: .instruction, signer: key)
    let message = try SignedMessage(parsing: compact)
    XCTAssertEqual(message.compact, compact)
    XCTAssertNil(message.keyID)
    XCTAssertEqual(try message.unverifiedContent(Content.self), Content(value: 5))
    XCTAssertEqual(try read(compact, verifier), Content(value: 5))
    XCTAssertEqual(try read(forge(header: goodHeader, with: key), verifier), Content(value: 1))
  }

  func testOnlyAMessageOfTheProviderMayNameItsKey() throws {
    let (key, verifier) = try makeKey(id: "k")
    for (type, mayNameKey) in [
      (SignedMessageType.instruction, false), (.pinInstruction, false), (.newPinKeyProof, false),
      (.pidKeyProof, false), (.instructionResult, true), (.certificate, true),
      (.configuration, true), (.updatePolicy, true),
    ] {
      let message = try SignedMessage(
        parsing: SignedMessage.sign(Content(value: 5), type: type, signer: key))
      XCTAssertEqual(message.keyID, "k")
      let content = try? message.content(Content.self, type: type, verifier: verifier)
      XCTAssertEqual(content != nil, mayNameKey, type.rawValue)
    }
  }

  func testHeadersThatDifferAreRefused() throws {
    let (key, verifier) = try makeKey()
    let typ = #""typ":"wallet-instruction+jwt""#
    let headers = [
      #"{"alg":"none",\#(typ)}"#, #"{"alg":"ES256",\#(typ)}"#, #"{"alg":"HS256",\#(typ)}"#,
      #"{"alg":"eddsa",\#(typ)}"#, #"{"alg":"EdDSA"}"#, "{\(typ)}",
      #"{"alg":"EdDSA","typ":"wallet-certificate+jwt"}"#, #"{"alg":"EdDSA","typ":"JWT"}"#,
      #"{"alg":"EdDSA",\#(typ),"crit":["exp"]}"#, #"{"alg":"EdDSA",\#(typ),"crit":"exp"}"#,
      #"{"alg":"EdDSA",\#(typ),"jwk":"x"}"#, #"{"alg":"EdDSA",\#(typ),"b64":false}"#,
      #"{"alg":"EdDSA",\#(typ),"kid":7}"#, #"{"alg":"EdDSA",\#(typ),"kid":"k"}"#,
      #"{"alg":["EdDSA"],\#(typ)}"#, "[]", "", "null", "{",
      "{} {}",
    ]
    for header in headers {
      assertRefused(forge(header: header, with: key), verifier, .headerRefused)
    }
  }

  func testADuplicateAlgorithmNeverWinsOverTheKeysOwn() throws {
    let (key, verifier) = try makeKey()
    for algorithms in [["none", "EdDSA"], ["EdDSA", "none"], ["EdDSA", "EdDSA"]] {
      let header =
        "{" + algorithms.map { #""alg":"\#($0)","# }.joined()
        + #""typ":"wallet-instruction+jwt"}"#
      let compact = forge(header: header, with: key)
      // Whichever of the two a JSON reader keeps, the signature is the key's own or it is refused.
      let content = try? read(compact, verifier)
      XCTAssertTrue(content == nil || content == Content(value: 1))
      let (_, stranger) = try makeKey()
      XCTAssertThrowsError(try read(compact, stranger))
    }
  }

  func testTheAlgorithmComesFromTheKeyNotFromTheHeader() throws {
    let (key, verifier) = try makeKey()
    assertRefused(forge(header: goodHeader, with: key), GullibleES256(), .headerRefused)
    let header = #"{"alg":"ES256","typ":"wallet-instruction+jwt"}"#
    assertRefused(forge(header: header, with: key), verifier, .headerRefused)
  }

  func testOneTypeIsNeverTakenForAnother() throws {
    let (key, verifier) = try makeKey()
    let types: [SignedMessageType] = [
      .instruction, .pinInstruction, .instructionResult, .certificate, .configuration,
    ]
    XCTAssertEqual(Set(types.map(\.rawValue)).count, types.count)
    for signed in types {
      let message = try SignedMessage(
        parsing: SignedMessage.sign(Content(value: 1), type: signed, signer: key))
      for wanted in types {
        let content = try? message.content(Content.self, type: wanted, verifier: verifier)
        XCTAssertEqual(content != nil, signed == wanted)
      }
    }
  }

  func testEveryChangedPartIsNoticed() throws {
    let (key, verifier) = try makeKey()
    let compact = try SignedMessage.sign(Content(value: 5), type: .instruction, signer: key)
    let parts = compact.split(separator: ".").map(String.init)
    let payload = Base64URL.encode(#"{"value":6}"#.utf8)
    assertRefused("\(parts[0]).\(payload).\(parts[2])", verifier, .signatureInvalid)
    let other = #"{"typ":"wallet-instruction+jwt","alg":"EdDSA"}"#
    let header = Base64URL.encode(other.utf8)
    assertRefused("\(header).\(parts[1]).\(parts[2])", verifier, .signatureInvalid)
    let zeros = Base64URL.encode([UInt8](repeating: 0, count: 64))
    assertRefused("\(parts[0]).\(parts[1]).\(zeros)", verifier, .signatureInvalid)
    let (_, stranger) = try makeKey()
    assertRefused(compact, stranger, .signatureInvalid)
  }

  func testWhatIsNoCompactMessageIsRefused() throws {
    let (key, verifier) = try makeKey()
    let compact = try SignedMessage.sign(Content(value: 5), type: .instruction, signer: key)
    let parts = compact.split(separator: ".").map(String.init)
    let malformed = [
      "", ".", "..", "...", compact + ".", "." + compact, compact + "=", compact + "\n",
      " " + compact, "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).",
      "\(parts[0]).\(parts[1]).\(parts[2].dropLast(2))",
      "\(parts[0]).\(parts[1])\u{FF0E}\(parts[2])",
      String(repeating: "A", count: SignedMessage.maximumLength + 1),
    ]
    for text in malformed { assertRefused(text, verifier, .malformedSignedMessage) }
  }

  func testASignedContentOfAnotherShapeIsRefused() throws {
    let (key, verifier) = try makeKey()
    for payload in ["{}", #"{"value":"1"}"#, "[]", "", "{", #"{"value":1e99}"#, "\u{FEFF}x"] {
      assertRefused(
        forge(header: goodHeader, payload: payload, with: key), verifier, .contentMalformed)
    }
  }

  func testASignerOfAnotherLengthIsRefused() {
    XCTAssertThrowsError(
      try SignedMessage.sign(Content(value: 1), type: .instruction, signer: ShortSigner())
    ) { XCTAssertEqual($0 as? WireError, .encodingRefused) }
  }
}
