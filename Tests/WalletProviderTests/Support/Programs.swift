import Foundation
import TestSupport
import XCTest

/// What a program said until it ended.
struct ProgramResult {
  let status: Int32
  let output: String
  let errors: String
}

/// Other programs, run to their end.
enum Program {
  static func curl(_ arguments: String...) throws -> ProgramResult {
    try run("/usr/bin/env", ["curl", "--silent", "--show-error"] + arguments)
  }

  /// The program `name` of this package: where `variable` says, else beside the tests.
  static func own(_ name: String, _ variable: String) -> String {
    if let path = ProcessInfo.processInfo.environment[variable] { return path }
    // The bundle is the directory of the tests, or with another Foundation a directory in there.
    let bundle = Bundle(for: ServerProcess.self).bundleURL
    let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    return products.appendingPathComponent(name).path
  }

  static let provider = own("wallet-provider", "WALLET_PROVIDER")
  static let testingProvider = own("wallet-provider-testing", "WALLET_PROVIDER_TESTING")

  /// - Parameters:
  ///   - input: what comes on standard input; nothing when nil.
  ///   - environment: what is added to that of the tests.
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
      // Less than a pipe holds.
      pipe.fileHandleForWriting.write(Data(input.utf8))
      try pipe.fileHandleForWriting.close()
    }
    process.standardOutput = output
    process.standardError = errors
    try process.start()
    // Little comes on the second pipe, so one after the other does not block.
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return ProgramResult(
      status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
      errors: String(decoding: complained, as: UTF8.self))
  }
}

/// A provider that runs as a process until the test lets go of it.
final class ServerProcess {
  private let process = Process()
  private let output = Pipe()
  /// A file, as nobody may have time to read: a server waits for ever for a pipe that is full.
  private let errors = URL(
    fileURLWithPath: NSTemporaryDirectory() + "provider-log-" + UUID().uuidString)
  private var seen = 0

  /// Runs `serve`; back when it has printed `lines` lines.
  init(
    _ arguments: [String], program: String = Program.provider, lines: Int = 1,
    environment: [String: String] = [:]
  ) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--port", "0"] + arguments
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

  /// What it printed.
  let announced: [String]

  var identifier: Int32 { process.processIdentifier }

  /// The URL at the end of a printed line.
  func url(_ line: Int = 0) throws -> String {
    try XCTUnwrap(announced[line].split(separator: " ").last.map(String.init))
  }

  func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// What it logged since the text that was found last.
  private var log: Data { ((try? Data(contentsOf: errors)) ?? Data()).dropFirst(seen) }

  /// Waits until `text` is in the log; false when the process ends before.
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

  /// Waits for an end that the process comes to by itself; the signal that ended it, if one did.
  func killedBy() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
  }

  /// Waits for its end; the exit code.
  func exitCode() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Ends it in good order; the exit code.
  func end() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit {
    if process.isRunning { signal(SIGKILL) }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: errors)
  }
}
