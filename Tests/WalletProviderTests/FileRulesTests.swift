import Foundation
import TestSupport
import XCTest

/// Files and directories that others may change: `check` and `serve` refuse them with the same
/// words. Tests/Install/messages.sh has those that belong to another user, which only root can make.
final class FileRulesTests: XCTestCase {
  private let scratch = NSTemporaryDirectory() + "file-rules-" + UUID().uuidString

  private var data: String { scratch + "/data" }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o711])
    let made = try Program.run(Program.provider, ["wallet", "list", "--data", data])
    XCTAssertNotEqual(made.status, 0, "there is no provider yet")
    let configured = try Program.run(Program.provider, ["client-configuration", "--data", data])
    XCTAssertEqual(configured.status, 0, configured.errors)
    let listed = try Program.run(Program.provider, ["wallet", "list", "--data", data])
    XCTAssertEqual(listed.status, 0, listed.errors)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: scratch) }

  private func write(_ text: String, _ name: String, mode: Int = 0o600) throws -> String {
    let path = scratch + "/" + name
    XCTAssertTrue(
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    return path
  }

  /// Asserts that `check` and `serve` refuse with `reason`.
  private func assertRefused(
    _ reason: String, _ options: [String] = [], line: UInt = #line
  ) throws {
    let options = ["--data", data, "--port", "0"] + options
    let checked = try Program.run(Program.provider, ["check"] + options)
    XCTAssertEqual(checked.status, 1, checked.output, line: line)
    let wrong = checked.output.split(separator: "\n").filter { $0.hasPrefix("wrong ") }
    XCTAssertTrue(wrong.contains { $0.hasSuffix(": " + reason) }, checked.output, line: line)
    // A server that starts would not end by itself.
    let served = try Program.run(
      "/usr/bin/env",
      ["timeout", "\(Int(Patience.seconds))", Program.provider, "serve"] + options)
    XCTAssertEqual(served.status, 1, line: line)
    XCTAssertEqual(served.errors, "Error: \(reason)\n", line: line)
  }

  private func assertInOrder(line: UInt = #line) throws {
    let checked = try Program.run(Program.provider, ["check", "--data", data, "--port", "0"])
    XCTAssertEqual(checked.status, 0, checked.output, line: line)
  }

  func testRefusesWhatOthersMayChange() throws {
    try assertInOrder()
    let keys = data + "/keys"
    for (path, mode, reason) in [
      (data, 0o777, "others may open \(data). Run: chmod 700 \(data)"),
      (keys, 0o770, "others may change \(keys). Run: chmod go-w \(keys)"),
      (keys, 0o703, "others may change \(keys). Run: chmod go-w \(keys)"),
    ] {
      XCTAssertEqual(chmod(path, mode_t(mode)), 0)
      try assertRefused(reason)
      XCTAssertEqual(chmod(path, 0o700), 0)
    }
    let policy = data + "/update-policy.json"
    try Data(#"{"rules":[]}"#.utf8).write(to: URL(fileURLWithPath: policy))
    XCTAssertEqual(chmod(policy, 0o662), 0)
    try assertRefused("others may change \(policy). Run: chmod go-w \(policy)")
    XCTAssertEqual(chmod(policy, 0o644), 0)
    try assertInOrder()
    let settings = try write("port: 0", "settings.yaml", mode: 0o664)
    try assertRefused(
      "others may change \(settings). Run: chmod go-w \(settings)", ["--config", settings])
    let files = try TestCertificates()
    XCTAssertEqual(chmod(files.certificate, 0o666), 0)
    try assertRefused(
      "others may change \(files.certificate). Run: chmod go-w \(files.certificate)",
      ["--tls-certificate", files.certificate, "--tls-key", files.key])
  }
}
