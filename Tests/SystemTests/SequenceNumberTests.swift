import CWalletCore
import Foundation
import WalletProtocol
import XCTest

/// A thief of the provider's result key tells the wallet, in signed answers, another sequence number
/// than its own. Whatever it is, the wallet works again with the provider's own next answer.
final class SequenceNumberTests: MiddleTestCase {
  private let challengePath = Route.instruction(.challenge)
  private static let diverged = WALLET_CORE_ERROR_ACCOUNT_DIVERGED
  private static let refused = WALLET_CORE_ERROR_SERVER_REFUSED
  /// Numbers after which the wallet does not continue.
  private static let unusable: [@Sendable (_ sent: UInt64) -> UInt64] = [
    { _ in SequenceNumber.limit - 1 }, { _ in SequenceNumber.limit },
    { _ in SequenceNumber.limit - SequenceNumber.longestStep }, { $0 - 1 },
  ]
  /// Numbers after which it continues, although the provider never accepted them.
  private static let forged: [@Sendable (_ sent: UInt64) -> UInt64] = [
    { $0 + 1_000 }, { $0 + SequenceNumber.longestStep }, { $0 + 2 * SequenceNumber.longestStep },
    { _ in SequenceNumber.limit - SequenceNumber.longestStep - 1 },
  ]

  /// Answers the requests on `path` by the signed refusal that names a number.
  private func refuse(
    _ path: String, _ key: StolenResultKey, naming number: @escaping @Sendable (UInt64) -> UInt64
  ) {
    middle.answer { exchange in
      guard exchange.path == path else { return nil }
      return key.resign(exchange) {
        $0.outcome = .sequenceRefused(current: number($0.sequence))
      }
    }
  }

  /// The sequence number of the newest request on `path`.
  private func sequence(_ path: String) throws -> UInt64 {
    let request = try XCTUnwrap(middle.latest(path)).request
    let body = String(decoding: request, as: UTF8.self).components(separatedBy: "\r\n\r\n").last
    let envelope = try WireJSON.decode(
      InstructionEnvelope.self, from: Array(XCTUnwrap(body).utf8))
    return try SignedMessage(parsing: envelope.signature)
      .unverifiedContent(InstructionClaims.self).sequence
  }

  func testAfterAnUnusableNumberTheWalletCountsOnFromItsOwn() throws {
    try host.start()
    try register()
    let key = try StolenResultKey(of: provider)
    for path in [challengePath, checkPinPath] {
      for number in Self.unusable {
        let before = try sequence(challengePath)
        refuse(path, key, naming: number)
        let requests = middle.all(path).count
        XCTAssertEqual(try host.unlock("142032").status, Self.diverged)
        XCTAssertEqual(middle.all(path).count, requests + 1, "it is not tried again")
        XCTAssertTrue(host.isLocked)
        // Nothing was stored: the next process counts on from its own number.
        middle.answer(with: nil)
        try host.restart()
        XCTAssertEqual(try host.unlock("142032"), .valid)
        XCTAssertLessThan(try sequence(checkPinPath), before + 16)
        XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      }
    }
  }

  func testNoForgedNumberKeepsTheWalletFromItsNextUnlock() throws {
    try host.start()
    try register()
    let key = try StolenResultKey(of: provider)
    for path in [challengePath, checkPinPath] {
      for number in Self.forged {
        // The wallet follows the number, and the provider's own answer leads it back.
        let isFirst = Once()
        middle.answer { exchange in
          guard exchange.path == path, isFirst.take() else { return nil }
          return key.resign(exchange) {
            $0.outcome = .sequenceRefused(current: number($0.sequence))
          }
        }
        XCTAssertEqual(try host.unlock("142032"), .valid)
        XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
        // All answers are forged until the wallet gives up; then they are the provider's.
        refuse(path, key, naming: number)
        XCTAssertEqual(try host.unlock("142032").status, Self.diverged)
        middle.answer(with: nil)
        XCTAssertEqual(try host.unlock("142032"), .valid)
        XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      }
    }
  }

  func testNoForgedNumberKeepsTheWalletFromARegistration() throws {
    try host.start()
    let key = try StolenResultKey(of: provider)
    for number in Self.unusable + Self.forged {
      refuse(Route.registrations, key, naming: number)
      let status = try host.register("142032").status
      XCTAssertTrue([Self.diverged, Self.refused].contains(status), "\(status)")
      XCTAssertFalse(host.isRegistered)
      middle.answer(with: nil)
      try host.restart()
    }
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }
}
