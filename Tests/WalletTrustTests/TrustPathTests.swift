import Crypto
import SwiftASN1
import WalletJOSE
import WalletTrust
import X509
import XCTest

/// Chains, links and signatures (RFC 5280 section 6.1).
final class TrustPathTests: XCTestCase {
  func testAGoodChainGivesTheLeaf() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    let leaf = try pki.judge(chain)
    XCTAssertEqual(leaf.organizationName, "Example Shop B.V.")
    XCTAssertNil(leaf.organizationIdentifier)
    XCTAssertEqual(leaf.dnsNames, ["shop.example", "www.shop.example"])
    XCTAssertEqual(leaf.uris, ["https://shop.example/start"])
    XCTAssertEqual(leaf.digest, JOSEDigest.sha256(chain[0]))
    XCTAssertEqual(leaf.authorityKeyIdentifiers, [Array("middle".utf8), Array("root".utf8)])
    XCTAssertEqual(leaf.anchorName, "Example relying-party")
    XCTAssertFalse(leaf.mayIssue(["urn:example:a"]))
    let message: [UInt8] = [1, 2, 3]
    let signature = Array(try pki.leafKey.signature(for: message).rawRepresentation)
    XCTAssertTrue(leaf.verifier.isValid(signature: signature, for: message))
    XCTAssertFalse(leaf.verifier.isValid(signature: signature, for: message + [4]))
  }

  func testChainsOfOneToFourCertificatesAreTrusted() throws {
    let pki = try TestPKI()
    var authorities = [pki.root]
    for depth in 1...5 {
      if depth > 1 { authorities.append(try .authority("authority \(depth)")) }
      let next = try XCTUnwrap(authorities.last)
      var leaf = pki.leaf
      leaf.authorityKey = nil
      let above = zip(authorities.dropFirst(), authorities).reversed()
      let chain =
        [try TestPKI.der(leaf.signed(by: next))]
        + (try above.map { try TestPKI.der($0.signed(by: $1)) })
      XCTAssertEqual(chain.count, depth)
      if depth <= TrustAnchors.maximumDepth {
        XCTAssertNoThrow(try pki.judge(chain), "\(depth)")
      } else {
        assertThrows(.chainLength) { try pki.judge(chain) }
      }
    }
  }

  func testAnEmptyChainIsRefused() throws {
    let pki = try TestPKI()
    assertThrows(.chainLength) { try pki.judge([]) }
  }

  func testACertificateBeyondTheLimitIsRefused() throws {
    assertRefused(.chainLength) {
      $0.leaf.names = [.uniformResourceIdentifier(String(repeating: "a", count: 8 * 1024))]
    }
    assertTrusted { $0.leaf.names = [.dnsName(String(repeating: "a", count: 7000))] }
  }

  func testASelfSignedCertificateIsRefused() throws {
    let pki = try TestPKI()
    var alone = pki.leaf
    alone.authorityKey = nil
    let chain = [try TestPKI.der(alone.signed(by: alone))]
    assertThrows(.selfIssued) { try pki.judge(chain) }
    // Another root than the anchor, brought along by the message.
    let other = try TestPKI()
    assertThrows(.selfIssued) { try pki.judge(other.chain + [other.rootDER]) }
  }

  func testTheAnchorInTheChainIsRefused() throws {
    let pki = try TestPKI()
    let anchor = try pki.anchor()
    // Certificates differ with each making, so the anchor and the chain take the same one.
    let root = try pki.rootDER
    let same = try TrustAnchor(
      name: "a", role: .relyingParty, certificate: root, inForce: anchor.inForce)
    assertThrows(.anchorInChain) { try pki.judge(pki.chain + [root], anchors: [same]) }
    assertThrows(.anchorInChain) { try pki.judge([root], anchors: [same]) }
    // One that is not self-signed.
    let chain = try pki.chain
    let middle = try TrustAnchor(
      name: "b", role: .relyingParty, certificate: chain[1], inForce: anchor.inForce)
    assertThrows(.anchorInChain) { try pki.judge(chain, anchors: [anchor, middle]) }
  }

  func testAnAnchorOfAnotherRoleMayStandInTheChain() throws {
    let pki = try TestPKI()
    let anchor = try pki.anchor()
    let chain = try pki.chain
    let other = try TrustAnchor(
      name: "b", role: .registrar, certificate: chain[1], inForce: anchor.inForce)
    XCTAssertEqual(try pki.judge(chain, anchors: [anchor, other]).anchorName, anchor.name)
  }

  func testAnAnchorThatIsNotSelfSignedIsEnough() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    let middle = try TrustAnchor(
      name: "middle", role: .relyingParty, certificate: chain[1],
      inForce: TestPKI.now...TestPKI.now)
    let leaf = try pki.judge([chain[0]], anchors: [middle])
    XCTAssertEqual(leaf.anchorName, "middle")
    XCTAssertEqual(leaf.authorityKeyIdentifiers, [Array("middle".utf8), Array("root".utf8)])
  }

  func testAnUnknownRootIsRefused() throws {
    let pki = try TestPKI()
    var other = try TestPKI()
    // Of the same name and key identifier, but with its own key.
    assertThrows(.signatureInvalid) { try pki.judge(other.chain) }
    other.root.subject = try DistinguishedName { CommonName("another root") }
    assertThrows(.anchorUnknown) { try pki.judge(other.chain) }
    assertThrows(.anchorUnknown) { try pki.judge(anchors: []) }
  }

  func testTheOrderOfTheChainIsThatOfIssuanceRFC7515Section416() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    assertThrows(.notAuthority) { try pki.judge(chain.reversed()) }
    assertThrows(.anchorUnknown) { try pki.judge([chain[0]]) }
    assertThrows(.notAuthority) { try pki.judge([chain[0]] + chain) }
    let stranger = try TestPKI.der(Recipe.authority("stranger").signed(by: pki.root))
    assertThrows(.nameMismatch) { try pki.judge([chain[0], stranger, chain[1]]) }
    assertThrows(.nameMismatch) { try pki.judge(chain + [stranger]) }
  }

  func testAnotherIssuerNameIsRefusedRFC5280Section613() throws {
    assertRefused(.nameMismatch) {
      $0.leaf.issuer = try DistinguishedName { CommonName("Middle") }
    }
    assertRefused(.anchorUnknown) {
      $0.middle.issuer = try DistinguishedName { CommonName("roots") }
    }
  }

  func testASignatureOfAnotherKeyIsRefusedRFC5280Section613() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    var impostor = pki.middle
    impostor.key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let leaf = try TestPKI.der(pki.leaf.signed(by: impostor))
    assertThrows(.signatureInvalid) { try pki.judge([leaf, chain[1]]) }
    impostor = pki.root
    impostor.key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let middle = try TestPKI.der(pki.middle.signed(by: impostor))
    assertThrows(.signatureInvalid) { try pki.judge([chain[0], middle]) }
  }

  func testAuthoritiesMayHaveP384KeysAndSignWithES384() throws {
    assertTrusted { $0.root.key = Certificate.PrivateKey(P384.Signing.PrivateKey()) }
    assertTrusted { $0.middle.key = Certificate.PrivateKey(P384.Signing.PrivateKey()) }
    assertTrusted {
      $0.root.key = Certificate.PrivateKey(P384.Signing.PrivateKey())
      $0.middle.key = Certificate.PrivateKey(P384.Signing.PrivateKey())
    }
  }

  func testOtherAlgorithmsOfSignaturesAreRefused() throws {
    for algorithm: Certificate.SignatureAlgorithm in [.ecdsaWithSHA384, .ecdsaWithSHA512] {
      assertRefused(.algorithmRefused) { $0.leaf.algorithm = algorithm }
      assertRefused(.algorithmRefused) { $0.middle.algorithm = algorithm }
    }
    assertRefused(.algorithmRefused) {
      $0.middle.key = Certificate.PrivateKey(P384.Signing.PrivateKey())
      $0.leaf.algorithm = .ecdsaWithSHA256
    }
    for key in [
      Certificate.PrivateKey(P521.Signing.PrivateKey()),
      Certificate.PrivateKey(Curve25519.Signing.PrivateKey()),
    ] {
      assertRefused(.algorithmRefused) { $0.middle.key = key }
    }
  }

  func testTheAlgorithmIsStatedTwiceAlikeRFC5280Section4112() throws {
    let pki = try TestPKI()
    let chain = try pki.chain
    // ecdsa-with-SHA256 ends in 02, ecdsa-with-SHA384 in 03.
    let sha256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    var changed = chain[0]
    let places = changed.indices.filter { changed[$0...].starts(with: sha256) }
    XCTAssertEqual(places.count, 2)
    for place in places {
      changed = chain[0]
      changed[place + 9] = 0x03
      assertThrows(.algorithmRefused) { try pki.judge([changed, chain[1]]) }
    }
  }

  func testAuthorityKeyIdentifiersMatchWherePresentRFC5280Section4211() throws {
    assertTrusted("none") { $0.leaf.authorityKey = nil }
    assertTrusted("no subject key identifier") { $0.middle.subjectKey = nil }
    assertRefused(.keyIdentifierMismatch) {
      $0.leaf.authorityKey = AuthorityKeyIdentifier(keyIdentifier: [1, 2, 3])
    }
    assertRefused(.keyIdentifierMismatch) { $0.middle.subjectKey = Array("other".utf8) }
    assertRefused(.keyIdentifierMismatch) {
      $0.middle.authorityKey = AuthorityKeyIdentifier(keyIdentifier: [])
    }
    assertRefused(.keyIdentifierMismatch) {
      $0.leaf.authorityKey = AuthorityKeyIdentifier(
        authorityCertIssuer: [.directoryName($0.root.subject)],
        authorityCertSerialNumber: Certificate.SerialNumber(bytes: [1]))
    }
    assertRefused(.keyIdentifierMismatch) {
      $0.leaf.authorityKey = AuthorityKeyIdentifier(
        authorityCertIssuer: [.directoryName($0.middle.subject)])
    }
    assertTrusted {
      $0.leaf.authorityKey = AuthorityKeyIdentifier(
        authorityCertIssuer: [.directoryName($0.root.subject)])
    }
  }
}
