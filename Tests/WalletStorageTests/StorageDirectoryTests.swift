import Foundation
import Glibc
import WalletModel
import WalletPlatform
import WalletStorage
import XCTest

final class StorageDirectoryTests: XCTestCase {
  private func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    process.arguments = arguments
    return process
  }

  func testAMissingDirectoryIsUnavailable() throws {
    let scratch = try Scratch(for: self)
    try scratch.write("file", [1])
    for path in [scratch.file("missing"), scratch.file("file"), "", "/tmp\0x"] {
      assertThrows(.storageUnavailable, try StorageDirectory(path: path))
    }
  }

  func testADirectoryThatCannotBeWrittenIsUnavailable() throws {
    // No user can create files there, not even root.
    assertThrows(.storageUnavailable, try StorageDirectory(path: "/proc/self"))
  }

  func testAnotherProcessIsKeptOut() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    XCTAssertEqual(try scratch.mode("wallet.lock"), 0o600)
    let other = process(["-n", scratch.file("wallet.lock"), "true"])
    try other.run()
    other.waitUntilExit()
    XCTAssertEqual(other.terminationStatus, 1)
    directory.release()
    let later = process(["-n", scratch.file("wallet.lock"), "true"])
    try later.run()
    later.waitUntilExit()
    XCTAssertEqual(later.terminationStatus, 0)
  }

  func testADirectoryThatAnotherProcessHoldsIsInUseUntilItEnds() throws {
    let scratch = try Scratch(for: self)
    let holder = process([scratch.file("wallet.lock"), "sh", "-c", "echo held; exec cat"])
    let input = Pipe()
    let output = Pipe()
    holder.standardInput = input
    holder.standardOutput = output
    try holder.run()
    XCTAssertEqual(output.fileHandleForReading.availableData, Data("held\n".utf8))
    assertThrows(.storageInUse, try StorageDirectory(path: scratch.path))
    try input.fileHandleForWriting.close()
    holder.waitUntilExit()
    XCTAssertNoThrow(try StorageDirectory(path: scratch.path))
  }

  func testTheSameProcessIsKeptOutTooUntilRelease() throws {
    let scratch = try Scratch(for: self)
    let first = try StorageDirectory(path: scratch.path)
    assertThrows(.storageInUse, try StorageDirectory(path: scratch.path))
    first.release()
    first.release()
    let second = try StorageDirectory(path: scratch.path)
    assertThrows(.storageUnavailable, try first.readFile("a", limit: 10))
    assertThrows(.storageUnavailable, try first.replaceFile("a", with: []))
    XCTAssertNil(try second.readFile("a", limit: 10))
  }

  func testAReplacedFileIsCompleteAndPrivateAndLeavesNoOtherFile() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    for content: [UInt8] in [[1, 2], [], [UInt8](repeating: 7, count: 100_000), [3]] {
      try directory.replaceFile("configuration.json", with: content)
      XCTAssertEqual(try directory.readFile("configuration.json", limit: 100_000), content)
    }
    XCTAssertEqual(try scratch.mode("configuration.json"), 0o600)
    XCTAssertEqual(try scratch.names(), ["configuration.json", "wallet.lock"])
    try directory.deleteFile("configuration.json")
    try directory.deleteFile("configuration.json")
    XCTAssertNil(try directory.readFile("configuration.json", limit: 1))
  }

  func testACrashLeavesTheOldOrTheNewContent() throws {
    let scratch = try Scratch(for: self)
    let seen = Monitor<[String: [UInt8]]>([:])
    let path = scratch.file("configuration.json")
    var environment = SystemEnvironment()
    environment.passCrashPoint = { point in
      let content = (try? Data(contentsOf: URL(fileURLWithPath: path))).map { Array($0) }
      seen.withLock { $0[point] = content }
    }
    try scratch.write("configuration.json", [1])
    // A file that an earlier crash left does not matter.
    try scratch.write(".configuration.json.new", [9, 9, 9])
    let directory = try StorageDirectory(path: scratch.path, environment: environment)
    try directory.replaceFile("configuration.json", with: [2, 2])
    XCTAssertEqual(
      seen.withLock { $0 },
      [
        "storage.replace-file.configuration.json.before-commit": [1],
        "storage.replace-file.configuration.json.after-commit": [2, 2],
      ])
    XCTAssertEqual(try scratch.names(), ["configuration.json", "wallet.lock"])
  }

  func testATooLongOrIrregularFileIsCorrupt() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    try scratch.write("long", [1, 2, 3])
    XCTAssertEqual(try directory.readFile("long", limit: 3), [1, 2, 3])
    assertThrows(.storageCorrupt, try directory.readFile("long", limit: 2))
    XCTAssertEqual(mkdir(scratch.file("folder"), 0o700), 0)
    XCTAssertEqual(symlink("long", scratch.file("link")), 0)
    XCTAssertEqual(mkfifo(scratch.file("pipe"), 0o600), 0)
    for name in ["folder", "link", "pipe"] {
      assertThrows(.storageCorrupt, try directory.readFile(name, limit: 9), name)
    }
  }

  func testOnlyPlainNamesAreAccepted() throws {
    let directory = try StorageDirectory(path: Scratch(for: self).path)
    let long = String(repeating: "a", count: 65)
    let names = ["", ".", "..", "../a", "a/b", "/etc/passwd", "a\0b", long]
    for name in names {
      assertThrows(.invalidArgument, try directory.readFile(name, limit: 9))
      assertThrows(.invalidArgument, try directory.replaceFile(name, with: []))
      assertThrows(.invalidArgument, try directory.deleteFile(name))
    }
  }

  func testAFullDiskKeepsTheOldContent() throws {
    for space in LimitedSpace.allCases {
      try space.use(for: self) { scratch in
        let directory = try StorageDirectory(path: scratch.path)
        try directory.replaceFile("configuration.json", with: [1])
        let large = [UInt8](repeating: 7, count: 512 * 1024)
        assertThrows(
          .storageFull, try directory.replaceFile("configuration.json", with: large), "\(space)")
        XCTAssertEqual(try directory.readFile("configuration.json", limit: 9), [1])
        XCTAssertEqual(try scratch.names(), ["configuration.json", "wallet.lock"])
      }
    }
  }
}
