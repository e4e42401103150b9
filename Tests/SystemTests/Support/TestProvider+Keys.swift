import Foundation

extension TestProvider {
  /// `wallet-provider`, next to the testing server, or the one that the environment names.
  static var commands: URL {
    ProcessInfo.processInfo.environment["WALLET_PROVIDER"].map { URL(fileURLWithPath: $0) }
      ?? executable.deletingLastPathComponent().appendingPathComponent("wallet-provider")
  }

  /// Runs `wallet-provider keys`. Returns its output.
  @discardableResult
  func keys(_ step: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = Self.commands
    process.arguments = ["keys", step, "--data", data.path] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw TestFailure("keys \(step) failed") }
    return text
  }

  /// Replaces the key of a role at once, without the announcement that operators should make. The
  /// provider uses the new one from its next start.
  func replaceKey(_ role: String) throws {
    try keys("rotate", role)
    try keys("promote", role, "--now")
    try keys("retire", role, "--now", "--", try key(of: role, "former"))
  }

  /// Deletes the use key that was replaced, with the copies of cards that are sealed to it, from the
  /// provider's next start.
  func giveUpRetiredUseKey() throws {
    try keys("delete", "--give-up-cards", "use", "--", try key(of: "use", "retired"))
  }

  /// The id of the first key of a role that is in a state.
  private func key(of role: String, _ state: String) throws -> String {
    let key = try keys("list").split(separator: "\n").map { $0.split(separator: " ") }
      .first { $0[0] == role && $0[2] == state }
    guard let key else { throw TestFailure("no \(state) \(role) key") }
    return String(key[1])
  }
}
