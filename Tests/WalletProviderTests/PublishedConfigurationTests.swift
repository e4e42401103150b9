import Foundation
import WalletProtocol
import WalletProvider
import WalletSignatures
import XCTest

final class PublishedConfigurationTests: XCTestCase {
  private let path = NSTemporaryDirectory() + "provider-configuration-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: path) }

  func testVersionIncreasesWithEveryChangeAndOnlyThen() throws {
    var settings = ProviderSettings()
    let first = try DataDirectory(path: path, settings: settings).configuration
    XCTAssertEqual(first.claims.configurationVersion, 1)
    XCTAssertEqual(try DataDirectory(path: path, settings: settings).configuration, first)
    settings.inactiveTimeout = 400_000
    let second = try DataDirectory(path: path, settings: settings).configuration
    XCTAssertEqual(second.claims.configurationVersion, 2)
    XCTAssertEqual(second.claims.inactiveTimeoutMilliseconds, 400_000)
    XCTAssertNotEqual(second.entityTag, first.entityTag)
    // Going back to the old settings is a change too.
    let third = try DataDirectory(path: path, settings: ProviderSettings()).configuration
    XCTAssertEqual(third.claims.configurationVersion, 3)
  }

  func testPublishesTheArgon2idParameters() throws {
    var settings = ProviderSettings()
    settings.pinKeyMemoryBytes = 72 * 1024 * 1024
    settings.pinKeyPasses = 4
    let claims = try DataDirectory(path: path, settings: settings).configuration.claims
    XCTAssertEqual(claims.pinKeyMemoryBytes, 72 * 1024 * 1024)
    XCTAssertEqual(claims.pinKeyPasses, 4)
  }

  func testClientConfigurationCommandNeverPublishes() throws {
    var settings = ProviderSettings()
    let first = try DataDirectory(path: path, settings: settings).configuration
    settings.inactiveTimeout = 400_000
    let asked = try DataDirectory(path: path, settings: settings, publish: false).configuration
    XCTAssertEqual(asked, first)
  }

  func testStartFailsWithAConfigurationSignedByOtherKeys() throws {
    _ = try DataDirectory(path: path, settings: ProviderSettings())
    let file = path + "/configuration.jwt"
    let whole = try String(contentsOfFile: file, encoding: .utf8)
    let shorter = String(whole.dropLast(4))
    for content in ["", shorter, whole + "AAAA", whole.replacing("eyJ", with: "eyK")] {
      try content.write(toFile: file, atomically: true, encoding: .utf8)
      XCTAssertThrowsError(try DataDirectory(path: path, settings: ProviderSettings())) {
        XCTAssertTrue("\($0)".contains(file))
      }
    }
  }

  func testAClientCanVerifyTheEmbeddedConfigurationWithThePublishedKeys() throws {
    let directory = try DataDirectory(path: path, settings: ProviderSettings())
    let client = try directory.clientConfiguration(url: "https://provider.example/")
    XCTAssertEqual(client.providerURL, "https://provider.example")
    XCTAssertFalse(client.allowLoopbackHTTP)
    let message = try SignedMessage(parsing: client.configuration)
    let key = try XCTUnwrap(
      client.configurationSigningKeys.first { $0.id == message.keyID })
    let verifier = try XCTUnwrap(PublicKeyVerifier(ed25519: Base64URL.decode(key.key) ?? []))
    let claims = try message.content(
      ConfigurationClaims.self, type: .configuration, verifier: verifier)
    XCTAssertEqual(claims, directory.configuration.claims)
    let all =
      claims.resultKeys + claims.certificateKeys + claims.encryptionKeys + claims.useKeys
      + client.configurationSigningKeys
    XCTAssertEqual(Set(all.map(\.id)).count, 6)
    XCTAssertTrue(all.allSatisfy { Base64URL.decode($0.key)?.count == 32 })
  }

  func testAllowsPlainHTTPOnlyForLiteralLoopbackAddresses() throws {
    let directory = try DataDirectory(path: path, settings: ProviderSettings())
    for url in ["http://127.0.0.1:8740", "http://127.9.9.9", "http://[::1]:80/"] {
      XCTAssertTrue(try directory.clientConfiguration(url: url).allowLoopbackHTTP, url)
    }
    let refused = [
      "", "127.0.0.1", "ftp://127.0.0.1", "http://", "http://localhost:8740", "http://10.0.0.1",
      "http://127.0.0.1.example.org", "http://127.0.0.1@example.org", "http://user@127.0.0.1",
      "http://127.0.0.1:0", "http://127.0.0.1:99999", "http://127.0.0.1:8740/path",
      "http://127.0.0.1?q", "http://127.1", "http://[::1", "http://[::2]", "https://",
      "https://a b",
      "https://host/path", "https://host?q", "https://host#f", "http://128.0.0.1", "https://h:+1",
    ]
    for url in refused {
      XCTAssertThrowsError(try directory.clientConfiguration(url: url), url) {
        XCTAssertTrue($0 is SettingsError)
      }
    }
  }
}
