import Foundation
import Glibc
import WalletCrypto
import WalletModel
import XCTest

/// A new directory for a test, deleted at the end of the test.
struct Scratch {
  let path: String
  private let test: XCTestCase

  init(for test: XCTestCase) throws {
    self.test = test
    var template = Array((NSTemporaryDirectory() + "wallet-storage-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let made = path
    test.addTeardownBlock { try? FileManager.default.removeItem(atPath: made) }
  }

  func file(_ name: String) -> String { path + "/" + name }

  func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }

  func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: path))
  }

  /// Copies all files as they are now, which is what a killed process leaves.
  func copy() throws -> Scratch {
    let other = try Scratch(for: test)
    for name in try names() { try other.write(name, try read(name)) }
    return other
  }

  /// The access rights of a file, e.g. 0o600.
  func mode(_ name: String) throws -> mode_t {
    var status = stat()
    guard stat(file(name), &status) == 0 else { throw POSIXError(.ENOENT) }
    return status.st_mode & 0o7777
  }
}

extension Secret {
  convenience init(text: String) throws { try self.init(copying: Array(text.utf8)) }

  var text: String { String(decoding: disclosed(), as: UTF8.self) }
}

/// Asserts that `body` throws a `WalletError` of that kind.
func assertThrows<Result>(
  _ kind: WalletError.Kind, _ body: @autoclosure () throws -> Result, _ message: String = "",
  line: UInt = #line, file: StaticString = #filePath
) {
  XCTAssertThrowsError(try body(), message, file: file, line: line) {
    XCTAssertEqual(($0 as? WalletError)?.kind, kind, "\($0) \(message)", file: file, line: line)
  }
}
