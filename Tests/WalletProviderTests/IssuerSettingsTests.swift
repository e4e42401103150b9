import Foundation
import WalletProvider
import WalletProviderServer
import XCTest

/// The provider's name as an issuer, the type of its PIDs, and its country.
final class IssuerSettingsTests: XCTestCase {
  private func url(_ options: [SettingName: String]) throws -> String? {
    try ServerSettings(options: options).provider.publicURL?.text
  }

  func testTheNameOfTheIssuerIsWhereTheWorldReachesIt() throws {
    let tls: [SettingName: String] = [.tlsCertificate: "c", .tlsKey: "k"]
    for (options, expected): ([SettingName: String], String?) in [
      ([:], "http://127.0.0.1"), ([.port: "0"], "http://127.0.0.1"),
      ([.host: "::1"], "http://[::1]"),
      ([.host: "localhost"], "http://localhost"),
      ([.host: "wallet.example"].merging(tls) { $1 }, "https://wallet.example:8740"),
      ([.host: "wallet.example", .port: "443"].merging(tls) { $1 }, "https://wallet.example"),
      ([.host: "0.0.0.0"].merging(tls) { $1 }, nil),
      (
        [.host: "0.0.0.0", .proofingHosts: "id.example,b.example"].merging(tls) { $1 },
        "https://id.example:8740"
      ),
      ([.behindProxy: "true"], nil),
      ([.behindProxy: "true", .proofingHosts: "id.example"], "https://id.example"),
      (
        [.behindProxy: "true", .publicURL: "https://Example.org/Wallet/"],
        "https://example.org/Wallet"
      ),
    ] { XCTAssertEqual(try url(options), expected, "\(options)") }
  }

  func testRefusesURLsThatNameNoIssuer() {
    for text in [
      "", "wallet.example", "ftp://wallet.example", "http://wallet.example", "https://",
      "https://user@wallet.example", "https://wallet.example?x", "https://wallet.example/a?b",
      "https://wallet.example/a//b", "https://wallet.example/../a", "https://wallet.example/a#b",
      "https://wallet.example/%61", "https://wallet.example/a b", "http://localhost.example",
      "https://wallet.example:0", "https://wallet.example/" + String(repeating: "a", count: 200),
    ] { XCTAssertThrowsError(try url([.publicURL: text]), text) }
  }

  func testTheTypeIsBelowAnHTTPSURLUnlessItIsSet() throws {
    func type(_ options: [SettingName: String]) throws -> String {
      try ServerSettings(options: options).provider.pidType
    }
    XCTAssertEqual(try type([:]), "urn:wallet-provider:pid:1")
    XCTAssertEqual(
      try type([.publicURL: "https://example.org/a"]), "https://example.org/a/types/pid/1")
    XCTAssertEqual(try type([.pidType: "urn:example:pid:1"]), "urn:example:pid:1")
    for bad in ["pid", "http://example.org/pid", "urn:a b", "urn:\u{E9}", "", "urn:\""] {
      XCTAssertThrowsError(try type([.pidType: bad]), bad)
    }
  }

  func testTheTypeOfTheRulebookIsRefusedForTheClaimsThatAreMissing() {
    for type in ["urn:eudi:pid:1", "urn:eudi:pid:nl:1"] {
      XCTAssertThrowsError(try ServerSettings(options: [.pidType: type])) {
        let reason = "\($0)"
        for claim in ["nationalities", "place_of_birth", "picture", "--pid-type"] {
          XCTAssertTrue(reason.contains(claim), reason)
        }
      }
    }
  }

  func testTheCountryIsARealOneWherePeopleAreProofed() throws {
    for code in ["NL", "US", "SS", "AX"] {
      XCTAssertNoThrow(try ServerSettings(options: [.issuingCountry: code]), code)
    }
    for code in ["XX", "EU", "UK", "nl", "N", "NLD", "\u{160}K"] {
      XCTAssertThrowsError(try ServerSettings(options: [.issuingCountry: code]), code)
    }
    for source in [SettingName.authoritativeSource, .simulatedVerdict] {
      let given = [source: source == .simulatedVerdict ? "pending" : "source.json"]
      XCTAssertThrowsError(try ServerSettings(options: given).checkProvider()) {
        XCTAssertTrue("\($0)".contains("set issuing-country"), "\($0)")
      }
      for rest: [SettingName: String] in [[.issuingCountry: "NL"], [.demonstration: "true"]] {
        XCTAssertNoThrow(
          try ServerSettings(options: given.merging(rest) { $1 }).checkProvider(), "\(rest)")
      }
    }
    XCTAssertNoThrow(try ServerSettings().checkProvider())
  }

  func testTheAuthorityHasANameThatACertificateTakes() {
    for name in [String(repeating: "\u{E4}", count: 64), "A"] {
      XCTAssertNoThrow(try ServerSettings(options: [.issuingAuthority: name]))
    }
    XCTAssertThrowsError(
      try ServerSettings(options: [.issuingAuthority: String(repeating: "a", count: 65)]))
  }
}
