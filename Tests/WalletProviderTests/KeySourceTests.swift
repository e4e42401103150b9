import Foundation
import WalletProtocol
import WalletProvider
import WalletSignatures
import XCTest

/// The contents of key files and variables, and the messages about invalid ones.
final class KeySourceTests: XCTestCase {
  private let path = NSTemporaryDirectory() + "provider-keys-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: path) }

  private func open() throws -> DataDirectory {
    try DataDirectory(path: path, settings: ProviderSettings())
  }

  private func key(_ byte: UInt8) -> String {
    Base64URL.encode([UInt8](repeating: byte, count: 32))
  }

  private func write(_ text: String, _ role: KeyRole, mode: Int = 0o600) throws {
    let file = "\(path)/keys/\(role.rawValue).key"
    try? FileManager.default.removeItem(atPath: file)
    XCTAssertTrue(
      FileManager.default.createFile(
        atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
  }

  func testFirstKeyOfAFileIsCurrentAndAllArePublished() throws {
    let before = try open().configuration
    let file = path + "/keys/result.key"
    let first = try String(contentsOfFile: file, encoding: .utf8)
    for text in [
      first + key(2) + " 2026-11-21T16:05:00Z\n" + key(3) + "\n", first + "\n\(key(2)),\(key(3))",
    ] {
      try write(text, .result)
      let after = try open().configuration.claims
      XCTAssertEqual(after.resultKeys.count, 3)
      XCTAssertEqual(after.resultKeys.first, before.claims.resultKeys.first)
      XCTAssertEqual(
        try KeyRotation(directory: path).keys().filter { $0.role == .result }.map(\.state)[0],
        .current)
    }
  }

  func testNamesAnInvalidKeyListWithoutItsContentAndLeavesItUnchanged() throws {
    _ = try open()
    let nine = (1...9).map { key($0) }.joined(separator: "\n")
    let cases = [
      ("", "there must be 32 bytes"), ("A" + key(1), "word 1 is not 32 bytes"),
      (key(1) + "\nsecret", "word 2 is not 32 bytes"),
      (key(1) + "\n" + key(2) + "\n" + key(1), "word 3 is a key that stands there already"),
      (key(1) + " 2026-13-01T00:00:00Z", "word 2 is not a time"),
      ("2026-01-01T00:00:00Z " + key(1), "word 1 is not a time"), (nine, "more than 8 keys"),
    ]
    for role in KeyRole.allCases {
      let file = "\(path)/keys/\(role.rawValue).key"
      let good = try String(contentsOfFile: file, encoding: .utf8)
      for (text, reason) in cases {
        try write(text, role)
        XCTAssertThrowsError(try open()) { error in
          XCTAssertTrue("\(error)".contains("\(file) does not hold keys: "), "\(error)")
          XCTAssertTrue("\(error)".contains(reason), "\(error)")
          for secret in [key(1), key(2), "secret", "2026"] {
            XCTAssertFalse("\(error)".contains(secret), "\(error)")
          }
        }
        XCTAssertEqual(try String(contentsOfFile: file, encoding: .utf8), text)
      }
      try write(good, role)
    }
  }

  func testRefusesOneKeyInTwoRoles() throws {
    _ = try open()
    try write(key(1), .result)
    try write(key(2) + "\n" + key(1), .certificate)
    XCTAssertThrowsError(try open()) { error in
      let names = "keys/result.key and \(path)/keys/certificate.key hold the same key"
      XCTAssertTrue("\(error)".contains(names), "\(error)")
    }
  }

  func testOfflineKeySignsOnlyConfigurations() throws {
    _ = try open()
    let offline = try String(
      contentsOfFile: path + "/keys/configuration-signing-offline.key", encoding: .utf8)
    for role in [KeyRole.result, .certificate] {
      let file = "\(path)/keys/\(role.rawValue).key"
      let good = try String(contentsOfFile: file, encoding: .utf8)
      try write(good + offline, role)
      XCTAssertThrowsError(try open()) {
        XCTAssertTrue("\($0)".contains("\(file) holds the offline key"), "\($0)")
      }
      try write(good, role)
    }
    XCTAssertNoThrow(try open())
  }

  func testNamesALostKeyAndDoesNotMakeItAgain() throws {
    let first = try open()
    let names =
      KeyRole.allCases.filter { $0 != .issuerAuthority }.map { $0.rawValue + ".key" }
      + ["configuration-signing-offline.pub"]
    for name in names {
      let file = "\(path)/keys/\(name)"
      try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
      XCTAssertThrowsError(try open(), name) {
        XCTAssertTrue("\($0)".contains("there is no key \(file)"), "\($0)")
      }
      XCTAssertFalse(FileManager.default.fileExists(atPath: file))
      try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
    }
    try FileManager.default.moveItem(atPath: path + "/keys", toPath: path + "/away")
    XCTAssertThrowsError(try open())
    XCTAssertFalse(FileManager.default.fileExists(atPath: path + "/keys"))
    try FileManager.default.moveItem(atPath: path + "/away", toPath: path + "/keys")
    XCTAssertEqual(try open().configuration, first.configuration)
  }

  func testContinuesAFirstStartThatWasKilledBetweenTwoKeys() throws {
    _ = try open()
    let issuer = try String(contentsOfFile: path + "/keys/certificate.key", encoding: .utf8)
    for name in [
      "provider-id", "configuration.jwt", "keys/encryption.key", "keys/sealing.key",
      "keys/status-signer.key", "keys/status-signer.pem", "keys/document-signer.pem",
    ] {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    XCTAssertEqual(try open().configuration.claims.configurationVersion, 1)
    XCTAssertEqual(
      try String(contentsOfFile: path + "/keys/certificate.key", encoding: .utf8), issuer)
    XCTAssertEqual(try KeyRotation(directory: path).keys().count, KeyRole.allCases.count)
  }

  func testCommandsRefuseAReadableKeyFileToo() throws {
    _ = try open()
    for role in KeyRole.allCases {
      let file = "\(path)/keys/\(role.rawValue).key"
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
      for arguments in [["list"], ["rotate", role.rawValue]] {
        let result = try Program.run(Program.provider, ["keys"] + arguments + ["--data", path])
        XCTAssertEqual(result.status, 1)
        XCTAssertTrue(result.errors.contains("chmod 600 \(file)"), result.errors)
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
  }

  func testCommandsNeedAnExistingDataDirectoryAndRole() throws {
    let none = try Program.run(Program.provider, ["keys", "list", "--data", path])
    XCTAssertEqual(none.status, 64)
    XCTAssertTrue(none.errors.contains("is no data directory"), none.errors)
    XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    _ = try open()
    let role = try Program.run(Program.provider, ["keys", "rotate", "tls", "--data", path])
    XCTAssertEqual(role.status, 64)
    let early = try Program.run(Program.provider, ["keys", "promote", "result", "--data", path])
    XCTAssertTrue(early.errors.contains("no result key waits"), early.errors)
    let unknown = try Program.run(
      Program.provider, ["keys", "retire", "result", "nobody", "--data", path])
    XCTAssertTrue(unknown.errors.contains("there is no result key nobody"), unknown.errors)
  }

  func testOfflineKeyMaySignUntilAppsHaveTheNextKey() throws {
    let first = try open()
    let file = path + "/keys/configuration-signing.key"
    let offline = path + "/keys/configuration-signing-offline.key"
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: offline, toPath: file)
    XCTAssertEqual(try open().configuration.claims.configurationVersion, 2)
    let next = try KeyRotation(directory: path).rotate(.configurationSigning, now: 1_700_000_000)
    let second = try open()
    let keys = try second.clientConfiguration(url: "http://127.0.0.1:1").configurationSigningKeys
    let before = try first.clientConfiguration(url: "http://127.0.0.1:1").configurationSigningKeys
    XCTAssertEqual(keys.map(\.id), [before[1].id, next])
    XCTAssertEqual(try SignedMessage(parsing: second.configuration.compact).keyID, before[1].id)
  }

  func testAnotherSigningKeyCannotContinueTheConfigurationOfALostKey() throws {
    _ = try open()
    try write(key(1), .configurationSigning)
    XCTAssertThrowsError(try open()) { error in
      XCTAssertTrue("\(error)".contains("is not a configuration signed by the keys"), "\(error)")
    }
  }

  // MARK: The environment

  private func environment(_ roles: [KeyRole]) -> [String: String] {
    var variables = Dictionary(
      uniqueKeysWithValues: roles.enumerated().map { number, role in
        (role.environmentVariable, key(UInt8(100 + number)))
      })
    variables["WALLET_PROVIDER_KEY_CONFIGURATION_SIGNING_OFFLINE_PUBLIC"] = key(99)
    return variables
  }

  /// The certificates of the keys of all roles, as a start with the same keys in files makes them.
  private func certificates(_ keys: [String: String]) throws -> [String: String] {
    let other = path + ".files"
    defer { try? FileManager.default.removeItem(atPath: other) }
    for directory in [other, other + "/keys"] {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    let names: [(KeyRole, String)] = [
      (.issuerAuthority, "ISSUER_AUTHORITY"), (.documentSigner, "CHAIN_DOCUMENT_SIGNER"),
      (.statusSigner, "CHAIN_STATUS_SIGNER"),
    ]
    for (role, _) in names {
      XCTAssertTrue(
        FileManager.default.createFile(
          atPath: "\(other)/keys/\(role.rawValue).key",
          contents: Data((keys[role.environmentVariable] ?? "").utf8),
          attributes: [.posixPermissions: 0o600]))
    }
    _ = try DataDirectory(path: other, settings: ProviderSettings())
    return Dictionary(
      uniqueKeysWithValues: try names.map { role, name in
        (
          "WALLET_PROVIDER_" + name,
          try String(contentsOfFile: "\(other)/keys/\(role.rawValue).pem", encoding: .utf8)
        )
      })
  }

  func testUsesKeysFromTheEnvironmentWithoutExposingThem() throws {
    var variables = environment(KeyRole.allCases)
    let bare = try Program.run(
      Program.provider, ["client-configuration", "--data", path], environment: variables)
    XCTAssertEqual(bare.status, 1)
    XCTAssertTrue(bare.errors.contains("has no certificate for the current"), bare.errors)
    variables.merge(try certificates(variables)) { $1 }
    let server = try ServerProcess(
      ["--data", path, "--log-level", "trace"], environment: variables)
    // As the kernel shows it to other processes.
    let shown = try XCTUnwrap(
      FileManager.default.contents(atPath: "/proc/\(server.identifier)/environ"))
    XCTAssertNotNil(shown.range(of: Data("PATH=".utf8)))
    let configuration = try Program.curl(try server.url() + Route.configuration).output
    XCTAssertEqual(server.end(), 0)
    let log = server.lastLog()
    XCTAssertFalse(FileManager.default.fileExists(atPath: path + "/keys"))
    var files = Data()
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      files += FileManager.default.contents(atPath: path + "/" + name) ?? Data()
    }
    for role in KeyRole.allCases {
      let secret = try XCTUnwrap(variables[role.environmentVariable])
      let bytes = Data(Base64URL.decode(secret) ?? [])
      XCTAssertFalse(log.contains(secret), role.rawValue)
      // As a logger formats bytes nested in another value.
      let numbers = bytes.prefix(4).map(String.init).joined(separator: ", ")
      XCTAssertFalse(log.contains(numbers), role.rawValue)
      for bytes in [Data(secret.utf8), bytes] {
        XCTAssertNil(shown.range(of: bytes), role.rawValue)
        XCTAssertNil(files.range(of: bytes), role.rawValue)
      }
    }
    let again = try ServerProcess(["--data", path], environment: variables)
    XCTAssertEqual(try Program.curl(try again.url() + Route.configuration).output, configuration)
    let list = try Program.run(
      Program.provider, ["keys", "list", "--data", path], environment: variables)
    XCTAssertEqual(list.output.split(separator: "\n").count, 9)
    XCTAssertTrue(list.output.contains(" current from WALLET_PROVIDER_KEY_SEALING rows 4\n"))
    let refused = try Program.run(
      Program.provider, ["keys", "rotate", "result", "--data", path], environment: variables)
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.errors.contains("come from WALLET_PROVIDER_KEY_RESULT"), refused.errors)
  }

  func testDescriptionsOfTypesWithKeysAreRedacted() throws {
    let directory = try open()
    let keys = directory.identity.keys
    let file = try String(contentsOfFile: path + "/keys/encryption.key", encoding: .utf8)
    let secret = try XCTUnwrap(
      Base64URL.decode(file.trimmingCharacters(in: .whitespacesAndNewlines)))
    let holders: [Any] = [
      directory, directory.identity, keys, try XCTUnwrap(EncryptionKey(secretKey: secret)),
      try XCTUnwrap(SoftwareSealingKey(secret)), try Ed25519Signer(seed: secret),
      KeyEnvironment([KeyRole.result.environmentVariable: file]),
    ]
    for holder in holders {
      var text = "\(holder) \(String(reflecting: holder))"
      Swift.dump(holder, to: &text)
      XCTAssertFalse(text.contains("\(secret[0]), \(secret[1]), \(secret[2])"), text)
      XCTAssertFalse(text.contains("- \(secret[0])\n"), text)
      XCTAssertFalse(text.contains(file.prefix(43)), text)
    }
  }

  func testVariableLeavesTheFileOfItsRoleUntouched() throws {
    let first = try open().configuration.claims
    // An unreadable file does not matter either.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: path + "/keys/result.key")
    let server = try ServerProcess(
      ["--data", path], environment: [KeyRole.result.environmentVariable: key(1) + ", " + key(2)])
    let answer = try Program.curl(try server.url() + Route.configuration).output
    let claims = try SignedMessage(parsing: answer).unverifiedContent(ConfigurationClaims.self)
    XCTAssertEqual(claims.resultKeys.count, 2)
    XCTAssertFalse(claims.resultKeys.contains(first.resultKeys[0]))
    XCTAssertEqual(claims.certificateKeys, first.certificateKeys)
  }

  func testNamesVariablesWithoutKeysButNotTheirContent() throws {
    let name = KeyRole.result.environmentVariable
    let signing = KeyRole.configurationSigning.environmentVariable
    let cases: [([String: String], String)] = [
      ([name: "hello"], "\(name) does not hold keys: word 1"),
      ([name: ""], "\(name) does not hold keys: there must be"),
      ([name: key(1) + " " + key(1)], "\(name) does not hold keys: word 2"),
      ([KeyEnvironment.prefix + "ISUER": "hello"], "WALLET_PROVIDER_KEY_ISUER names no key"),
      ([signing: key(1)], "\(signing) needs WALLET_PROVIDER_KEY_CONFIGURATION_SIGNING_OFFLINE"),
    ]
    for (variables, reason) in cases {
      try? FileManager.default.removeItem(atPath: path)
      let result = try Program.run(
        Program.provider, ["client-configuration", "--data", path], environment: variables)
      XCTAssertEqual(result.status, 1)
      XCTAssertTrue(result.errors.contains(reason), result.errors)
      for secret in ["hello", key(1)] { XCTAssertFalse(result.errors.contains(secret)) }
      XCTAssertFalse(FileManager.default.fileExists(atPath: path + "/keys/certificate.key"))
    }
  }
}
