import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// A wallet that does not know the provider's new keys fetches the configuration and goes on.
final class KeyRotationSystemTests: XCTestCase {
  private var provider: TestProvider!
  private var host: TestHost!
  /// The configuration embedded in an app that was built before the keys changed.
  private var document = Data()

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    provider = try TestProvider()
    document = try provider.clientConfiguration()
    host = try TestHost(configuration: document)
    try host.start()
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  private func keys(_ step: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL =
      ProcessInfo.processInfo.environment["WALLET_PROVIDER"].map { URL(fileURLWithPath: $0) }
      ?? TestProvider.executable.deletingLastPathComponent().appendingPathComponent(
        "wallet-provider")
    process.arguments = ["keys", step, "--data", provider.data.path] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw TestFailure("keys \(step) failed") }
    return text
  }

  /// Replaces the key of a role at once, without the announcement that operators should make.
  private func replaceKey(_ role: String) throws {
    _ = try keys("rotate", role)
    _ = try keys("promote", role, "--now")
    let former = try keys("list").split(separator: "\n").map { $0.split(separator: " ") }
      .first { $0[0] == role && $0[2] == "former" }
    _ = try keys("retire", role, "--now", "--", String(try XCTUnwrap(former)[1]))
  }

  private func restartProvider() throws {
    provider.stop()
    try provider.start()
  }

  func testAnAnswerByANewKeyIsAcceptedAfterOneFetchOfTheConfiguration() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    try replaceKey("result")
    try restartProvider()
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testARegistrationGoesThroughWhenEveryKeyOfTheAppIsGone() throws {
    for role in ["result", "certificate", "encryption"] { try replaceKey(role) }
    try restartProvider()
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(try host.checkPin("142032"), .valid)
  }

  func testAPinForAKeyThatIsGoneIsNeverSentTwiceAndTheNextOneGoesThrough() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    try replaceKey("encryption")
    try restartProvider()
    let refused = try host.checkPin("142033")
    XCTAssertEqual(refused.status, Int32(WALLET_CORE_ERROR_SERVER_REFUSED), "\(refused)")
    XCTAssertEqual(try host.checkPin("142033"), .wrong(3))
    XCTAssertEqual(try host.checkPin("142032"), .valid)
  }
}
