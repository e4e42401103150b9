import Crypto
import Foundation
import WalletJOSE
import WalletProtocol
import XCTest

final class CompactJWETests: XCTestCase {
  // RFC 7518 appendix C.
  private let alice =
    #"{"kty":"EC","crv":"P-256","x":"gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0","#
    + #""y":"SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps"}"#
  private let bob = "VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"
  private let derived = "VqqN6vgjbSBcIijNcacQGg"

  private func bobsKey() throws -> KeyAgreementKey {
    try KeyAgreementKey(scalar: JOSETest.bytes(bob))
  }

  private func header(
    alg: String = "ECDH-ES", enc: String = "A128GCM", epk: String? = nil, rest: String = ""
  ) -> String {
    #"{"alg":"\#(alg)","enc":"\#(enc)","apu":"QWxpY2U","apv":"Qm9i","epk":\#(epk ?? alice)\#(rest)}"#
  }

  /// A JWE over a header of our choice, sealed with the key that the example of the RFC derives.
  private func sealed(
    _ header: String, _ content: String = "content", key: [UInt8]? = nil
  ) throws -> [String] {
    let protected = Base64URL.encode(header.utf8)
    let box = try AES.GCM.seal(
      Array(content.utf8), using: SymmetricKey(data: key ?? JOSETest.bytes(derived)),
      authenticating: Array(protected.utf8))
    return [
      protected, "", Base64URL.encode(box.nonce), Base64URL.encode(box.ciphertext),
      Base64URL.encode(box.tag),
    ]
  }

  private func decrypt(_ parts: [String]) throws -> [UInt8] {
    try CompactJWE(parsing: parts.joined(separator: ".")).decrypt(with: bobsKey())
  }

  func testTheKeyOfRFC7518AppendixCOpensWhatItSealed() throws {
    let jwe = try CompactJWE(parsing: sealed(header()).joined(separator: "."))
    XCTAssertEqual(jwe.parties.producer, Array("Alice".utf8))
    XCTAssertEqual(jwe.parties.recipient, Array("Bob".utf8))
    XCTAssertEqual(jwe.encryption, .a128gcm)
    XCTAssertEqual(try jwe.decrypt(with: bobsKey()), Array("content".utf8))
  }

  func testTheExampleOfOpenID4VPSection83Opens() throws {
    let key = try KeyAgreementKey(
      scalar: JOSETest.bytes("Et-3ce0omz8_TuZ96Df9lp0GAaaDoUnDe6X-CRO7Aww"))
    XCTAssertEqual(
      key.publicKey,
      try SubjectPublicKey(
        foreignJWK: JOSETest.json(
          #"{"kty":"EC","crv":"P-256","x":"YO4epjifD-KWeq1sL2tNmm36BhXnkJ0He-WqMYrp9Fk","#
            + #""y":"Hekpm0zfK7C-YccH5iBjcIXgf6YdUvNUac_0At55Okk","kid":"ac","use":"enc"}"#)))
    let jwe = try CompactJWE(
      parsing: [
        "eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImtpZCI6ImFjIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6"
          + "Im5ubVZwbTNWM2piaGNhZlFhUkJrU1ZOSGx3Wkh3dC05ck9wSnVmeVlJdWsiLCJ5IjoicjRmakRxd0p5czlx"
          + "VU9QLV9iM21SNVNaRy0tQ3dPMm1pYzVWU05UWU45ZyIsImNydiI6IlAtMjU2In19", "",
        "uAYcHRUSSn2X0WPX",
        "yVzlGSYG4qbg0bq18JcUiDRw56yVnbKR8E7S7YlEtzT00RqE3Pw5oTpUG3hdLN4taHZ9gC1kwak8JOnJgQ",
        "1wR024_3-qtAlx1oFIUpQQ",
      ].joined(separator: "."))
    XCTAssertEqual(jwe.header.keyID, "ac")
    let content = try JSONValue(parsing: jwe.decrypt(with: key))
    guard case .object(let members) = content, case .object(let token)? = members["vp_token"],
      case .array(let presentations)? = token["example_credential_id"]
    else { return XCTFail("\(content)") }
    XCTAssertEqual(members.count, 1)
    XCTAssertEqual(presentations.count, 1)
  }

  func testWhatIsEncryptedOpensWithTheRecipientsKeyOnly() throws {
    let key = try KeyAgreementKey()
    for encryption in ContentEncryption.allCases {
      for count in [0, 1, 15, 16, 17, 40_000] {
        let content = [UInt8](repeating: 9, count: count)
        let parties = AgreementParties(
          producer: Array("wallet".utf8.prefix(count)), recipient: [0, 255, 1])
        let text = try CompactJWE.encrypt(
          content, for: key.publicKey, keyID: count == 0 ? nil : "ac", with: encryption,
          parties: parties)
        let jwe = try CompactJWE(parsing: text)
        XCTAssertEqual(try jwe.decrypt(with: key), content)
        XCTAssertEqual(jwe.header.keyID, count == 0 ? nil : "ac")
        XCTAssertEqual(jwe.encryption, encryption)
        XCTAssertEqual(jwe.parties, parties)
        XCTAssertEqual(jwe.header.members["apu"] == nil, count == 0)
        assertRefused(.decryptionFailed) { try jwe.decrypt(with: KeyAgreementKey()) }
      }
    }
  }

  func testEachTextHasItsOwnEphemeralKeyAndNonce() throws {
    let key = try KeyAgreementKey().publicKey
    let texts = try (0..<8).map { _ in
      try CompactJWE.encrypt([1], for: key, with: .a256gcm).split(
        separator: ".", omittingEmptySubsequences: false)
    }
    XCTAssertEqual(Set(texts.map { $0[0] }).count, 8)
    XCTAssertEqual(Set(texts.map { $0[2] }).count, 8)
    XCTAssertEqual(Set(texts.map { $0[1] }), [""])
  }

  func testEachChangedCharacterIsRefused() throws {
    let key = try KeyAgreementKey()
    let text = try CompactJWE.encrypt([1, 2, 3], for: key.publicKey, keyID: "k", with: .a256gcm)
    for changed in JOSETest.changes(of: text) + JOSETest.beginnings(of: text) {
      XCTAssertThrowsError(try CompactJWE(parsing: changed).decrypt(with: key), changed)
    }
  }

  func testAChangedTagIsRefusedRFC7516Section52() throws {
    let parts = try sealed(header())
    for bit in 0..<128 {
      var tag = try JOSETest.bytes(parts[4])
      tag[bit / 8] ^= 1 << (bit % 8)
      assertRefused(.decryptionFailed) { try decrypt(parts.dropLast() + [Base64URL.encode(tag)]) }
    }
  }

  func testShortAndLongTagsAndNoncesAreRefusedRFC7518Section53() throws {
    let parts = try sealed(header())
    for part in [2, 4] {
      let bytes = try JOSETest.bytes(parts[part])
      for wrong in [[], Array(bytes.dropLast()), Array(bytes.dropFirst(4)), bytes + [0]] {
        var changed = parts
        changed[part] = Base64URL.encode(wrong)
        assertRefused(.malformed) { try decrypt(changed) }
      }
    }
  }

  func testTheHeaderIsAuthenticatedAsItTravelsRFC7516Section51() throws {
    var parts = try sealed(header())
    parts[0] = Base64URL.encode((header() + " ").utf8)
    assertRefused(.decryptionFailed) { try decrypt(parts) }
  }

  func testTheKeyIsBoundToBothPartiesRFC7518Section462() throws {
    for (from, to) in [
      ("QWxpY2U", "QWxpY2V"), ("Qm9i", "Qm9j"), (#""apu":"QWxpY2U","#, ""), (#""apv":"Qm9i","#, ""),
    ] {
      let parts = try sealed(header().replacing(from, with: to))
      XCTAssertThrowsError(try decrypt(parts), to)
    }
    // Read, but another key.
    let other = try sealed(header().replacing("QWxpY2U", with: "QWxpY2Uh"))
    assertRefused(.decryptionFailed) { try decrypt(other) }
    for wrong in [#""QWxpY2U=""#, #""+""#, "1", "null"] {
      let header = header().replacing(#""QWxpY2U""#, with: wrong)
      assertRefused(.headerMalformed, wrong) { try decrypt(sealed(header)) }
    }
  }

  func testCompressedContentIsRefusedRFC7516Section413() throws {
    for zip in [#","zip":"DEF""#, #","zip":null"#] {
      assertRefused(.encryptionRefused) { try decrypt(sealed(header(rest: zip))) }
    }
  }

  func testCriticalMembersAreRefusedRFC7516Section4113() throws {
    let critical = header(rest: #","crit":["x"],"x":1"#)
    assertRefused(.criticalHeader) { try decrypt(sealed(critical)) }
  }

  func testOtherEncryptionsAreRefused() throws {
    for enc in ["A128CBC-HS256", "A192GCM", "A256CBC-HS512", "a128gcm", "C20P", ""] {
      assertRefused(.encryptionRefused, enc) { try decrypt(sealed(header(enc: enc))) }
    }
    let missing = #"{"alg":"ECDH-ES","epk":\#(alice)}"#
    assertRefused(.encryptionRefused) { try decrypt(sealed(missing)) }
  }

  func testOtherAlgorithmsAreRefused() throws {
    for alg in ["ECDH-ES+A128KW", "dir", "RSA-OAEP", "none", "ecdh-es", "ES256"] {
      assertRefused(.algorithmRefused, alg) { try decrypt(sealed(header(alg: alg))) }
    }
  }

  func testAnEncryptedKeyIsRefusedRFC7516Section52() throws {
    var parts = try sealed(header())
    parts[1] = "AAAA"
    assertRefused(.encryptionRefused) { try decrypt(parts) }
  }

  func testOtherNumbersOfPartsAreRefusedRFC7516Section71() throws {
    let parts = try sealed(header())
    for wrong in [
      [], [""], Array(parts.dropLast()), Array(parts.dropFirst()), parts + [""], parts + ["AAAA"],
      [parts[0], parts[2], parts[3], parts[4]],
    ] {
      assertRefused(.malformed) { try decrypt(wrong) }
    }
  }

  func testPaddingAndStandardBase64AreRefusedRFC7516Section2() throws {
    let parts = try sealed(header())
    for part in [0, 2, 3, 4] {
      for change: (String) -> String in [
        { $0 + "=" }, { $0 + "==" }, { "+" + $0.dropFirst() }, { "/" + $0.dropFirst() },
      ] {
        var changed = parts
        changed[part] = change(parts[part])
        assertRefused(.malformed, "\(part)") { try decrypt(changed) }
      }
    }
  }

  func testRepeatedMembersOfTheHeaderAreRefusedRFC7516Section4() throws {
    for repeated in [#","enc":"A128GCM""#, #","epk":\#(alice)"#, #","\u0061lg":"ECDH-ES""#] {
      assertRefused(.headerMalformed) { try decrypt(sealed(header(rest: repeated))) }
    }
  }

  func testAnEphemeralKeyOffTheCurveIsRefusedRFC7518Section46() throws {
    let off = alice.replacing("LW_xSffz", with: "LW_xSffy")
    assertRefused(.keyRefused) { try decrypt(sealed(header(epk: off))) }
    let zero = String(repeating: "A", count: 43)
    let infinity = #"{"kty":"EC","crv":"P-256","x":"\#(zero)","y":"\#(zero)"}"#
    assertRefused(.keyRefused) { try decrypt(sealed(header(epk: infinity))) }
  }

  func testEphemeralKeysOfOtherFormsAreRefused() throws {
    for epk in [
      "null", "{}", "[]", #""x""#, alice.replacing("P-256", with: "P-384"),
      alice.replacing("EC", with: "OKP"), alice.replacing(#""x""#, with: #""z""#),
      alice.replacing("}", with: #","d":"\#(bob)"}"#),
    ] {
      assertRefused(.keyRefused, epk) { try decrypt(sealed(header(epk: epk))) }
    }
    let missing = #"{"alg":"ECDH-ES","enc":"A128GCM"}"#
    assertRefused(.headerMalformed) { try decrypt(sealed(missing)) }
  }

  func testARecipientOffTheCurveOrOfAnotherKindIsRefused() throws {
    let point = try KeyAgreementKey().publicKey.rawKey
    let off = try SubjectPublicKey(p256: point.dropLast() + [point[64] ^ 1])
    assertRefused(.keyRefused) { try CompactJWE.encrypt([], for: off, with: .a128gcm) }
    let other = try SubjectPublicKey(ed25519: [UInt8](repeating: 9, count: 32))
    assertRefused(.keyRefused) { try CompactJWE.encrypt([], for: other, with: .a128gcm) }
  }

  func testScalarsOfOtherFormsAreRefused() {
    let wrong: [[UInt8]] = [
      [], [1], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32),
      [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33),
    ]
    for scalar in wrong {
      assertRefused(.keyRefused) { try KeyAgreementKey(scalar: scalar) }
    }
  }

  func testTextsBeyondTheLimitAreRefused() throws {
    let key = try KeyAgreementKey()
    let content = [UInt8](repeating: 0, count: CompactJWE.maximumLength)
    let text = try CompactJWE.encrypt(content, for: key.publicKey, with: .a128gcm)
    assertRefused(.malformed) { try CompactJWE(parsing: text) }
    let jwe = try CompactJWE(parsing: text, maximumLength: 2 * 1024 * 1024)
    XCTAssertEqual(try jwe.decrypt(with: key), content)
  }

  func testNothingIsShownByAccident() throws {
    let key = try KeyAgreementKey()
    let jwe = try CompactJWE(parsing: sealed(header()).joined(separator: "."))
    XCTAssertEqual("\(jwe) \(key)", "CompactJWE KeyAgreementKey")
  }
}
