import Foundation
import WalletProtocol
import WalletSignatures
import XCTest

@testable import WalletProvider

/// A file with two slots, of which the last one that is whole holds the content.
final class AlternatingFileTests: XCTestCase {
  private let directory = NSTemporaryDirectory() + UUID().uuidString
  private var path: String { directory + "/file" }
  private var file: AlternatingFile { AlternatingFile(path) }

  override func setUpWithError() throws { try PrivateFile.createDirectory(directory) }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(atPath: directory)
  }

  private func inode() throws -> Int {
    try XCTUnwrap(
      FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
  }

  /// Changes the bytes of the slot that was written last, or of the other one.
  private func damage(newest: Bool, _ change: (inout Data) -> Void) throws {
    var whole = try Data(contentsOf: URL(filePath: path))
    let half = whole.count / 2
    func number(_ start: Int) -> [UInt8] { Array(whole[start + 8..<start + 16]) }
    let isFirst = number(half).lexicographicallyPrecedes(number(0)) == newest
    let slot = isFirst ? 0..<half : half..<whole.count
    var bytes = Data(whole[slot])
    change(&bytes)
    whole.replaceSubrange(slot, with: bytes)
    try whole.write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  func testWhatWasWrittenLastIsReadAndTheFileStaysTheSame() throws {
    XCTAssertNil(try file.read())
    try file.write([1, 2, 3])
    let made = try inode()
    for length in [0, 7, 3000, 1, 20_000] {
      let content = SecureRandom.bytes(length)
      try file.write(content)
      XCTAssertEqual(try file.read(), content)
      XCTAssertEqual(try AlternatingFile(path).read(), content)
    }
    XCTAssertEqual(try inode(), made)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: directory), ["file"])
  }

  func testAWriteThatWasCutOffLeavesTheFormerContent() throws {
    for cut in [0, 5, 20, 40, 60, 1000] {
      try? FileManager.default.removeItem(atPath: path)
      try file.write(Array("first".utf8))
      let former = SecureRandom.bytes(2000)
      try file.write(former)
      try file.write(SecureRandom.bytes(2000))
      // Of the last write only the beginning has come, over what the slot had before.
      try damage(newest: true) { slot in
        for place in cut..<2056 { slot[place] = UInt8(truncatingIfNeeded: place) }
      }
      XCTAssertEqual(try file.read(), former, "\(cut)")
      let next = SecureRandom.bytes(100)
      try file.write(next)
      XCTAssertEqual(try file.read(), next, "\(cut)")
      // The damaged slot was written, not the whole one.
      try damage(newest: true) { $0[60] ^= 1 }
      XCTAssertEqual(try file.read(), former, "\(cut)")
    }
  }

  func testDamageOfTheOtherSlotChangesNothing() throws {
    try file.write([1])
    try file.write([2])
    try damage(newest: false) { $0[10] ^= 1 }
    XCTAssertEqual(try file.read(), [2])
    try file.write([3])
    XCTAssertEqual(try file.read(), [3])
  }

  func testWithBothSlotsDamagedTheFileIsEmptyAndNotMissing() throws {
    try file.write([1])
    try file.write([2])
    try damage(newest: true) { $0[56] ^= 1 }
    try damage(newest: false) { $0[56] ^= 1 }
    XCTAssertEqual(try file.read(), [])
    try file.write([3])
    XCTAssertEqual(try file.read(), [3])
  }

  func testContentThatDoesNotFitGetsALargerFile() throws {
    try file.write([1])
    for length in [40_000, 300_000, 2_000_000] {
      let content = SecureRandom.bytes(length)
      try file.write(content)
      XCTAssertEqual(try file.read(), content)
    }
    XCTAssertThrowsError(
      try file.write([UInt8](repeating: 0, count: AlternatingFile.longest + 1)))
    XCTAssertEqual(try file.read()?.count, 2_000_000)
  }

  func testAFileWithoutSlotsIsReadAndReplaced() throws {
    for length in [0, 500, 65_536] {
      let former = SecureRandom.bytes(length)
      try PrivateFile.write(former, to: path, replace: true)
      XCTAssertEqual(try file.read(), former)
      try file.write([1, 2])
      XCTAssertEqual(try file.read(), [1, 2])
    }
  }

  func testAFileThatOthersMayOpenIsRefusedAndReplaced() throws {
    try file.write([1])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    XCTAssertThrowsError(try file.read()) { XCTAssert($0 is FileProblem) }
    try file.write([2])
    XCTAssertEqual(try file.read(), [2])
  }
}
