import Foundation
import WalletProviderServer
import XCTest

/// An authority with a certificate for 127.0.0.1, and another unrelated authority. The keys are
/// P-256 and made with the `openssl` command, so that two implementations have to agree.
final class TestCertificates {
  private let directory = NSTemporaryDirectory() + "provider-tls-" + UUID().uuidString

  var authority: String { file("authority.pem") }
  var otherAuthority: String { file("other.pem") }
  var certificate: String { file("server.pem") }
  var key: String { file("server.key") }
  var otherKey: String { file("other.key") }

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for name in ["authority", "other"] {
      try makeKey(name)
      try openssl(
        "req", "-x509", "-new", "-key", file(name + ".key"), "-subj", "/CN=\(name)", "-days", "2",
        "-out", file(name + ".pem"))
    }
    try makeKey("server")
    try "subjectAltName=IP:127.0.0.1\n".write(
      toFile: file("names"), atomically: true, encoding: .utf8)
    try openssl(
      "req", "-new", "-key", key, "-subj", "/CN=server", "-out", file("server.csr"))
    try openssl(
      "x509", "-req", "-in", file("server.csr"), "-CA", authority, "-CAkey", file("authority.key"),
      "-CAcreateserial", "-days", "2", "-extfile", file("names"), "-out", certificate)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func file(_ name: String) -> String { directory + "/" + name }

  /// A certificate with a key of its own.
  ///
  /// - Parameters:
  ///   - authority: `authority` or `other`.
  ///   - names: for example `DNS:localhost`.
  func issue(_ name: String, by authority: String, names: String) throws -> TLSFiles {
    try makeKey(name)
    try "subjectAltName=\(names)\n".write(
      toFile: file(name + ".names"), atomically: true, encoding: .utf8)
    try openssl(
      "req", "-new", "-key", file(name + ".key"), "-subj", "/CN=\(name)", "-out",
      file(name + ".csr"))
    try openssl(
      "x509", "-req", "-in", file(name + ".csr"), "-CA", file(authority + ".pem"), "-CAkey",
      file(authority + ".key"), "-CAcreateserial", "-days", "2", "-extfile",
      file(name + ".names"), "-out", file(name + ".pem"))
    return TLSFiles(certificate: file(name + ".pem"), key: file(name + ".key"))
  }

  private func makeKey(_ name: String) throws {
    let path = file(name + ".key")
    try openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  private func openssl(_ arguments: String...) throws {
    let result = try Program.run("/usr/bin/env", ["openssl"] + arguments)
    XCTAssertEqual(result.status, 0, result.errors)
  }
}
