import Foundation
import WalletConfiguration
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletStorage
import WalletTransport
import XCTest

/// Signs configurations as a provider does.
struct Publisher {
  let online: Ed25519.SigningKey
  let offline: Ed25519.SigningKey
  var url = "http://127.0.0.1:1"
  var allowLoopbackHTTP = true

  init() throws {
    online = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "online")
    offline = try Ed25519.SigningKey(seed: .random(count: 32), keyID: "offline")
  }

  func claims(_ version: UInt64, provider: String = "provider") -> ConfigurationClaims {
    let key = PublishedKey(id: "k", key: Base64URL.encode([UInt8](repeating: 7, count: 32)))
    return ConfigurationClaims(
      configurationVersion: version, providerID: provider, resultKeys: [key],
      certificateKeys: [key], encryptionKeys: [key])
  }

  func compact(_ claims: ConfigurationClaims, by key: Ed25519.SigningKey? = nil) throws -> String {
    try SignedMessage.sign(claims, type: .configuration, signer: key ?? online)
  }

  func document(_ change: (inout ClientConfiguration) -> Void = { _ in }) throws -> [UInt8] {
    var document = ClientConfiguration(
      providerURL: url, allowLoopbackHTTP: allowLoopbackHTTP,
      configurationSigningKeys: [online, offline].map {
        PublishedKey(id: $0.keyID ?? "", key: Base64URL.encode($0.publicKey))
      },
      configuration: try compact(claims(5)))
    change(&document)
    return try WireJSON.encode(document)
  }
}

final class ConfigurationAnchorTests: XCTestCase {
  private func assertInvalid(
    _ document: [UInt8], pinned: [(id: String, publicKey: [UInt8])] = [],
    file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertThrowsError(
      try ConfigurationAnchor(document: document, pinnedKeys: pinned), file: file, line: line
    ) { XCTAssertEqual(($0 as? WalletError)?.kind, .configurationInvalid, file: file, line: line) }
  }

  func testTheDocumentOfTheProviderIsAccepted() throws {
    let publisher = try Publisher()
    let anchor = try ConfigurationAnchor(document: publisher.document(), pinnedKeys: [])
    XCTAssertEqual(anchor.embedded.configurationVersion, 5)
  }

  func testTheOfflineKeyMaySignToo() throws {
    let publisher = try Publisher()
    let compact = try publisher.compact(publisher.claims(6), by: publisher.offline)
    let document = try publisher.document { $0.configuration = compact }
    XCTAssertEqual(
      try ConfigurationAnchor(document: document, pinnedKeys: []).embedded.configurationVersion, 6)
  }

  func testRubbishOneKeyTwinKeysAndForeignSignaturesAreInvalid() throws {
    let publisher = try Publisher()
    assertInvalid([])
    assertInvalid(Array("{}".utf8))
    assertInvalid([UInt8](repeating: 0x20, count: 300 * 1024))
    assertInvalid(try publisher.document { $0.schema = 2 })
    assertInvalid(try publisher.document { $0.configurationSigningKeys.removeLast() })
    assertInvalid(
      try publisher.document {
        $0.configurationSigningKeys[1] = PublishedKey(
          id: "twin", key: $0.configurationSigningKeys[0].key)
      })
    let otherProvider = try Publisher()
    let forged = try otherProvider.compact(publisher.claims(5))
    assertInvalid(try publisher.document { $0.configuration = forged })
  }

  func testAnEndThatCannotBeReckonedWithIsInvalid() throws {
    let publisher = try Publisher()
    for end in [-1, 1 << 40, .max] as [Int64] {
      var claims = publisher.claims(5)
      claims.validUntil = end
      let configuration = try publisher.compact(claims)
      assertInvalid(try publisher.document { $0.configuration = configuration })
      let policy = try SignedMessage.sign(
        UpdatePolicyClaims(providerID: "provider", issuedAt: 1, rules: [], validUntil: end),
        type: .updatePolicy, signer: publisher.online)
      assertInvalid(try publisher.document { $0.updatePolicy = policy })
    }
  }

  func testHTTPIsOnlyForLoopbackAndOnlyIfAllowed() throws {
    var publisher = try Publisher()
    publisher.allowLoopbackHTTP = false
    assertInvalid(try publisher.document())
    publisher.allowLoopbackHTTP = true
    publisher.url = "http://example.org"
    assertInvalid(try publisher.document())
    publisher.url = "https://example.org"
    XCTAssertNoThrow(try ConfigurationAnchor(document: publisher.document(), pinnedKeys: []))
  }

  func testPinnedKeysReplaceThoseOfTheDocument() throws {
    let publisher = try Publisher()
    let pinned = [publisher.online, publisher.offline].map {
      (id: $0.keyID ?? "", publicKey: $0.publicKey)
    }
    XCTAssertNoThrow(
      try ConfigurationAnchor(
        document: publisher.document { $0.configurationSigningKeys = [] }, pinnedKeys: pinned))
    let otherProvider = try Publisher()
    let foreign = [otherProvider.online, otherProvider.offline].map {
      (id: $0.keyID ?? "", publicKey: $0.publicKey)
    }
    assertInvalid(try publisher.document(), pinned: foreign)
  }
}

final class ConfigurationRepositoryTests: XCTestCase {
  private var publisher: Publisher!
  private var directory: StorageDirectory!
  private var path: String!

  override func setUpWithError() throws {
    publisher = try Publisher()
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("configuration-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    directory = try StorageDirectory(path: path)
  }

  override func tearDown() {
    directory.release()
    try? FileManager.default.removeItem(atPath: path)
  }

  private func repository(
    isLoaded: Bool = true,
    onChange: @escaping @Sendable (Versioned<HostConfiguration>) -> Void = { _ in }
  ) throws -> ConfigurationRepository {
    let repository = ConfigurationRepository(
      anchor: try ConfigurationAnchor(document: publisher.document(), pinnedKeys: []), log: .silent,
      onChange: onChange)
    if isLoaded { repository.load(from: directory) }
    return repository
  }

  private func tag(_ compact: String) -> String {
    "\"" + Base64URL.encode(Hash.sha256(Array(compact.utf8))) + "\""
  }

  func testAnETagThatDoesNotMatchTheBodyIsIgnored() throws {
    let compact = try publisher.compact(publisher.claims(6))
    for forged in ["*", "\"six\"", "\"é\"", String(repeating: "x", count: 60_000), ""] {
      let repository = try repository()
      _ = try repository.accept(compact, etag: forged)
      XCTAssertNil(repository.etag)
      XCTAssertNil(try self.repository().etag)
    }
  }

  func testANewerConfigurationIsAcceptedStoredAndAnnouncedOnce() throws {
    let changes = Monitor<[UInt64]>([])
    let first = try repository { change in changes.update { $0.append(change.value.version) } }
    let compact = try publisher.compact(publisher.claims(6))
    XCTAssertEqual(try first.accept(compact, etag: tag(compact)), .newer)
    XCTAssertEqual(try first.accept(compact, etag: tag(compact)), .unchanged)
    XCTAssertEqual(changes.withLock { $0 }, [6])
    let second = try repository()
    XCTAssertEqual(second.current.configurationVersion, 6)
    XCTAssertEqual(second.etag, tag(compact))
  }

  /// The provider names it by its ETag from then on, and sends it no more.
  func testAConfigurationThatCameBeforeTheDirectoryWasKnownIsStored() throws {
    for stored in [nil, 5, 6, 7] as [UInt64?] {
      if let stored {
        _ = try repository().accept(publisher.compact(publisher.claims(stored)), etag: nil)
      }
      let repository = try repository(isLoaded: false)
      let compact = try publisher.compact(publisher.claims(6))
      XCTAssertEqual(try repository.accept(compact, etag: tag(compact)), .newer)
      repository.load(from: directory)
      let expected = max(stored ?? 0, 6)
      XCTAssertEqual(repository.current.configurationVersion, expected)
      let next = try self.repository()
      XCTAssertEqual(next.current.configurationVersion, expected)
      XCTAssertEqual(next.etag, repository.etag)
      XCTAssertEqual(next.etag, expected == 6 ? tag(compact) : nil)
      try directory.replaceFile(ConfigurationRepository.fileName, with: [])
    }
  }

  func testAConfigurationThatCouldNotBeStoredIsFetchedOnceMore() throws {
    let repository = try repository(isLoaded: false)
    let compact = try publisher.compact(publisher.claims(6))
    XCTAssertEqual(try repository.accept(compact, etag: tag(compact)), .newer)
    let obstacle = path + "/" + ConfigurationRepository.fileName
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    repository.load(from: directory)
    XCTAssertEqual(repository.current.configurationVersion, 6)
    XCTAssertNil(repository.etag)
    try FileManager.default.removeItem(atPath: obstacle)
    XCTAssertEqual(try repository.accept(compact, etag: tag(compact)), .unchanged)
    XCTAssertEqual(try self.repository().current.configurationVersion, 6)
  }

  func testTheVersionNeverGoesBack() throws {
    let repository = try repository()
    XCTAssertEqual(try repository.accept(publisher.compact(publisher.claims(7)), etag: nil), .newer)
    XCTAssertEqual(
      try repository.accept(publisher.compact(publisher.claims(6)), etag: nil), .refused)
    var other = publisher.claims(7)
    other.proofingHosts = ["example.org"]
    XCTAssertEqual(
      try repository.accept(publisher.compact(other), etag: nil), .refused,
      "two contents under one version")
    XCTAssertEqual(repository.current, publisher.claims(7))
  }

  func testAnotherProvidersConfigurationIsRefused() throws {
    let repository = try repository()
    let foreign = try publisher.compact(publisher.claims(9, provider: "other"))
    XCTAssertEqual(try repository.accept(foreign, etag: nil), .refused)
  }

  func testAnUnreadableFileFallsBackToTheEmbeddedConfiguration() throws {
    for garbage in ["", "x", "{}", #"{"schema":1,"configuration":"a.b.c"}"#] {
      try directory.replaceFile(ConfigurationRepository.fileName, with: Array(garbage.utf8))
      let repository = try repository()
      XCTAssertEqual(repository.current.configurationVersion, 5)
      XCTAssertNil(repository.etag, "the next fetch must return a complete body")
    }
  }

  func testABadBodyLeavesTheETagOfTheGoodOne() throws {
    let repository = try repository()
    let (six, seven) = (
      try publisher.compact(publisher.claims(6)), try publisher.compact(publisher.claims(7))
    )
    XCTAssertEqual(try repository.accept(six, etag: tag(six)), .newer)
    XCTAssertEqual(try repository.accept("not.a.configuration", etag: tag(seven)), .refused)
    XCTAssertEqual(repository.etag, tag(six))
    XCTAssertEqual(
      try repository.accept(seven, etag: tag(seven)), .newer,
      "the good body with the same ETag is accepted")
  }

  func testTheEmbeddedConfigurationOfAnAppUpdateReplacesAnOlderFile() throws {
    let older = try publisher.compact(publisher.claims(4))
    try directory.replaceFile(
      ConfigurationRepository.fileName,
      with: Array(#"{"schema":1,"etag":"x","configuration":"\#(older)"}"#.utf8))
    let repository = try repository()
    XCTAssertEqual(repository.current.configurationVersion, 5)
    XCTAssertNil(repository.etag)
  }
}
