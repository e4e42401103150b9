import Foundation
import TestSupport
import XCTest

/// The output and exit code of a program.
struct ProgramResult {
  let status: Int32
  let output: String
  let errors: String
}

/// Runs other programs until they end.
enum Program {
  static func curl(_ arguments: String...) throws -> ProgramResult {
    try run("/usr/bin/env", ["curl", "--silent", "--show-error"] + arguments)
  }

  /// The program `name` of this package: named by the environment variable `variable`, otherwise
  /// next to the tests.
  static func own(_ name: String, _ variable: String) -> String {
    if let path = ProcessInfo.processInfo.environment[variable] { return path }
    // The bundle is the tests' directory or, with another Foundation, a directory in it.
    let bundle = Bundle(for: ServerProcess.self).bundleURL
    let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    return products.appendingPathComponent(name).path
  }

  static let provider = own("wallet-provider", "WALLET_PROVIDER")
  static let testingProvider = own("wallet-provider-testing", "TEST_PROVIDER")

  /// - Parameters:
  ///   - input: standard input; empty if nil.
  ///   - environment: variables added to those of the tests.
  static func run(
    _ program: String, _ arguments: [String], input: String? = nil,
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    if let input {
      let pipe = Pipe()
      process.standardInput = pipe
      // Less than the capacity of a pipe.
      pipe.fileHandleForWriting.write(Data(input.utf8))
      try pipe.fileHandleForWriting.close()
    }
    process.standardOutput = output
    process.standardError = errors
    try process.start()
    // There is little output on the second pipe, so reading one after the other does not block.
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return ProgramResult(
      status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
      errors: String(decoding: complained, as: UTF8.self))
  }
}

/// A provider process that runs until this object is released.
final class ServerProcess {
  private let process = Process()
  private let output = Pipe()
  /// A file, because a server blocks on a full pipe that is not read.
  private let errors = URL(
    fileURLWithPath: NSTemporaryDirectory() + "provider-log-" + UUID().uuidString)
  private var seen = 0

  /// Runs `command`; returns after it printed `lines` lines.
  init(
    _ arguments: [String], program: String = Program.provider, command: String = "serve",
    lines: Int = 1, environment: [String: String] = [:]
  ) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [command, "--port", "0"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.start()
    var text = ""
    while text.filter({ $0 == "\n" }).count < lines {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { break }
      text += String(decoding: part, as: UTF8.self)
    }
    let announced = text.split(separator: "\n").map(String.init)
    XCTAssertEqual(announced.count, lines, text)
    self.announced = announced
  }

  /// The printed lines.
  let announced: [String]

  var identifier: Int32 { process.processIdentifier }

  /// The URL at the end of a printed line.
  func url(_ line: Int = 0) throws -> String {
    try XCTUnwrap(announced.dropFirst(line).first?.split(separator: " ").last.map(String.init))
  }

  /// The URL of the metrics or of the routes. The two announce themselves in any order.
  func url(ofMetrics: Bool) throws -> String {
    let line = announced.first { $0.contains("metrics are at") == ofMetrics }
    return try XCTUnwrap(line?.split(separator: " ").last.map(String.init))
  }

  func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The log since the last text that was found.
  private var log: Data { ((try? Data(contentsOf: errors)) ?? Data()).dropFirst(seen) }

  /// Waits until `text` is in the log; false if the process ends before.
  func logs(_ text: String) -> Bool {
    _ = eventually { log.range(of: Data(text.utf8)) != nil || !process.isRunning }
    let found = log
    guard found.range(of: Data(text.utf8)) != nil else { return false }
    seen += found.count
    return true
  }

  /// The rest of the log of a process that has ended.
  func lastLog() -> String {
    process.waitUntilExit()
    return String(decoding: log, as: UTF8.self)
  }

  /// Waits until the process ends by itself; returns the signal that ended it, if any.
  func killedBy() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
  }

  /// Waits for its end; returns the exit code.
  func exitCode() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Ends it with SIGTERM; returns the exit code. Prints the log of one that fails.
  func end() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    if process.terminationStatus != 0 { print(lastLog()) }
    return process.terminationStatus
  }

  deinit {
    if process.isRunning { signal(SIGKILL) }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: errors)
  }
}
