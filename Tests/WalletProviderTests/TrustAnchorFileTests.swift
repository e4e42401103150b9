import Foundation
import ServerTestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// The list of trust anchors that an operator writes, and the reasons why it is refused.
final class TrustAnchorFileTests: XCTestCase {
  private let directory = NSTemporaryDirectory() + "provider-anchors-" + UUID().uuidString

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: directory) }

  /// An entry for a registrar, with what a test changes; nil leaves a member out.
  private func entry(
    _ authority: TestAuthority, _ changes: [String: Any?] = [:]
  ) -> [String: Any] {
    let whole: [String: Any?] = [
      "name": "Registrar", "role": "registrar", "certificate": authority.pem,
      "from": "2026-01-01", "until": "2026-12-31",
    ]
    return whole.merging(changes) { $1 }.compactMapValues { $0 }
  }

  private func read(_ entries: [[String: Any]]) throws -> [PublishedAnchor] {
    let json = try JSONSerialization.data(withJSONObject: ["anchors": entries])
    return try TrustAnchorFile(json: Array(json), directory: directory).anchors
  }

  private func assertRefused(
    _ reason: String, _ entries: [[String: Any]], line: UInt = #line
  ) {
    XCTAssertThrowsError(try read(entries), line: line) {
      XCTAssertEqual(($0 as? SettingsError)?.description, reason, line: line)
    }
  }

  func testAnEntryIsPublishedWithTheWholeOfItsDays() throws {
    let authority = try TestAuthority("authority")
    XCTAssertEqual(
      try read([entry(authority)]),
      [
        PublishedAnchor(
          name: "Registrar", role: "registrar", certificate: authority.text,
          notBefore: 1_767_225_600, notAfter: 1_798_761_599)
      ])
    let issuer = entry(authority, ["role": "issuer", "types": ["urn:example:a", "b"]])
    XCTAssertEqual(try read([issuer]).first?.types, ["urn:example:a", "b"])
    XCTAssertEqual(try read([]), [])
  }

  func testACertificateMayBeInAFileBesideTheList() throws {
    let authority = try TestAuthority("authority")
    let path = directory + "/ca.pem"
    try ("issued by hand\n" + authority.pem).write(
      toFile: path, atomically: true, encoding: .utf8)
    for name in ["ca.pem", path] {
      let given = entry(authority, ["certificate": Any?.none, "certificate_file": name])
      XCTAssertEqual(try read([given]).first?.certificate, authority.text)
    }
    assertRefused(
      "anchor 1, \"Registrar\": there is no file \(directory)/no.pem",
      [entry(authority, ["certificate": Any?.none, "certificate_file": "no.pem"])])
    try (authority.pem + authority.pem).write(toFile: path, atomically: true, encoding: .utf8)
    assertRefused(
      "anchor 1, \"Registrar\": \(path) does not hold exactly one PEM certificate",
      [entry(authority, ["certificate": Any?.none, "certificate_file": path])])
  }

  func testEachBadEntryIsNamedWithItsReason() throws {
    let authority = try TestAuthority("authority")
    let noAuthority = try TestAuthority("leaf", isAuthority: false)
    let named = "anchor 2, \"Registrar\""
    let days = "must be a day like \"2030-12-31\""
    let types = "\"types\" must be a list of 1 to 64 different types of cards of 1 to 256 bytes"
    let name = "anchor 2: \"name\" must be a line of 1 to 128 bytes"
    let cases: [([String: Any?], String)] = [
      (["name": Any?.none], name), (["name": ""], name), (["name": "two\nlines"], name),
      (["name": String(repeating: "n", count: 129)], name),
      (
        ["role": "verifier"],
        "\(named): \"role\" must be one of relying-party, issuer, registrar, status, tls"
      ),
      (["types": ["urn:example:a"]], "\(named): \"types\" must be left out, but for issuers"),
      (["role": "issuer"], "\(named): \(types)"),
      (["role": "issuer", "types": [String]()], "\(named): \(types)"),
      (["role": "issuer", "types": ["a", "a"]], "\(named): \(types)"),
      (
        ["role": "issuer", "types": [String(repeating: "t", count: 257)]], "\(named): \(types)"
      ),
      (["role": "issuer", "types": (1...65).map { "\($0)" }], "\(named): \(types)"),
      (["from": "2026-02-30"], "\(named): \"from\" \(days)"),
      (["until": "1969-12-31"], "\(named): \"until\" \(days)"),
      (["until": 1_800_000_000], "\(named): \"until\" \(days)"),
      (["until": "2025-12-31"], "\(named): \"from\" must not be later than \"until\""),
      (
        ["certificate": Any?.none],
        "\(named): \"certificate\" must be there, or else \"certificate_file\""
      ),
      (
        ["certificate_file": "ca.pem"],
        "\(named): \"certificate\" must be there, or else \"certificate_file\""
      ),
      (
        ["certificate": "MAA="],
        "\(named): \"certificate\" does not hold exactly one PEM certificate"
      ),
      (
        ["certificate": "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"],
        "\(named): the certificate is not one of X.509 version 3"
      ),
      (
        ["certificate": authority.pem.replacing("CERTIFICATE", with: "PUBLIC KEY")],
        "\(named): \"certificate\" does not hold exactly one PEM certificate"
      ),
      (
        ["certificate": noAuthority.pem],
        "\(named): the certificate is not that of an authority (basicConstraints CA)"
      ),
      (
        ["certificate": try TestAuthority("long", padding: 8192).pem],
        "\(named): the certificate is longer than wallets read"
      ),
      (
        ["certificate": authority.pem], "\(named): another entry has its certificate and role"
      ),
      (
        ["valid": true],
        "anchor 2 has the unknown member \"valid\"; known are name, role, types, certificate,"
          + " certificate_file, from, until"
      ),
    ]
    for (changes, reason) in cases {
      let other = try TestAuthority("other")
      assertRefused(reason, [entry(authority), entry(other, changes)])
    }
    // The same certificate in another role is another anchor.
    XCTAssertEqual(
      try read([entry(authority), entry(authority, ["role": "status"])]).map(\.role),
      ["registrar", "status"])
  }

  func testWhatIsNoListIsRefused() throws {
    for (text, reason) in [
      ("", "it is not JSON"), ("[]", "the file must be an object, {...}"),
      ("{}", "the file: \"anchors\" must be a list of anchors, [...]"),
      (#"{"anchors":[1]}"#, "anchor 1 must be an object, {...}"),
    ] {
      XCTAssertThrowsError(try TrustAnchorFile(json: Array(text.utf8), directory: directory)) {
        XCTAssertEqual(($0 as? SettingsError)?.description, reason)
      }
    }
  }

  func testMoreAnchorsThanAConfigurationMayHaveAreRefused() throws {
    let authority = try TestAuthority("authority")
    assertRefused(
      "there are more than 256 anchors",
      [[String: Any]](repeating: entry(authority), count: 257))
  }

  func testAListThatWouldMakeTheConfigurationTooLongIsRefused() throws {
    // Each entry takes somewhat more than 10,000 bytes.
    let entries = try (1...13).map { entry(try TestAuthority("\($0)", padding: 7500)) }
    XCTAssertThrowsError(try read(entries)) {
      let reason = "\($0)"
      XCTAssertTrue(reason.hasPrefix("it takes 13"), reason)
      XCTAssertTrue(
        reason.hasSuffix(
          " bytes of the configuration, and at most 131072 are allowed; leave anchors out"), reason)
    }
    let most = try read(Array(entries.dropLast()))
    XCTAssertEqual(most.count, 12)
    // What is allowed fits into what an app embeds.
    var settings = ProviderSettings()
    settings.trustAnchors = most
    let data = try DataDirectory(path: directory + "/data", settings: settings)
    let document = try WireJSON.encode(data.clientConfiguration(url: "https://provider.example"))
    XCTAssertGreaterThan(document.count, 160_000)
    XCTAssertLessThan(document.count, 200_000)
  }
}
