import Foundation

/// A relying party on loopback: Tests/Support/relying_party.py.
final class RelyingParty {
  private let process: LineProcess
  let anchors: String

  init(in directory: URL, host: String? = nil) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Support/relying_party.py").standardizedFileURL
    process = try LineProcess(script, [directory.path] + (host.map { ["--host", $0] } ?? []))
    anchors = try process.take("ready")["anchors"] as? String ?? ""
  }

  func stop() { process.stop() }

  /// Refuses connections from now on, or accepts them again.
  func listen(_ listens: Bool) throws {
    try process.send(["listen": listens])
    try take("listens")
  }

  /// Sends the reply that is held back.
  func release() throws {
    try process.send(["release": true])
    try take("released")
  }

  /// Waits for the first line with the member `name`, and removes it.
  @discardableResult
  func take(_ name: String, line: UInt = #line) throws -> [String: Any] {
    try process.take(name, line: line)
  }

  /// Whether a line with the member `name` has come.
  func has(_ name: String) -> Bool { process.has(name) }

  /// Makes a request and returns its link.
  func request(_ options: [String: Any] = [:]) throws -> String {
    try process.send(["request": options])
    guard let link = try take("link")["link"] as? String else { throw TestFailure("no link") }
    return link
  }
}
