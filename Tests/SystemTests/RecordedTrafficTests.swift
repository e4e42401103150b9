import CSodium
import Foundation
import WalletProtocol
import XCTest

/// An attacker has recorded all traffic of a wallet, and has the provider's encryption key and later
/// the phone. That is also what an evaluator sees at work, and more.
final class RecordedTrafficTests: XCTestCase {
  private let pin = "142032"
  private var provider: TestProvider!
  private var middle: ManInTheMiddle!

  override func setUpWithError() throws {
    provider = try TestProvider()
    middle = try ManInTheMiddle(before: provider)
  }

  override func tearDown() {
    middle?.stop()
    provider = nil
  }

  private func key(_ name: String) throws -> [UInt8] {
    let text = try String(
      contentsOf: provider.data.appendingPathComponent("keys/\(name).key"), encoding: .utf8)
    let word = text.split(whereSeparator: \.isWhitespace).first
    return try XCTUnwrap(Base64URL.decode(XCTUnwrap(word)))
  }

  private func opened(_ box: [UInt8], with secretKey: [UInt8]) -> [UInt8]? {
    guard box.count > crypto_box_sealbytes() else { return nil }
    var publicKey = [UInt8](repeating: 0, count: 32)
    guard crypto_scalarmult_base(&publicKey, secretKey) == 0 else { return nil }
    var message = [UInt8](repeating: 0, count: box.count - crypto_box_sealbytes())
    let status = crypto_box_seal_open(
      &message, box, UInt64(box.count), publicKey, secretKey)
    return status == 0 ? message : nil
  }

  /// What the attacker has: the phone, the traffic of a registration, an unlock and a change of the
  /// PIN, and the contents of its sealed messages.
  private func withLoot(_ body: (inout StolenDevice) throws -> Void) throws {
    let host = try KillHost(configuration: provider.clientConfiguration(url: middle.url))
    defer { host.remove() }
    XCTAssertEqual(
      try host.run(.register("271828"), .changePin("271828", to: pin), .unlock(pin)).completions,
      [.done, .valid, .valid])
    var device = try StolenDevice(of: host)
    let secretKey = try key("encryption")
    var sealed = 0
    for exchange in Set(middle.paths).flatMap(middle.all) {
      for text in [exchange.request, exchange.answer] {
        let body =
          String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n\r\n").last ?? ""
        device.take(Array(body.utf8))
        guard let envelope = try? WireJSON.decode(InstructionEnvelope.self, from: Array(body.utf8)),
          let box = Base64URL.decode(envelope.payload), let inner = opened(box, with: secretKey)
        else { continue }
        sealed += 1
        device.take(inner)
      }
    }
    XCTAssertGreaterThanOrEqual(sealed, 4, "register, begin, prepare, check")
    try body(&device)
  }

  func testTrafficAndTheEncryptionKeyVerifyNoGuessWithoutBothHalves() throws {
    try withLoot { loot in
      let registration = try XCTUnwrap(loot.registration)
      let row = try XCTUnwrap(StolenDatabase(of: provider).tables["wallet"]?.first)
      let own = try XCTUnwrap(SealedColumn.half(row, key: key("sealing")))
      let evaluator = try StolenEvaluator(of: provider)
      for guess in [pin, "314158"] {
        let guess = try PinGuess(guess, registration)
        XCTAssertFalse(try guess.isVerified(by: loot))
        for half in [own, try evaluator.half] {
          let alone = try guess.blinded().key(halves: [half])
          XCTAssertFalse(try guess.isVerified(by: loot, key: alone), "one half")
        }
      }
      // Watched at work, the evaluator shows nothing more than what it has stored besides.
      loot.take(try evaluator.content)
      let right = try PinGuess(pin, registration)
      XCTAssertFalse(
        try right.isVerified(by: loot, key: right.blinded().key(halves: [evaluator.half])))
      // The search finds what both halves reveal: the traffic has signatures by the PIN key.
      XCTAssertTrue(
        try right.isVerified(by: loot, key: right.blinded().key(halves: [own, evaluator.half])))
      let wrong = try PinGuess("314158", registration)
      XCTAssertFalse(
        try wrong.isVerified(by: loot, key: wrong.blinded().key(halves: [own, evaluator.half])))
    }
  }
}
