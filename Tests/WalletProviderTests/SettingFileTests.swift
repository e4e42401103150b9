import Foundation
import TestSupport
import WalletAttempts
import WalletProvider
import WalletProviderServer
import XCTest

/// The configuration file, mostly as read by processes.
final class SettingFileTests: XCTestCase {
  private let directory = NSTemporaryDirectory() + "setting-file-" + UUID().uuidString

  private var file: String { directory + "/wallet-provider.yaml" }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: directory) }

  private func write(_ yaml: String) throws {
    try yaml.write(toFile: file, atomically: true, encoding: .utf8)
  }

  private func settings(_ yaml: String) throws -> ServerSettings {
    try write(yaml)
    return try ServerSettings.read(options: [:], config: file)
  }

  private func show(_ arguments: String..., environment: [String: String] = [:]) throws -> [String]
  {
    let result = try Program.run(
      Program.provider, ["config", "show"] + arguments, environment: environment)
    XCTAssertEqual(result.status, 0, result.errors)
    return result.output.split(separator: "\n").map(String.init)
  }

  func testEnvironmentWinsOverTheFileAndAnOptionOverBoth() throws {
    try write(
      """
      # a comment
      port: 1001
      attempt-rounds: 3
      block-seconds: [7, 8]
      challenge-seconds: 9
      behind-proxy: true
      issuing-authority: "Ministry: \\"Interior\\" # 1"
      """)
    let environment = [
      "WALLET_PROVIDER_ATTEMPT_ROUNDS": "2", "WALLET_PROVIDER_BLOCK_SECONDS": "10",
      "WALLET_PROVIDER_PORT": "1002",
    ]
    let lines = try show(
      "--config", file, "--port", "1003", "--no-behind-proxy", environment: environment)
    for line in [
      "port: 1003  # --port", "attempt-rounds: 2  # WALLET_PROVIDER_ATTEMPT_ROUNDS",
      "block-seconds: [10]  # WALLET_PROVIDER_BLOCK_SECONDS",
      "challenge-seconds: 9  # \(file) line 5", "behind-proxy: false  # --behind-proxy",
      "attempts-per-round: 4  # default", "#tls-key:  # none",
      #"issuing-authority: "Ministry: \"Interior\" # 1"  # \#(file) line 7"#,
    ] {
      XCTAssertTrue(lines.contains(line), "\(line) is not in \(lines)")
    }
    // The output can be used as a file with the same meaning.
    let shown = try settings(lines.joined(separator: "\n"))
    XCTAssertEqual(shown.port, 1003)
    XCTAssertEqual(shown.provider.proofing.issuingAuthority, "Ministry: \"Interior\" # 1")
    XCTAssertEqual(shown.provider.attemptPolicy.blockDurations, [10_000])
  }

  func testFindsTheFileByOptionVariableOrInTheDataDirectory() throws {
    try write("port: 1001")
    let line = "port: 1001  # \(file) line 1"
    XCTAssertTrue(try show("--config", file).contains(line))
    XCTAssertTrue(try show(environment: ["WALLET_PROVIDER_CONFIG": file]).contains(line))
    XCTAssertTrue(try show("--data", directory).contains(line))
    XCTAssertTrue(try show(environment: ["WALLET_PROVIDER_DATA": directory]).contains(line))
    XCTAssertTrue(try show().contains("port: 8740  # default"))

    try write("data: \(directory)")
    XCTAssertTrue(try show("--data", directory).contains("data: \(directory)  # --data"))
    try write("port: 1\ndata: /elsewhere")
    XCTAssertTrue(try show("--config", file).contains("data: /elsewhere  # \(file) line 2"))
    let other = try Program.run(Program.provider, ["config", "show", "--data", directory])
    XCTAssertEqual(other.status, 64)
    XCTAssertTrue(other.errors.hasPrefix("Error: \(file) line 2: data must be"), other.errors)

    for command in [["config", "show"], ["serve"], ["account", "list"]] {
      let none = try Program.run(Program.provider, command + ["--config", directory + "/none"])
      XCTAssertEqual(none.status, 1)
      XCTAssertEqual(none.errors, "Error: there is no configuration file \(directory)/none\n")
    }
  }

  func testSampleShowsTheDefaultOfEverySetting() throws {
    let sample = try Program.run(Program.provider, ["config", "sample"])
    XCTAssertEqual(sample.status, 0)
    XCTAssertEqual(try settings(sample.output), try ServerSettings())
    var lines: [String] = []
    var previous = ""
    for line in sample.output.split(separator: "\n") {
      let isSetting = line.hasPrefix("#") && !line.hasPrefix("# ") && !line.hasPrefix("##")
      if isSetting, !previous.hasSuffix("example:") { lines.append(String(line.dropFirst())) }
      previous = String(line)
    }
    XCTAssertGreaterThan(lines.count, 20)
    XCTAssertEqual(try settings(lines.joined(separator: "\n")), try ServerSettings())
    for name in SettingName.allCases {
      XCTAssertTrue(sample.output.contains("\n#\(name.rawValue): "), name.rawValue)
    }
    // With the examples uncommented, the whole sample is a valid file.
    let all = sample.output.split(separator: "\n")
      .filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") && !$0.hasPrefix("##") }
      .map { String($0.dropFirst()) }
    XCTAssertEqual(
      try settings(all.joined(separator: "\n")).tls,
      TLSFiles(certificate: "server.pem", key: "server.key"))
  }

  func testNamesErrorsWithFileLineAndKey() throws {
    let bad = [
      ("port: x", "line 1: port must be a whole number from 0 to 65535, not \"x\""),
      ("\nport: 1\nhots: a", "line 3: \"hots\" is not a setting"),
      ("port: 1\nhost: a\nport: 2", "line 1: port is there more than once"),
      ("port: 1\nlog-level: loud", "line 2: log-level must be one of trace"),
      ("attempt-rounds: [1, 2]", "line 1: attempt-rounds must be a single value"),
      ("host:\n  port: 1", "line 1: host must be a single value"),
      ("block-seconds: [1, [2], 3]", "line 1: block-seconds must be a single value or a list"),
      ("proofing-hosts: [\"a,b\"]", "line 1: proofing-hosts must be a single value or a list"),
      ("behind-proxy: yes", "line 1: behind-proxy must be true or false, not \"yes\""),
      ("host:", "line 1: host must be not empty"), ("tls-key: null", "line 1: tls-key must be not"),
      ("port: 1\n  host: : a", "line 2: not YAML"), ("port: 1\n---\nport: 2", "line 2: not YAML"),
      ("- port", "line 1: not a list of settings"), ("port", "line 1: not a list of settings"),
      ("[1]: 2", "line 1: a key that is no text is not a setting"),
      ("<<: {port: 1}", "line 1: \"<<\" is not a setting"),
      ("port: 1\ntls-key: k", "line 2: tls-key needs --tls-certificate"),
      ("challenge-seconds: 3601", "line 1: challenge-seconds must be a whole number of seconds"),
    ]
    for (yaml, expected) in bad {
      XCTAssertThrowsError(try settings(yaml), yaml) {
        XCTAssertTrue("\($0)".hasPrefix("\(file) \(expected)"), "\(yaml): \($0)")
      }
    }
    let unfit = [
      ("port: 1\nattempt-rounds: 3", "line 2: attempt-rounds"),
      ("warning-seconds: 400", "line 1: warning-seconds"),
      ("pending-seconds: 4000\nsession-seconds: 5000", "line 1: pending-seconds"),
      ("port: 1\nhost: 0.0.0.0", "line 2: host"),
      ("proofing-hosts: UPPER", "line 1: proofing-hosts"),
    ]
    for (yaml, expected) in unfit {
      XCTAssertThrowsError(try settings(yaml), yaml) {
        XCTAssertTrue("\($0)".contains("; see "), "\(yaml): \($0)")
        XCTAssertTrue("\($0)".contains("\(file) \(expected)"), "\(yaml): \($0)")
      }
    }
    try write("port: x")
    let serve = try Program.run(Program.provider, ["serve", "--data", directory])
    XCTAssertEqual(serve.status, 64)
    XCTAssertTrue(serve.errors.hasPrefix("Error: \(file) line 1: port must be"), serve.errors)
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: directory), ["wallet-provider.yaml"])
  }

  func testFileWithAPasswordMustBePrivateAndThePasswordIsNeverShown() throws {
    let urls = [
      "postgresql://wallet:hunter2@db.example/wallet",
      "postgresql://wallet:a/hunter2@db.example/wallet",
      "postgresql://wallet/a:hunter2@db.example/wallet",
      "postgresql://wallet@db.example/wallet?password=hunter2",
    ]
    let commands = [["config", "show"], ["check"], ["serve"], ["wallet", "list"]]
    let tried = Sample.of(
      urls.flatMap { url in commands.map { (url: url, command: $0) } },
      kind: { $0.command.joined(separator: " ") })
    for url in urls {
      try write("port: 1\ndatabase: \(url)")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
      for command in tried.filter({ $0.url == url }).map(\.command) {
        let result = try Program.run(Program.provider, command + ["--config", file])
        XCTAssertNotEqual(result.status, 0)
        let said = result.output + result.errors
        XCTAssertTrue(said.contains("chmod 600 \(file), or move database out of it"), said)
        XCTAssertFalse(said.contains("hunter2"), said)
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let lines = try show("--config", file)
      XCTAssertTrue(lines.contains("database: \"***\"  # \(file) line 2"), "\(lines)")
      XCTAssertFalse(lines.joined().contains("hunter2"))
      let variable = try show(
        "--data", directory + "/none", environment: ["WALLET_PROVIDER_DATABASE": url])
      XCTAssertTrue(
        variable.contains("database: \"***\"  # WALLET_PROVIDER_DATABASE"), "\(variable)")
    }
    for bad in [
      "mysql://wallet:hunter2@db.example/wallet", "wallet:hunter2@db.example",
    ] {
      try write("database: \(bad)")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let result = try Program.run(Program.provider, ["config", "show", "--config", file])
      XCTAssertEqual(result.status, 64)
      XCTAssertTrue(result.errors.contains("line 1: database must be a URL"), result.errors)
      XCTAssertFalse(result.errors.contains("hunter2"), result.errors)
    }
    // Without a password nothing is secret.
    try write("database: postgresql://wallet@db.example/wallet")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    XCTAssertTrue(
      try show("--config", file).contains {
        $0.hasPrefix("database: \"postgresql://wallet@db.example/wallet\"  # ")
      })
  }

  func testNoFileTrapsTheReader() throws {
    let aliases = (1...9).map { number in
      let parts = Array(repeating: "*a\(number - 1)", count: 9)
      return "a\(number): &a\(number) [\(parts.joined(separator: ","))]"
    }
    let hostile = [
      String(repeating: "[", count: 20_000), String(repeating: "{a: ", count: 20_000),
      "a0: &a0 [x]\n" + aliases.joined(separator: "\n"), "port: \u{0}", "\u{FEFF}port: 1",
      "port: !!binary \"\\x00\"", "? port\n", "port: &a *a", "%YAML 9.9\n---\nport: 1",
      "port: \"\\ud800\"", String(repeating: "port: 1\n", count: 1000), "!!set {port}", "\t",
    ]
    for yaml in hostile { _ = try? settings(yaml) }
    for bytes: [UInt8] in [[0xFF], [0xFE, 0xFF, 0, 0x70], [0x70, 0xC0, 0x80]] {
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      XCTAssertThrowsError(try ServerSettings.read(options: [:], config: file)) {
        XCTAssertTrue("\($0)".contains("not UTF-8"), "\($0)")
      }
    }
    try Data(count: (1 << 20) + 1).write(to: URL(fileURLWithPath: file))
    XCTAssertThrowsError(try ServerSettings.read(options: [:], config: file))
    XCTAssertThrowsError(try ServerSettings.read(options: [:], config: directory))
  }
}
