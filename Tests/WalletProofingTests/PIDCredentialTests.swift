import WalletCrypto
import WalletModel
import WalletProtocol
import XCTest

@testable import WalletProofing

/// Tests what the wallet accepts as a PID, stores and presents.
final class PIDCredentialTests: XCTestCase {
  private static let issued: Int64 = 1_790_000_000
  private static let issuer = "https://provider.example"
  private var issuerKey: Ed25519.SigningKey!
  private var holderKey: Ed25519.SigningKey!

  override func setUpWithError() throws {
    issuerKey = try key(1, "issuer-1")
    holderKey = try key(2, nil)
  }

  private func key(_ seed: UInt8, _ id: String?) throws -> Ed25519.SigningKey {
    try Ed25519.SigningKey(
      seed: Secret(copying: [UInt8](repeating: seed, count: 32)), keyID: id)
  }

  private func subject(_ key: Ed25519.SigningKey) throws -> SubjectPublicKey {
    try SubjectPublicKey(ed25519: key.publicKey)
  }

  private func claims() throws -> PIDClaims {
    PIDClaims(
      familyName: "Quillfeather", givenName: "Odalys",
      birthdate: try XCTUnwrap(CalendarDate("1988-03-09")),
      issuedOn: try XCTUnwrap(CalendarDate("2026-09-21")), issuingAuthority: "Example Authority",
      issuingCountry: "US",
      verification: PIDVerification(
        evidence: .drivingPermit, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: false, demonstration: false))
  }

  private func issue(
    issuer: String = PIDCredentialTests.issuer, days: Int64 = 90, holder: SubjectPublicKey? = nil,
    signer: Ed25519.SigningKey? = nil,
    change: (inout SDJWTContent) -> Void = { _ in }
  ) throws -> String {
    var content = try claims().content(
      issuer: issuer, issuedAt: Self.issued, expires: Self.issued + min(days, 90) * 86_400,
      holderKey: try holder ?? subject(holderKey))
    content.expires = Self.issued + days * 86_400
    change(&content)
    return try SDJWT.issue(
      content, signer: signer ?? issuerKey, salt: { Random.bytes(16) }, sha256: Hash.sha256)
  }

  private func receive(_ text: String, now: Int64 = issued) throws -> PIDCredential {
    try PIDCredential(
      issued: Secret(copying: Array(text.utf8)), issuer: Self.issuer,
      issuerKeys: [PublishedKey(id: "issuer-1", key: Base64URL.encode(issuerKey.publicKey))],
      boundTo: try subject(holderKey), keyIdentifier: "wallet_core.pid.1", now: now)
  }

  private func refuses(
    _ text: String, now: Int64 = issued, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertThrowsError(try receive(text, now: now), file: file, line: line) { error in
      XCTAssertEqual((error as? WalletError)?.kind, .serverRefused, file: file, line: line)
      XCTAssertFalse("\(error)".contains("Quillfeather"), file: file, line: line)
    }
  }

  func testACardShowsTheClaimsAndWhichMayBeWithheld() throws {
    let pid = try receive(issue())
    let card = pid.card(id: "pid", now: Self.issued)
    XCTAssertEqual(card.type, "urn:wallet-provider:pid:1")
    XCTAssertEqual(card.issuer, "Example Authority")
    XCTAssertEqual(card.claims["family_name"], .text("Quillfeather"))
    XCTAssertEqual(card.claims["birthdate"], .text("1988-03-09"))
    XCTAssertEqual(card.claims["age_equal_or_over"], .members(["18": .truth(true)]))
    XCTAssertEqual(
      card.claims["verification"],
      .members([
        "evidence": .text("driving_permit"), "barcode_claimed": .truth(true),
        "account_match": .truth(true), "issuing_source_match": .truth(false),
        "demonstration": .truth(false),
      ]))
    XCTAssertEqual(
      card.disclosable,
      ["age_equal_or_over", "birthdate", "family_name", "given_name"].map { [.name($0)] })
    XCTAssertEqual(card.state, .valid)
    let expiry = try XCTUnwrap(card.expiresAt)
    let issued = try XCTUnwrap(card.issuedAt)
    let lead = min(30 * 86_400, (expiry - issued) / 10)
    XCTAssertEqual(pid.card(id: "pid", now: expiry - lead - 1).state, .valid)
    XCTAssertEqual(pid.card(id: "pid", now: expiry - lead).state, .expiresSoon)
    XCTAssertEqual(pid.card(id: "pid", now: expiry).state, .expired)
    XCTAssertFalse("\(pid)".contains("Quillfeather"))
  }

  func testAPIDOfAnotherIssuerKeyHolderTypeOrTimeIsRefused() throws {
    refuses(try issue(issuer: "https://elsewhere.example"))
    refuses(try issue(signer: key(3, "issuer-1")))
    refuses(try issue(signer: key(1, "issuer-2")))
    refuses(try issue(holder: subject(key(4, nil))))
    refuses(try issue { $0.type = "urn:wallet-provider:pid:2" })
    refuses(try issue(days: 91))
    refuses(try issue(), now: Self.issued + 90 * 86_400 + 301)
    refuses(try issue(), now: Self.issued - 301)
    refuses(
      try issue {
        $0.claims["given_name"] = nil; $0.disclosable.remove("given_name")
      })
    refuses(try issue { $0.claims["birthdate"] = .string("1988-02-30") })
    XCTAssertNoThrow(try receive(issue()))
  }

  /// The clocks of the provider's servers may differ.
  func testTwoClocksOfTheProviderMayDifferByFiveMinutes() throws {
    XCTAssertNoThrow(try receive(issue(), now: Self.issued - 299))
  }

  func testAChangedOrIncompletePIDIsRefused() throws {
    let text = try issue()
    var parts = text.split(separator: "~").map(String.init)
    parts.remove(at: 1)
    refuses(parts.joined(separator: "~") + "~")
    refuses(text + "~")
    refuses(String(text.dropLast()))
    refuses("")
    for index in stride(from: 0, to: text.utf8.count, by: 7) {
      var bytes = Array(text.utf8)
      bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      refuses(String(decoding: bytes, as: UTF8.self))
    }
  }

  func testAStoredPIDIsReadRegardlessOfTheIssuerKeys() throws {
    let pid = try receive(issue())
    let again = try PIDCredential(stored: pid.stored())
    XCTAssertEqual(again.keyIdentifier, "wallet_core.pid.1")
    XCTAssertEqual(again.holderKey, try subject(holderKey))
    XCTAssertEqual(again.card(id: "pid", now: 0), pid.card(id: "pid", now: 0))
    for bytes in [Array("{}".utf8), [], [0xFF]] {
      XCTAssertThrowsError(try PIDCredential(stored: Secret(copying: bytes))) { error in
        XCTAssertEqual((error as? WalletError)?.kind, .storageCorrupt)
      }
    }
  }

  func testAPresentationDisclosesOnlyTheChosenClaims() throws {
    let pid = try receive(issue())
    let text = try pid.present(
      disclosing: ["age_equal_or_over"], nonce: "n-1", audience: "https://shop.example",
      now: Self.issued + 5, signer: holderKey)
    let verified = try SDJWT(parsing: text).verifyPresentation(
      SDJWTExpectation(issuer: Self.issuer, type: PIDClaims.type, now: Self.issued + 10),
      keyBinding: KeyBindingExpectation(audience: "https://shop.example", nonce: "n-1"),
      verifier: Ed25519.VerifyingKey(publicKey: issuerKey.publicKey),
      holderVerifier: { try? Ed25519.VerifyingKey(publicKey: $0.rawKey) }, sha256: Hash.sha256)
    XCTAssertEqual(verified.disclosed, ["age_equal_or_over"])
    XCTAssertEqual(verified.withheldCount, 3)
    XCTAssertFalse(text.contains(Base64URL.encode(Array("Quillfeather".utf8))))
  }

  func testAnUnknownClaimAndAnExpiredCardHaveTheirOwnErrors() throws {
    let pid = try receive(issue())
    func present(_ names: Set<String>, now: Int64) throws {
      _ = try pid.present(
        disclosing: names, nonce: "n", audience: "a", now: now, signer: holderKey)
    }
    XCTAssertThrowsError(try present(["nationality"], now: Self.issued)) { error in
      XCTAssertEqual((error as? WalletError)?.kind, .invalidArgument)
      XCTAssertTrue((error as? WalletError)?.message.contains("birthdate") == true)
    }
    XCTAssertThrowsError(try present([], now: Self.issued + 90 * 86_400)) { error in
      XCTAssertEqual((error as? WalletError)?.kind, .cardExpired)
    }
  }
}
