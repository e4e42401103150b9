import Foundation
import Synchronization
import TestSupport
import WalletProtocol
import XCTest

/// Three providers behind nginx with the configuration of Examples/provider.
final class NginxTests: ServerTestCase {
  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples/provider/nginx.conf")

  private let directory = NSTemporaryDirectory() + "nginx-" + UUID().uuidString

  override func tearDown() {
    super.tearDown()
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func startNginx(
    _ providers: [UInt16], listening port: UInt16, _ files: TestCertificates
  ) throws -> Process {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: files.certificate, toPath: directory + "/server.pem")
    try FileManager.default.copyItem(atPath: files.key, toPath: directory + "/server.key")
    var text = try String(contentsOf: Self.sample, encoding: .utf8)
    for (sample, provider) in zip(["8741", "8742", "8743"], providers) {
      text = text.replacingOccurrences(of: "127.0.0.1:\(sample)", with: "127.0.0.1:\(provider)")
    }
    text = text.replacingOccurrences(of: "127.0.0.1:8443", with: "127.0.0.1:\(port)")
    try text.write(toFile: directory + "/nginx.conf", atomically: true, encoding: .utf8)
    let nginx = Process()
    nginx.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    nginx.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    nginx.arguments = ["nginx", "-p", directory, "-c", "nginx.conf", "-g", "daemon off;"]
    nginx.standardError = FileHandle.nullDevice
    try nginx.start()
    return nginx
  }

  func testEndingAProviderUnderLoadLosesNoAnswerAndClientsAreCountedByAddress() throws {
    let files = try TestCertificates()
    let servers = try (0..<3).map { _ in
      try start("--behind-proxy", "--address-rate", "1", "--address-burst", "900")
    }
    let listening = try HeldPort()
    let nginx = try startNginx(
      try servers.map { try port($0) }, listening: listening.number, files)
    defer {
      nginx.terminate()
      nginx.waitUntilExit()
    }
    let url = "https://127.0.0.1:\(listening.number)"
    let curl = ["curl", "--silent", "--cacert", files.authority]
    XCTAssertTrue(
      try eventually {
        try Program.run("/usr/bin/env", curl + ["--fail", url + Route.configuration]).status == 0
      }, "nginx is not up")
    let ending = servers[0].identifier
    let statuses = Mutex<[Int: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: 5) { number in
      guard number > 0 else {
        usleep(300_000)
        kill(ending, SIGTERM)
        return
      }
      // One curl sends 200 requests over its connection. Claiming another address has no effect.
      let arguments =
        curl + [
          "--header", "X-Forwarded-For: 192.0.2.\(number)", "--output", "/dev/null", "--write-out",
          "%{http_code}\n", url + Route.updatePolicy + "?[1-200]",
        ]
      let output = (try? Program.run("/usr/bin/env", arguments))?.output ?? ""
      statuses.withLock { statuses in
        for line in output.split(separator: "\n") {
          statuses[Int(line) ?? 0, default: 0] += 1
        }
      }
    }
    XCTAssertEqual(statuses.withLock { $0 }, [200: 800])
    XCTAssertEqual(servers[0].exitCode(), 0)
    // The others counted 127.0.0.1, the address nginx saw, whatever the clients claimed.
    let flood =
      curl + [
        "--header", "X-Forwarded-For: 192.0.2.99", "--output", "/dev/null", "--write-out",
        "%{http_code}\n", url + Route.updatePolicy + "?[1-1500]",
      ]
    let limited = try Program.run("/usr/bin/env", flood).output.split(separator: "\n")
    XCTAssertTrue(limited.contains("429"))
    XCTAssertEqual(Set(limited).subtracting(["200", "429"]), [])
    for server in servers.dropFirst() { XCTAssertEqual(server.end(), 0) }
  }
}
