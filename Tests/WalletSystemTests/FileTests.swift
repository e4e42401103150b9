import Foundation
import WalletSystem
import XCTest

final class FileTests: XCTestCase {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString).path

  override func setUpWithError() throws {
    try FileSystem.createDirectory(directory, mode: 0o700)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: directory) }

  private func assertFails<Result>(
    _ expected: SystemError, line: UInt = #line, _ body: () throws -> Result
  ) {
    XCTAssertThrowsError(try body(), line: line) { error in
      XCTAssertEqual(error as? SystemError, expected, line: line)
    }
  }

  private func create(_ content: [UInt8]) throws -> String {
    let path = directory + "/file"
    let file = try FileDescriptor(
      opening: path, [.writing, .creating, .exclusively], mode: 0o600)
    defer { file.close() }
    try file.write(content)
    try file.synchronise()
    return path
  }

  func testAFileIsReadAsItWasWrittenUpToTheLimit() throws {
    let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let path = try create(content)
    for limit in [content.count, content.count - 1] {
      let file = try FileDescriptor(opening: path)
      defer { file.close() }
      XCTAssertEqual(try file.readAll(limit: limit), limit == content.count ? content : nil)
    }
    let status = try FileStatus(path: path)
    XCTAssertEqual(status.size, 100_000)
    XCTAssertEqual(status.mode, 0o600)
    XCTAssertTrue(status.isRegular)
    XCTAssertEqual(status.owner, CurrentProcess.effectiveUser)
  }

  func testAPlaceInAFileIsWrittenAndReadAndTheRestStays() throws {
    let path = try create([1, 2, 3, 4, 5, 6])
    let file = try FileDescriptor(opening: path, .readingAndWriting)
    defer { file.close() }
    try file.write([8, 9], at: 2)
    try file.synchroniseContent()
    XCTAssertEqual(try file.read(3, at: 1), [2, 8, 9])
    XCTAssertEqual(try file.read(10, at: 4), [5, 6])
    XCTAssertEqual(try file.read(1, at: 6), [])
    XCTAssertEqual(try file.readAll(limit: 6), [1, 2, 8, 9, 5, 6])
  }

  func testOptionsFailWithTheErrorsTheyAreFor() throws {
    let path = try create([])
    assertFails(.fileExists) { try create([]) }
    assertFails(.noSuchFile) { try FileDescriptor(opening: path + "2") }
    try FileManager.default.createSymbolicLink(
      atPath: directory + "/link", withDestinationPath: path)
    assertFails(.tooManyLinks) {
      try FileDescriptor(opening: directory + "/link", .withoutFollowing)
    }
  }

  func testALockIsHeldUntilTheDescriptorIsClosed() throws {
    let path = try create([])
    let first = try FileDescriptor(opening: path)
    try first.lock(waits: true)
    let second = try FileDescriptor(opening: path)
    defer { second.close() }
    assertFails(.wouldBlock) { try second.lock(waits: false) }
    first.close()
    try second.lock(waits: false)
  }

  func testANameInADirectoryIsRenamedAndDeleted() throws {
    _ = try create([1])
    let directory = try FileDescriptor(opening: self.directory, .directory)
    defer { directory.close() }
    try FileSystem.rename("file", to: "renamed", in: directory)
    XCTAssertEqual(try FileStatus(name: "renamed", in: directory).size, 1)
    try FileSystem.delete("renamed", in: directory)
    assertFails(.noSuchFile) { try FileSystem.delete("renamed", in: directory) }
    XCTAssertTrue(try FileSystem.resolve(self.directory).hasPrefix("/"))
  }
}
