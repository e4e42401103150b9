import Foundation
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletStorage
import XCTest

@testable import WalletAccount

/// An error names what is wrong: a record on the device, a key of the configuration, or an answer.
final class AccountFailureTests: XCTestCase {
  private var path: URL!
  private var directory: StorageDirectory!
  private var store: SealedStore!
  private var bed: TestBed!
  private let accountKey = Result { try Secret.random(count: AuthenticatedBox.keyLength) }

  override func setUpWithError() throws {
    path = FileManager.default.temporaryDirectory
      .appendingPathComponent("account-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    directory = try StorageDirectory(path: path.path)
    store = try SealedStore.open(in: directory)
    bed = try TestBed(resultKey: .init(seed: .random(count: 32), keyID: "result-1"))
  }

  override func tearDown() {
    store.close()
    directory.release()
    try? FileManager.default.removeItem(at: path)
  }

  private func account() throws -> Account {
    Account(
      store: store, accountKey: try accountKey.get(), platform: bed.client.hardwareKey.platform,
      transport: bed.transport, configurations: bed.client.configurations,
      environment: SystemEnvironment(),
      log: .silent, cancellation: Cancellation(), abort: Cancellation())
  }

  private func pin() throws -> Pin {
    try Array("142032".utf8).withUnsafeBytes { try Pin(copying: $0) }
  }

  private func assertThrows<Value>(
    _ kind: WalletError.Kind, line: UInt = #line, _ body: () throws -> Value
  ) {
    XCTAssertThrowsError(try body(), line: line) {
      XCTAssertEqual(($0 as? WalletError)?.kind, kind, "\($0)", line: line)
    }
  }

  func testAStoredRecordThatCannotBeReadIsCorrupt() throws {
    for name in ["registration", "proofing", "pin-change"] {
      try store.transaction(label: "test") {
        try $0.setAccount(name, Secret(copying: Array("{}".utf8)), key: try accountKey.get())
      }
    }
    assertThrows(.storageCorrupt) { try account().checkPin(pin(), opensVault: true) {} }
    assertThrows(.storageCorrupt) { try account().proofing() }
    assertThrows(.storageCorrupt) { try account().settlePinChange() }
    XCTAssertEqual(bed.transport.requests, [])
  }

  func testASaltThatIsMissingOrOfAnotherLengthIsCorrupt() throws {
    let key = try accountKey.get()
    let record = RegistrationRecord(
      registrationID: "registration", keyIdentifier: "key", passes: 3,
      memoryBytes: 64 * 1024 * 1024, hardwareKey: nil, walletID: "wallet",
      certificate: "certificate", isConfirmed: true)
    try store.transaction(label: "test") { try AccountRecords.save(record, $0, key: key) }
    assertThrows(.storageCorrupt) { try account().checkPin(pin(), opensVault: true) {} }
    for count in [0, 15, 17] {
      try store.transaction(label: "test") {
        try PinSalt.inForce.save(.random(count: count), $0, key: key)
      }
      assertThrows(.storageCorrupt) { try account().checkPin(pin(), opensVault: true) {} }
    }
    XCTAssertEqual(bed.transport.requests, [])
  }

  func testAnEncryptionKeyThatHidesNothingIsTheConfigurationsFault() throws {
    var configuration = bed.configurations.current
    let payload = try Secret(copying: [1, 2, 3])
    for keys in [[], [[UInt8](repeating: 0, count: 32)], [[UInt8](repeating: 9, count: 31)]] {
      configuration.encryptionKeys = keys.map {
        PublishedKey(id: "encryption-1", key: Base64URL.encode($0))
      }
      assertThrows(.configurationInvalid) {
        try ProviderKeyring(configuration: configuration).seal(payload)
      }
    }
  }

  func testASealedAnswerThatDoesNotOpenOrIsNoShareIsRefused() throws {
    let recipient = try SealedBox.Recipient()
    for text in ["", "AAAA", "no base64url", String(repeating: "A", count: 200)] {
      assertThrows(.serverRefused) { try recipient.openAnswer(text) }
    }
    for count in [0, 31, 33] {
      let box = try SealedBox.seal(.random(count: count), to: recipient.publicKey)
      XCTAssertEqual(try recipient.openAnswer(Base64URL.encode(box)).count, count)
      assertThrows(.serverRefused) { try recipient.openShare(Base64URL.encode(box)) }
    }
  }

  func testAClaimInGuardedMemoryIsTheOneThatTheProviderReads() throws {
    for count in 16...32 {
      let secret = try Secret.random(count: count)
      let wallet = #"wallet "\secret":"" é/"# + "\n"
      let challenge = Base64URL.encode(Random.bytes(32))
      let claim = ClaimPayload(
        wallet: wallet, challenge: challenge, secret: Base64URL.encode(secret.disclosed()))
      XCTAssertEqual(
        try ClaimPayload.json(wallet: wallet, challenge: challenge, secret: secret).disclosed(),
        try WireJSON.encode(claim))
    }
  }
}
