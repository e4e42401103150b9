import Foundation
import XCTest

/// The file of `--out`: a regular one, and never what a link leads to.
final class OutputFileTests: XCTestCase {
  private let scratch = NSTemporaryDirectory() + "output-file-" + UUID().uuidString

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: scratch) }

  private func write(to path: String) throws -> ProgramResult {
    try Program.run(
      Program.provider, ["client-configuration", "--data", scratch + "/data", "--out", path])
  }

  /// The type bits of a name, and the device that it is.
  private func kind(_ path: String) -> [UInt64] {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return [] }
    return [UInt64(facts.st_mode & S_IFMT), UInt64(facts.st_rdev), UInt64(facts.st_ino)]
  }

  func testWritesANewFileAndReplacesARegularOne() throws {
    let path = scratch + "/client.json"
    for _ in 1...2 {
      let result = try write(to: path)
      XCTAssertEqual(result.status, 0, result.errors)
      XCTAssertEqual(result.output, "")
      XCTAssertTrue(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("}\n"))
      try "something else".write(toFile: path, atomically: false, encoding: .utf8)
    }
  }

  /// Makes a socket with a name.
  private func makeSocket(_ path: String) throws {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try withUnsafeMutableBytes(of: &address.sun_path) {
      guard bytes.count < $0.count else { throw CocoaError(.fileWriteInvalidFileName) }
      $0.copyBytes(from: bytes)
    }
    let status = withUnsafeBytes(of: &address) { name -> Int32 in
      guard let start = name.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      return bind(listener, start, socklen_t(name.count))
    }
    XCTAssertEqual(status, 0)
  }

  func testReplacesNoLinkPipeSocketDeviceOrDirectory() throws {
    let target = scratch + "/target"
    try "precious".write(toFile: target, atomically: false, encoding: .utf8)
    let (link, dangling, pipe) = (scratch + "/link", scratch + "/dangling", scratch + "/pipe")
    XCTAssertEqual(symlink(target, link), 0)
    XCTAssertEqual(symlink(scratch + "/none", dangling), 0)
    XCTAssertEqual(mkfifo(pipe, 0o600), 0)
    let socket = scratch + "/socket"
    try makeSocket(socket)
    // A device that every machine has. Only a user who may replace it would, so this is worth most as
    // root; a device of the test's own needs rights that not every root has.
    for path in [link, dangling, pipe, socket, scratch, "/dev/null"] {
      let before = kind(path)
      XCTAssertFalse(before.isEmpty, path)
      let result = try write(to: path)
      XCTAssertEqual(result.errors, "Error: \(path) cannot be written: it is no regular file\n")
      XCTAssertEqual(result.status, 64)
      XCTAssertEqual(kind(path), before, path)
    }
    XCTAssertEqual(try String(contentsOfFile: target, encoding: .utf8), "precious")
    XCTAssertFalse(FileManager.default.fileExists(atPath: scratch + "/none"))
    XCTAssertFalse(
      FileManager.default.fileExists(atPath: scratch + "/data"), "refused before keys are made")
  }
}
