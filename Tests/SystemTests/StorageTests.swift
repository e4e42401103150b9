import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Failures of the storage path, through the C header: each has its status, and the wallet can go
/// on.
final class StorageTests: XCTestCase {
  private let pin = "142032"
  private var provider: TestProvider!
  private var document = Data()

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    provider = try TestProvider()
    document = try provider.clientConfiguration()
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  private func host(_ storage: URL? = nil, keys: SoftwareKeys = SoftwareKeys()) throws -> TestHost {
    try TestHost(configuration: document, storage: storage, keys: keys)
  }

  private func status(ofLookAt host: TestHost) -> wallet_core_status {
    var value: Int32 = 0
    return wallet_core_has_registration(&value, nil)
  }

  private func confirmed() throws -> Int? { try provider.control("/counts")["confirmed"] as? Int }

  /// Runs a system command.
  @discardableResult
  private func shell(_ arguments: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  func testAMissingPathIsUnavailableUntilItIsThere() throws {
    let path = try Scratch.directory("gone").appendingPathComponent("storage")
    let host = try host(path)
    XCTAssertEqual(host.initialize(), WALLET_CORE_ERROR_STORAGE_UNAVAILABLE)
    XCTAssertEqual(wallet_core_is_initialized(), 0)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
  }

  func testThreadsThatAskAtTheSameTimeAgreeOnAFailure() throws {
    let path = try Scratch.directory("gone").appendingPathComponent("storage")
    let host = try TestHost(
      configuration: document, storage: path, keys: SoftwareKeys(storagePath: path.path))
    try host.startByBridge()
    XCTAssertEqual(status(ofLookAt: host), WALLET_CORE_ERROR_STORAGE_UNAVAILABLE)
    let seen = SeenStatuses()
    DispatchQueue.concurrentPerform(iterations: 200) { _ in
      var value: Int32 = 0
      seen.note(wallet_core_has_registration(&value, nil))
    }
    XCTAssertEqual(seen.all, [WALLET_CORE_ERROR_STORAGE_UNAVAILABLE])
  }

  func testAPathOnlyKnownToTheBridgeThatIsMissingIsUnavailableUntilItIsThere() throws {
    let path = try Scratch.directory("gone").appendingPathComponent("storage")
    let keys = SoftwareKeys(storagePath: path.path)
    let host = try TestHost(configuration: document, storage: path, keys: keys)
    try host.startByBridge()
    XCTAssertEqual(status(ofLookAt: host), WALLET_CORE_ERROR_STORAGE_UNAVAILABLE)
    XCTAssertEqual(
      try host.register(pin).status, WALLET_CORE_ERROR_STORAGE_UNAVAILABLE)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
    XCTAssertEqual(try host.register(pin), .done)
    XCTAssertTrue(host.isRegistered)
  }

  func testAFileInsteadOfADirectoryIsUnavailable() throws {
    let path = try Scratch.directory("file").appendingPathComponent("storage")
    try Data("not a directory".utf8).write(to: path)
    let host = try host(path)
    XCTAssertEqual(host.initialize(), WALLET_CORE_ERROR_STORAGE_UNAVAILABLE)
    XCTAssertEqual(try String(contentsOf: path, encoding: .utf8), "not a directory")
  }

  func testAReadOnlyFileSystemIsUnavailableAndChangesNothing() throws {
    let host = try host()
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    // Root can write everywhere except on a read-only file system.
    let path = host.storage.path
    if try shell("mount", "--bind", path, path) == 0 {
      defer { _ = try? shell("umount", "-l", path) }
      XCTAssertEqual(try shell("mount", "-o", "remount,ro,bind", path), 0)
      XCTAssertEqual(host.initialize(), WALLET_CORE_ERROR_STORAGE_UNAVAILABLE)
    } else {
      XCTAssertEqual(chmod(path, 0o500), 0)
      defer { chmod(path, 0o700) }
      // The lock file exists, so the first write may be the first to fail.
      let status = host.initialize()
      XCTAssertTrue([0, WALLET_CORE_ERROR_STORAGE_UNAVAILABLE].contains(status))
      if status == 0 {
        try host.attach()
        XCTAssertEqual(
          try host.unlock(pin).status, WALLET_CORE_ERROR_STORAGE_UNAVAILABLE)
      }
    }
    try host.restart()
    XCTAssertEqual(try host.unlock(pin), .valid)
  }

  // MARK: Damage

  /// Makes a registered wallet, ends its process and calls `damage` with the path of its database.
  private func damaged(_ damage: (String) throws -> Void) throws -> TestHost {
    let host = try host()
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try damage(host.storage.appendingPathComponent("wallet.db").path)
    try host.start()
    return host
  }

  /// Checks that the storage is reported as corrupt, by `register` too, is not changed, and is
  /// deleted by a wipe.
  private func assertCorruptAndAWipeHelps(
    _ host: TestHost, _ what: String, line: UInt = #line
  ) throws {
    let corrupt = WALLET_CORE_ERROR_STORAGE_CORRUPT
    let file = host.storage.appendingPathComponent("wallet.db")
    let before = try Data(contentsOf: file)
    XCTAssertEqual(status(ofLookAt: host), corrupt, what, line: line)
    XCTAssertEqual(try host.unlock(pin).status, corrupt, what, line: line)
    XCTAssertEqual(try host.register(pin).status, corrupt, what, line: line)
    XCTAssertEqual(try Data(contentsOf: file), before, "left as it is: \(what)", line: line)
    XCTAssertEqual(try host.wipe(), .done, what, line: line)
    XCTAssertEqual(status(ofLookAt: host), 0, what, line: line)
    XCTAssertFalse(host.isRegistered, what, line: line)
    XCTAssertEqual(try host.register("271828"), .done, what, line: line)
    XCTAssertEqual(try host.unlock("271828"), .valid, what, line: line)
    XCTAssertEqual(host.keys.keyCount, 2, "keys of the old wallet: \(what)", line: line)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
  }

  private func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  func testAnOverwrittenHeaderIsCorruptAndAWipeHelps() throws {
    let host = try damaged {
      try overwrite($0, at: 0, with: [UInt8](repeating: 0x58, count: 100))
    }
    try assertCorruptAndAWipeHelps(host, "header")
  }

  func testAnEmptyOrTruncatedDatabaseIsCorruptAndAWipeHelps() throws {
    for length in [0, 1, 100, 4096, 6000] {
      let host = try damaged { XCTAssertEqual(truncate($0, off_t(length)), 0) }
      try assertCorruptAndAWipeHelps(host, "\(length) bytes")
    }
  }

  func testAnyPageThatIsFlippedIsCorruptOrHarmlessAndNeverACrash() throws {
    var corrupt = 0
    for page in 0..<5 {
      let host = try damaged {
        try overwrite($0, at: page * 4096, with: [UInt8](repeating: 0xFF, count: 4096))
      }
      guard status(ofLookAt: host) == WALLET_CORE_ERROR_STORAGE_CORRUPT else {
        XCTFail("page \(page): \(status(ofLookAt: host))")
        continue
      }
      corrupt += 1
      try assertCorruptAndAWipeHelps(host, "page \(page)")
    }
    XCTAssertEqual(corrupt, 5)
  }

  /// Flips a bit of the value that has this name.
  private func flipABit(behind name: String, in path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try XCTUnwrap(bytes.range(of: Data(name.utf8), in: 4096..<bytes.count))
    bytes[place.upperBound + 40] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// The marker is not sealed. SQLite stores its 1 as the type 9 of the value, and a 0 as type 8.
  func testAWalletWhoseMarkerIsDamagedIsNotOverwritten() throws {
    let host = try damaged { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let place = try XCTUnwrap(bytes.range(of: Data([9]) + Data("registered".utf8)))
      bytes[place.lowerBound] = 8
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    let keys = host.keys.keyCount
    XCTAssertEqual(status(ofLookAt: host), 0)
    XCTAssertEqual(try host.register(pin).status, WALLET_CORE_ERROR_STORAGE_CORRUPT)
    XCTAssertEqual(try host.register(pin).status, WALLET_CORE_ERROR_STORAGE_CORRUPT)
    XCTAssertEqual(host.keys.keyCount, keys)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try host.register(pin), .done)
  }

  func testADamagedVaultKeyIsCorruptForAnUnlockAndOfNoMatterForACheckOfThePin() throws {
    let host = try damaged { try flipABit(behind: "vault.pin", in: $0) }
    XCTAssertEqual(try host.checkPin(pin), .valid)
    XCTAssertEqual(try host.unlock(pin).status, WALLET_CORE_ERROR_STORAGE_CORRUPT)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try host.register(pin), .done)
  }

  func testASingleFlippedBitInASealedValueIsCorruptAndAWipeHelps() throws {
    let host = try damaged { try flipABit(behind: "registration", in: $0) }
    XCTAssertEqual(status(ofLookAt: host), 0, "the markers are not damaged")
    XCTAssertEqual(try host.unlock(pin).status, WALLET_CORE_ERROR_STORAGE_CORRUPT)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(host.keys.keyCount, 0)
    XCTAssertEqual(try host.register(pin), .done)
  }

  // MARK: Keys, images, processes

  func testEitherLostPlatformKeyIsReportedAndNothingIsOverwrittenBeforeTheWipe() throws {
    for kind in ["signing-", "encryption-"] {
      let files = try Scratch.directory("keys")
      let host = try host(keys: SoftwareKeys(files: files))
      try host.start()
      XCTAssertEqual(try host.register(pin), .done)
      let lost = try XCTUnwrap(
        try FileManager.default.contentsOfDirectory(atPath: files.path).first {
          $0.hasPrefix(kind)
        })
      let file = files.appendingPathComponent(lost)
      let seed = try Data(contentsOf: file)
      try FileManager.default.removeItem(at: file)
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
      let without = try self.host(host.storage, keys: SoftwareKeys(files: files))
      try without.start()
      XCTAssertTrue(without.isRegistered)
      XCTAssertEqual(
        try without.unlock(pin).status, WALLET_CORE_ERROR_STORAGE_KEY_LOST, kind)
      XCTAssertFalse(FileManager.default.fileExists(atPath: file.path), "no new key is made")
      // The key was only unavailable: with the key back, the wallet works again.
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
      try seed.write(to: file)
      let again = try self.host(host.storage, keys: SoftwareKeys(files: files))
      try again.start()
      XCTAssertEqual(try again.unlock(pin), .valid, kind)
      // The keys are lost for good: a wipe starts over.
      again.keys.loseKeys()
      try again.restart()
      XCTAssertEqual(try again.wipe(), .done, kind)
      XCTAssertEqual(try again.register(pin), .done, kind)
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    }
  }

  func testARestoredImageMovesItsNumbersForwardOnceAndUnlocks() throws {
    let device = try KillHost(configuration: document)
    defer { device.remove() }
    XCTAssertEqual(try device.run(.register(pin)).completions, [.done])
    let image = try device.image()
    XCTAssertEqual(
      try device.run(.unlock(pin), .unlock("271828"), .unlock(pin)).completions,
      [.valid, .wrong(3), .valid])
    try device.restore(image)
    let report = try device.run(.unlock("271828"), .unlock(pin))
    let moved = "storage.instruction.continue-sequence.after-commit"
    XCTAssertTrue(report.passed.contains(moved))
    XCTAssertEqual(report.completions, [.wrong(3), .valid], "no attempt is lost or won")
    XCTAssertFalse(
      try device.run(.unlock(pin)).passed.contains(moved))
    XCTAssertEqual(try confirmed(), 1)
  }

  func testAnImageFromBeforeAWipeHasDivergedAndAWipeHelps() throws {
    let device = try KillHost(configuration: document)
    defer { device.remove() }
    XCTAssertEqual(try device.run(.register(pin)).completions, [.done])
    let image = try device.image()
    let keys = SoftwareKeys.seeds(in: device.keys)
    XCTAssertEqual(try device.run(.wipe).completions, [.done])
    try device.restore(image)
    XCTAssertEqual(
      try device.run(.unlock(pin)).completions.map(\.status),
      [WALLET_CORE_ERROR_STORAGE_KEY_LOST], "its keys went with the wipe")
    for (name, seed) in keys { try Data(seed).write(to: device.keys.appendingPathComponent(name)) }
    let report = try device.run(.unlock(pin))
    XCTAssertTrue(report.isRegistered)
    XCTAssertEqual(
      report.completions.map(\.status), [WALLET_CORE_ERROR_ACCOUNT_DIVERGED])
    XCTAssertEqual(
      try device.run(.wipe, .register("271828"), .unlock("271828")).completions,
      [.done, .done, .valid])
    XCTAssertEqual(try confirmed(), 1)
  }

  func testASecondProcessIsRefusedAndTheFirstIsUndisturbed() throws {
    let device = try KillHost(configuration: document)
    defer { device.remove() }
    let first = try host(device.storage, keys: SoftwareKeys(files: device.keys))
    try first.start()
    XCTAssertEqual(
      try device.run(.wipe).start, WALLET_CORE_ERROR_STORAGE_IN_USE, "before a wallet")
    XCTAssertEqual(try first.register(pin), .done)
    let second = try device.run(.wipe)
    XCTAssertEqual(second.start, WALLET_CORE_ERROR_STORAGE_IN_USE)
    XCTAssertEqual(second.completions, [])
    XCTAssertFalse(first.isLocked)
    XCTAssertEqual(try first.checkPin(pin), .valid)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    XCTAssertEqual(try device.run(.unlock(pin)).completions, [.valid], "free again")
  }

  func testAnOtherAppVersionFindsTheSameWallet() throws {
    let host = try host()
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    host.appVersion = "2.7.1+build.99"
    try host.start()
    XCTAssertTrue(host.isRegistered)
    XCTAssertEqual(try host.unlock(pin), .valid)
    let files = try FileManager.default.contentsOfDirectory(atPath: host.storage.path)
    XCTAssertEqual(files.filter { $0.hasSuffix(".db") }, ["wallet.db"])
  }
}

/// The statuses that some threads got.
private final class SeenStatuses: @unchecked Sendable {
  // Sendable: `statuses` is touched only with `lock` held.
  private let lock = NSLock()
  private var statuses: Set<wallet_core_status> = []

  var all: Set<wallet_core_status> { lock.withLock { statuses } }

  func note(_ status: wallet_core_status) { lock.withLock { _ = statuses.insert(status) } }
}
