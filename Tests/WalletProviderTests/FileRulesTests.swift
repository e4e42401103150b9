import Foundation
import TestSupport
import XCTest

/// Files and directories that somebody else owns or may change: `check` and `serve` refuse them with
/// the same words.
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

  func testRefusesWhatBelongsToAnotherUser() throws {
    try XCTSkipUnless(geteuid() == 0, "only root can give files away")
    let settings = try write("log-level: info", "settings.yaml")
    let source = try write(#"{"issuers":[],"documents":[]}"#, "source.json")
    let policy = data + "/update-policy.json"
    try Data(#"{"rules":[]}"#.utf8).write(to: URL(fileURLWithPath: policy))
    let other: uid_t = 65_534
    for (path, options) in [
      (data, []), (data + "/keys", []), (data + "/keys/encryption.key", []),
      (data + "/provider-id", []), (data + "/configuration.jwt", []),
      (data + "/wallet-provider.sqlite", []), (policy, []), (settings, ["--config", settings]),
      (source, ["--authoritative-source", source]),
    ] {
      XCTAssertEqual(chown(path, other, gid_t.max), 0)
      try assertRefused(
        "\(path) belongs to the user with id \(other), who may change it, and this runs as 0."
          + " Run this as that user or, if the content is right, run: chown 0 \(path)", options)
      XCTAssertEqual(chown(path, 0, gid_t.max), 0)
    }
    try assertInOrder()
  }

  func testAServerOfAnotherUserMayReadWhatRootOwns() throws {
    try XCTSkipUnless(geteuid() == 0, "only root can become another user")
    let settings = try write("log-level: info", "settings.yaml", mode: 0o644)
    let place = scratch + "/place"
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    XCTAssertEqual(chown(place, 65_534, gid_t.max), 0)
    let shown = try Program.run(
      "/usr/bin/env",
      [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Program.provider, "check",
        "--data", place + "/data", "--port", "0", "--config", settings,
      ])
    XCTAssertEqual(shown.status, 0, shown.output + shown.errors)
    XCTAssertTrue(shown.output.contains("ok settings: read from \(settings)"), shown.output)
  }
}
