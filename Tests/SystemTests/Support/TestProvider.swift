import Foundation
import TestSupport
import WalletPlatform
import WalletTransport
import XCTest

/// A real `wallet-provider-testing` process with its own data directory, on the same port at every
/// start.
final class TestProvider {
  let data: URL
  private(set) var url = ""
  private(set) var control = ""
  private var process: Process?
  private let held: HeldPort

  /// Settings for the next start, each by its name.
  var settings: [String: String]
  private let log: URL?

  /// - Parameters:
  ///   - settings: Settings of the provider, each by its name: `wallet-rate`.
  ///   - log: A file that receives the log, of all its starts.
  init(settings: [String: String] = [:], log: URL? = nil) throws {
    self.settings = settings
    self.log = log
    if let log { try Data().write(to: log) }
    held = try HeldPort()
    data = try Scratch.directory("provider")
    try start()
  }

  /// The testing server next to the test bundle, or the one that the environment names.
  static var executable: URL {
    if let path = ProcessInfo.processInfo.environment["TEST_PROVIDER"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("wallet-provider-testing")
  }

  func start() throws {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = ["serve", "--data", data.path, "--port", "\(port)", "--control-tcp", "0"]
    var environment = ProcessInfo.processInfo.environment
    // All wallets of a test have the same address.
    environment[Self.variable("registration-rate")] = "0"
    for (name, value) in settings { environment[Self.variable(name)] = value }
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    let errors = try log.map { try FileHandle(forWritingTo: $0) }
    try errors?.seekToEnd()
    process.standardError = errors ?? FileHandle.nullDevice
    try process.start()
    self.process = process
    var text = ""
    while text.split(separator: "\n", omittingEmptySubsequences: false).count < 3 {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      text += String(decoding: piece, as: UTF8.self)
    }
    for line in text.split(separator: "\n") {
      if let range = line.range(of: "wallet-provider listens on ") {
        url = String(line[range.upperBound...])
      }
      if let range = line.range(of: "control listens on ") {
        control = String(line[range.upperBound...])
      }
    }
    guard !url.isEmpty, !control.isEmpty else {
      throw TestFailure("The provider did not start: \(text)")
    }
  }

  static func variable(_ setting: String) -> String {
    "WALLET_PROVIDER_" + setting.uppercased().replacingOccurrences(of: "-", with: "_")
  }

  var port: UInt16 { held.number }

  func stop() {
    process?.terminate()
    process?.waitUntilExit()
    process = nil
  }

  var isRunning: Bool { process?.isRunning ?? false }

  func kill() {
    if let process { Foundation.kill(process.processIdentifier, SIGKILL) }
    process?.waitUntilExit()
    process = nil
  }

  /// The output of `client-configuration` for an app that reaches the provider at `url`.
  func clientConfiguration(
    url: String? = nil, authority: String? = nil, withUpdatePolicy: Bool = false
  ) throws -> Data {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments =
      [
        "client-configuration", "--data", data.path, "--url", url ?? self.url,
      ] + (authority.map { ["--certificate-authority", $0] } ?? [])
      + (withUpdatePolicy ? ["--with-update-policy"] : [])
    let output = Pipe()
    process.standardOutput = output
    try process.start()
    let document = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw TestFailure("client-configuration failed") }
    return document
  }

  /// Sends a control command. Returns the answer's JSON.
  @discardableResult
  func control(_ path: String, _ body: [String: Any]? = nil) throws -> [String: Any] {
    try Self.control(control, path, body)
  }

  /// Sends a command to the control at an address.
  static func control(
    _ control: String, _ path: String, _ body: [String: Any]? = nil
  ) throws -> [String: Any] {
    let address = try ProviderAddress(url: control, allowLoopbackHTTP: true)
    let json = try body.map { Array(try JSONSerialization.data(withJSONObject: $0)) }
    let request = HTTPRequest(
      json == nil ? .get : .post, path,
      headers: json == nil ? [:] : ["content-type": "application/json"], body: json ?? [],
      timeout: Patience.milliseconds)
    let answer = try? ProviderTransport(address: address, certificateAuthority: nil).send(
      request, cancellation: Cancellation())
    let object = answer.flatMap { try? JSONSerialization.jsonObject(with: Data($0.body)) }
    return object as? [String: Any] ?? [:]
  }

  func advanceClock(milliseconds: Int) throws {
    try control("/clock", ["advance_ms": milliseconds])
  }

  /// Sets the provider's clock to that of this machine, as before the first advance.
  func resetClock() throws {
    guard let now = try control("/clock")["now_ms"] as? Int else {
      throw TestFailure("The provider does not tell its time.")
    }
    try advanceClock(milliseconds: Int(Date().timeIntervalSince1970 * 1000) - now)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: data)
  }
}

struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Directories of tests, in the directory for temporary files. The runner deletes that.
enum Scratch {
  static func directory(_ name: String) throws -> URL {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("wallet_core-\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return url
  }
}
