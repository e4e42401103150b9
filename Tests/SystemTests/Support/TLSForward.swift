import Foundation
import TestSupport

/// A TLS server on loopback in front of a port: Tests/Support/tls_forward.py.
final class TLSForward {
  private let process = Process()
  private let input = Pipe()
  private(set) var port = ""

  init(certificate: URL, key: URL, to port: UInt16) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Support/tls_forward.py").standardizedFileURL
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path, certificate.path, key.path, "\(port)"]
    let output = Pipe()
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw TestFailure("tls_forward.py ended") }
      line += String(decoding: data, as: UTF8.self)
    }
    self.port = String(line.dropLast())
  }

  func stop() {
    input.fileHandleForWriting.closeFile()
    process.waitUntilExit()
  }
}
