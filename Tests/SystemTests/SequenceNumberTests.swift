import CWalletCore
import Foundation
import WalletProtocol
import XCTest

/// A thief of the provider's result key tells the wallet, in signed answers, that its sequence number
/// is far too low. A number near the end of the range would leave the wallet none for its next
/// instruction, for good.
final class SequenceNumberTests: MiddleTestCase {
  private let challengePath = Route.instruction(.challenge)
  private static let diverged = Int32(WALLET_CORE_ERROR_ACCOUNT_DIVERGED)
  /// Numbers that do not follow the one that the wallet sent.
  private static let tooFar: [@Sendable (_ sent: UInt64) -> UInt64] = [
    { _ in SequenceNumber.limit - 1 }, { _ in SequenceNumber.limit },
    { _ in SequenceNumber.limit - 1 - SequenceNumber.longestStep },
    { $0 + SequenceNumber.longestStep + 1 },
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

  func testASignedNumberTooFarAheadIsNotFollowed() throws {
    try host.start()
    try register()
    let key = try StolenResultKey(of: provider)
    for path in [challengePath, checkPinPath] {
      for number in Self.tooFar {
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
        XCTAssertEqual(wallet_core_lock(nil), 0)
      }
    }
    // The wallet follows a number within reach, which is what the answer is for.
    let sent = try sequence(challengePath)
    let isFirst = Once()
    let path = challengePath
    middle.answer { exchange in
      guard exchange.path == path, isFirst.take() else { return nil }
      return key.resign(exchange) { $0.outcome = .sequenceRefused(current: $0.sequence + 1_000) }
    }
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertGreaterThan(try sequence(checkPinPath), sent + 1_000)
  }

  func testARegistrationFollowsNoNumberTooFarAheadEither() throws {
    try host.start()
    let key = try StolenResultKey(of: provider)
    for number in Self.tooFar {
      refuse(Route.registrations, key, naming: number)
      XCTAssertEqual(try host.register("142032").status, Self.diverged)
      XCTAssertFalse(host.isRegistered)
      middle.answer(with: nil)
      try host.restart()
    }
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertLessThan(try sequence(Route.registrations), 64)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }
}
