import Foundation
import WalletProtocol
import WalletProvider
import XCTest

/// Use keys: what wallets have sealed to one opens after its retirement too.
final class UseKeyTests: XCTestCase {
  private let path = NSTemporaryDirectory() + "provider-use-" + UUID().uuidString
  private let start: Int64 = 1_700_000_000
  private let week: Int64 = 7 * 86_400

  override func tearDown() { try? FileManager.default.removeItem(atPath: path) }

  private func open() throws -> DataDirectory {
    try DataDirectory(path: path, settings: ProviderSettings())
  }

  private var rotation: KeyRotation { KeyRotation(directory: path) }

  private func states() throws -> [KeySummary.State] {
    try rotation.keys().filter { $0.role == .use }.map(\.state)
  }

  /// A box for the key that wallets use, as a wallet makes it.
  private func box(_ directory: DataDirectory) throws -> (id: String, box: [UInt8]) {
    let key = try XCTUnwrap(directory.configuration.claims.useKeys.first)
    return (key.id, sealed([1, 2, 3], to: Base64URL.decode(key.key) ?? []))
  }

  private func assertProblem(
    _ problem: UseKeyProblem, line: UInt = #line, _ body: () throws -> [UInt8]
  ) {
    XCTAssertThrowsError(try body(), line: line) {
      XCTAssertEqual($0 as? UseKeyProblem, problem, line: line)
    }
  }

  /// Puts a new key into use and retires the former one, each at its time. Returns the former one.
  private func replaceKey(at start: Int64) throws -> String {
    let former = try XCTUnwrap(try open().configuration.claims.useKeys.first?.id)
    let next = try rotation.rotate(.use, now: start)
    let announced = try open().configuration
    XCTAssertEqual(announced.claims.useKeys.map(\.id), [former, next])
    XCTAssertThrowsError(
      try rotation.promote(.use, published: announced, now: start + week - 1))
    XCTAssertEqual(
      try rotation.promote(.use, published: announced, now: start + week), next)
    let promoted = try open().configuration
    XCTAssertEqual(promoted.claims.useKeys.map(\.id), [next, former])
    func retire(_ now: Int64) throws {
      try rotation.retire(.use, id: former, sealedRows: 0, published: promoted, now: now)
    }
    XCTAssertThrowsError(try retire(start + 2 * week - 1))
    try retire(start + 2 * week)
    return former
  }

  func testTheFirstStartMakesAndPublishesAUseKey() throws {
    let directory = try open()
    XCTAssertEqual(directory.configuration.claims.useKeys.count, 1)
    let (id, box) = try box(directory)
    let keys = directory.identity.keys.use
    XCTAssertEqual(try keys.open(box, keyID: id), [1, 2, 3])
    assertProblem(.unknownKey) { try keys.open(box, keyID: "another") }
    var changed = box
    changed[40] ^= 1
    for bad in [changed, Array(box.dropLast()), []] {
      assertProblem(.doesNotOpen) { try keys.open(bad, keyID: id) }
    }
    // A key of another role opens nothing here.
    let encryption = try XCTUnwrap(directory.configuration.claims.encryptionKeys.first)
    let other = sealed([1], to: Base64URL.decode(encryption.key) ?? [])
    assertProblem(.unknownKey) { try keys.open(other, keyID: encryption.id) }
    assertProblem(.doesNotOpen) { try keys.open(other, keyID: id) }
  }

  func testARetiredUseKeyIsNotPublishedAndStillOpens() throws {
    var boxes = [try box(open())]
    for round: Int64 in [0, 1] {
      let former = try replaceKey(at: start + round * 10 * week)
      let directory = try open()
      XCTAssertFalse(directory.configuration.claims.useKeys.contains { $0.id == former })
      XCTAssertEqual(directory.configuration.claims.useKeys.count, 1)
      boxes.append(try box(directory))
      for (id, box) in boxes {
        XCTAssertEqual(try directory.identity.keys.use.open(box, keyID: id), [1, 2, 3])
      }
    }
    XCTAssertEqual(try states(), [.current, .retired, .retired])
    let mode = try FileManager.default.attributesOfItem(atPath: path + "/keys/use.retired")
    XCTAssertEqual(mode[.posixPermissions] as? Int, 0o600)
  }

  func testAnUrgentRetirementKeepsTheKeyToo() throws {
    let (id, box) = try box(open())
    _ = try rotation.rotate(.use, now: start)
    let published = try open().configuration
    _ = try rotation.promote(.use, published: published, now: start, isUrgent: true)
    try rotation.retire(
      .use, id: id, sealedRows: 0, published: published, now: start, isUrgent: true)
    XCTAssertEqual(try open().identity.keys.use.open(box, keyID: id), [1, 2, 3])
  }

  func testARetirementThatWasKilledHalfwayIsRepeated() throws {
    let file = path + "/keys/use.key"
    let (id, box) = try box(open())
    _ = try replaceKey(at: start)
    let ring = try String(contentsOfFile: file, encoding: .utf8)
    let retired = try String(contentsOfFile: path + "/keys/use.retired", encoding: .utf8)
    // The key is in both files, as after a kill between the two.
    try PrivateFile.write(Array((ring + retired).utf8), to: file, replace: true)
    let directory = try open()
    XCTAssertEqual(try states(), [.current, .former])
    XCTAssertEqual(try directory.identity.keys.use.open(box, keyID: id), [1, 2, 3])
    try rotation.retire(
      .use, id: id, sealedRows: 0, published: directory.configuration, now: start + 2 * week)
    XCTAssertEqual(try String(contentsOfFile: file, encoding: .utf8), ring)
    XCTAssertEqual(
      try String(contentsOfFile: path + "/keys/use.retired", encoding: .utf8), retired)
  }

  func testOnlyAnExplicitCommandDeletesAUseKey() throws {
    let (id, box) = try box(open())
    func delete(_ id: String, _ options: String...) throws -> ProgramResult {
      try Program.run(
        Program.provider, ["keys", "delete", "--data", path] + options + ["use", "--", id])
    }
    let early = try delete(id, "--give-up-cards")
    XCTAssertEqual(early.status, 1)
    XCTAssertTrue(early.errors.contains("there is no retired use key \(id)"), early.errors)
    _ = try replaceKey(at: start)
    let listed = try Program.run(Program.provider, ["keys", "list", "--data", path])
    XCTAssertTrue(listed.output.contains("use \(id) retired\n"), listed.output)
    let unasked = try delete(id)
    XCTAssertEqual(unasked.status, 1)
    XCTAssertTrue(unasked.errors.contains("pass --give-up-cards"), unasked.errors)
    XCTAssertEqual(try open().identity.keys.use.open(box, keyID: id), [1, 2, 3])
    let deleted = try delete(id, "--give-up-cards")
    XCTAssertEqual(deleted.status, 0, deleted.errors)
    XCTAssertEqual(try states(), [.current])
    let keys = try open().identity.keys.use
    assertProblem(.unknownKey) { try keys.open(box, keyID: id) }
    XCTAssertThrowsError(try rotation.delete(.result, id: id, givesUpCards: true)) {
      XCTAssertTrue("\($0)".contains("only retired use keys are deleted"), "\($0)")
    }
  }

  func testWhatWasSealedToALostKeyStaysClosedAndCheckNamesTheKey() throws {
    let directory = try open()
    let (id, box) = try box(directory)
    let file = path + "/keys/use.key"
    try FileManager.default.removeItem(atPath: file)
    XCTAssertThrowsError(try open()) {
      XCTAssertTrue("\($0)".contains("there is no key \(file); restore it"), "\($0)")
      XCTAssertTrue("\($0)".contains("start anew with a new directory"), "\($0)")
    }
    // The operator makes another one, as the runbook says.
    let another = Base64URL.encode([UInt8](repeating: 7, count: 32)) + "\n"
    try PrivateFile.write(Array(another.utf8), to: file, replace: false)
    let checked = try Program.run(
      Program.provider, ["check", "--data", path, "--port", "0"])
    XCTAssertTrue(
      checked.output.contains(
        "wrong configuration: the published use key \(id) is not here any more\n"), checked.output)
    let restarted = try open()
    XCTAssertEqual(
      restarted.configuration.claims.configurationVersion,
      directory.configuration.claims.configurationVersion + 1)
    let keys = restarted.identity.keys.use
    assertProblem(.unknownKey) { try keys.open(box, keyID: id) }
    let (next, nextBox) = try self.box(restarted)
    XCTAssertEqual(try keys.open(nextBox, keyID: next), [1, 2, 3])
  }

  func testRetiredUseKeysMayBeInAVariable() throws {
    let (id, box) = try box(open())
    _ = try replaceKey(at: start)
    let variable = KeyRole.use.retiredVariable
    XCTAssertEqual(variable, "WALLET_PROVIDER_KEY_USE_RETIRED")
    let file = path + "/keys/use.retired"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try FileManager.default.removeItem(atPath: file)
    let listed = try Program.run(
      Program.provider, ["keys", "list", "--data", path], environment: [variable: text])
    XCTAssertTrue(listed.output.contains("use \(id) retired from \(variable)\n"), listed.output)
    let refused = try Program.run(
      Program.provider, ["keys", "delete", "--data", path, "--give-up-cards", "use", "--", id],
      environment: [variable: text])
    XCTAssertTrue(refused.errors.contains("come from \(variable)"), refused.errors)
    let malformed = try Program.run(
      Program.provider, ["keys", "list", "--data", path], environment: [variable: "hello"])
    XCTAssertTrue(
      malformed.errors.contains("\(variable) does not hold keys: word 1"), malformed.errors)
    // Without them the key is lost.
    let keys = try open().identity.keys.use
    assertProblem(.unknownKey) { try keys.open(box, keyID: id) }
  }

  func testARetiredUseKeyHasNoOtherRole() throws {
    _ = try open()
    let issuer = try String(contentsOfFile: path + "/keys/certificate.key", encoding: .utf8)
    try PrivateFile.write(Array(issuer.utf8), to: path + "/keys/use.retired", replace: true)
    XCTAssertThrowsError(try open()) {
      XCTAssertTrue("\($0)".contains("hold the same key"), "\($0)")
    }
  }
}
