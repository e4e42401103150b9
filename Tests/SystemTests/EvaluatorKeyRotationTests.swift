import Foundation
import WalletProtocol
import XCTest

/// The rotation of `evaluator.key` as the article on administration describes it, at an evaluator
/// that runs alone, and what wallets notice of it.
final class EvaluatorKeyRotationTests: XCTestCase {
  private let pin = "142032"
  private static let closed = "storage.pin-change.closed.after-commit"
  private var evaluator: SeparateEvaluator!
  private var provider: TestProvider!
  private var host: KillHost!

  override func setUpWithError() throws {
    evaluator = try SeparateEvaluator()
    provider = try TestProvider(settings: evaluator.settings)
    host = try KillHost(configuration: provider.clientConfiguration())
  }

  override func tearDown() {
    host.remove()
    provider.stop()
    // XCTest keeps this object until the process ends, too late to end another process.
    evaluator = nil
  }

  /// Writes the lines and restarts first the evaluator, then the provider.
  private func use(_ lines: [String]) throws {
    let file = evaluator.data.appendingPathComponent("evaluator.key")
    try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    try evaluator.restart()
    // Until it is restarted too, a provider publishes the former keys, and PINs are judged.
    XCTAssertEqual(try host.run(.unlock(pin)).completions, [.valid])
    provider.stop()
    try provider.start()
    // As in an updated app, because the time of the wallet's own refresh is not known.
    try provider.clientConfiguration().write(to: host.configuration)
  }

  private func lines() throws -> [String] {
    try String(
      contentsOf: evaluator.data.appendingPathComponent("evaluator.key"), encoding: .utf8
    ).split(separator: "\n").map(String.init)
  }

  /// The id of the PIN key, and that of the evaluator's key that granted it.
  private func pinKey() throws -> [String] {
    let record = try XCTUnwrap(
      try StolenDevice(of: host).registration?["pinKey"] as? [String: Any])
    return try ["key", "grantKey"].map { try XCTUnwrap(record[$0] as? String) }
  }

  func testAWalletGetsANewPinKeyWithTheNewKeyAndKeepsItsPin() throws {
    XCTAssertEqual(try host.run(.register(pin), .unlock(pin)).completions, [.done, .valid])
    let before = try pinKey()
    let former = try lines()
    let new = Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255) })

    try use(former + [new])
    XCTAssertEqual(try host.run(.unlock(pin)).completions, [.valid])
    XCTAssertEqual(try pinKey(), before, "the former key still grants")

    try use([new] + former)
    let report = try host.run(.unlock(pin), .awaitPass(Self.closed))
    XCTAssertEqual(report.completions, [.valid])
    let after = try pinKey()
    XCTAssertNotEqual(after[0], before[0])
    XCTAssertNotEqual(after[1], before[1])

    let onward = try host.run(.unlock("142033"), .unlock(pin), .unlock(pin))
    XCTAssertEqual(onward.completions, [.wrong(3), .valid, .valid])
    XCTAssertFalse(onward.passed.contains(Self.closed), "it gets a new PIN key once")
    XCTAssertEqual(try pinKey(), after)
  }
}
