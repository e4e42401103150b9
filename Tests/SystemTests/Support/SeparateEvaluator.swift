import Foundation
import TestSupport
import XCTest

/// A real `wallet-provider evaluate` process with its own directory, on the same port at every
/// start.
final class SeparateEvaluator {
  let data: URL
  private let files: URL
  private let held: HeldPort
  private var process: Process?

  init() throws {
    held = try HeldPort()
    data = try Scratch.directory("evaluator")
    files = try Scratch.directory("evaluator-tls")
    for side in ["server", "client"] { try makeCertificate(side) }
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: data)
    try? FileManager.default.removeItem(at: files)
  }

  /// The settings of a provider that uses it.
  var settings: [String: String] {
    [
      "evaluator-url": "https://127.0.0.1:\(held.number)",
      "evaluator-certificate": file("client.pem"), "evaluator-key": file("client.key"),
      "evaluator-authority": file("server.pem"),
    ]
  }

  func restart() throws {
    stop()
    try start()
  }

  private func start() throws {
    let process = Process()
    process.executableURL = TestProvider.commands
    process.arguments = [
      "evaluate", "--data", data.path, "--host", "127.0.0.1", "--port", "\(held.number)",
      "--tls-certificate", file("server.pem"), "--tls-key", file("server.key"),
      "--client-authority", file("client.pem"),
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    self.process = process
    // The line comes when it listens, and none if it ends before.
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard line.contains(" listens on ") else {
      throw TestFailure("The evaluator did not start: \(line)")
    }
  }

  private func stop() {
    process?.terminate()
    process?.waitUntilExit()
    process = nil
  }

  private func file(_ name: String) -> String { files.appendingPathComponent(name).path }

  /// Each side has a certificate that is its own authority.
  private func makeCertificate(_ side: String) throws {
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    openssl.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-days", "2", "-subj", "/CN=\(side)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
      file("\(side).key"), "-out", file("\(side).pem"),
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.start()
    openssl.waitUntilExit()
    guard openssl.terminationStatus == 0 else { throw TestFailure("openssl made no certificate") }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: file("\(side).key"))
  }
}
