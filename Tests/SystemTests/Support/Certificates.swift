import Foundation
import TestSupport

/// Two authorities, and certificates of the first, made by the `openssl` command.
final class Certificates {
  private let directory: URL
  var serverKey: URL { file("server.key") }

  init() throws {
    directory = try Scratch.directory("certificates")
    for name in ["authority", "other", "server"] {
      try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "\(name).key")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: file("\(name).key").path)
    }
    for name in ["authority", "other"] {
      try openssl(
        "req", "-x509", "-new", "-key", "\(name).key", "-subj", "/CN=\(name)", "-days", "2",
        "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", "\(name).pem")
    }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

  /// A certificate of the first authority for `name`, e.g. "IP:127.0.0.1".
  func issue(for name: String) throws -> URL {
    try Data("subjectAltName=\(name)\n".utf8).write(to: file("names"))
    try openssl("req", "-new", "-key", "server.key", "-subj", "/CN=server", "-out", "server.csr")
    try openssl(
      "x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key",
      "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "server.pem")
    return file("server.pem")
  }

  private func openssl(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = directory
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw TestFailure("openssl \(arguments[0]) failed")
    }
  }
}
