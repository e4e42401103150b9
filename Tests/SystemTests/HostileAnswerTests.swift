import CWalletCore
import CWalletCoreTesting
import Foundation
import WalletCrypto
import WalletProtocol
import XCTest

/// An attacker between the wallet and its provider can stop answers, but change nothing.
final class HostileAnswerTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    try register()
  }

  private func assertRefusedAndUnharmed(
    _ attack: @escaping @Sendable (ManInTheMiddle.Exchange) -> [UInt8]?,
    status: wallet_core_status = WALLET_CORE_ERROR_SERVER_REFUSED, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    let path = checkPinPath
    middle.answer { $0.path == path ? attack($0) : nil }
    let completion = try host.unlock("142032")
    XCTAssertEqual(completion.status, status, "\(completion)", file: file, line: line)
    XCTAssertTrue(host.isLocked, file: file, line: line)
    try assertNothingLost(file: file, line: line)
  }

  func testAReplayedSuccessDoesNotUnlock() throws {
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let recorded = try XCTUnwrap(middle.latest(checkPinPath)).answer
    let path = checkPinPath
    middle.answer { $0.path == path ? recorded : nil }
    let replayed = try host.unlock("142033")
    XCTAssertEqual(replayed.status, WALLET_CORE_ERROR_SERVER_REFUSED)
    XCTAssertTrue(host.isLocked)
    middle.answer(with: nil)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testAnUnsignedBlockedChangesNothing() throws {
    try assertRefusedAndUnharmed { _ in
      ManInTheMiddle.http(
        403, #"{"type":"urn:wallet-provider:problem:blocked","title":"x","status":403}"#,
        type: "application/problem+json")
    }
    try assertRefusedAndUnharmed { _ in
      ManInTheMiddle.http(200, #"{"result":{"kind":"blocked","blocked_for_ms":1}}"#)
    }
  }

  func testAResultForgedWithAnotherKeyIsRefused() throws {
    try assertRefusedAndUnharmed { exchange in
      guard
        let body = String(decoding: exchange.answer, as: UTF8.self).components(
          separatedBy: "\r\n\r\n"
        ).last,
        let answer = try? WireJSON.decode(InstructionAnswer.self, from: Array(body.utf8)),
        let message = try? SignedMessage(parsing: answer.result),
        let claims = try? message.unverifiedContent(InstructionResultClaims.self),
        let signer = try? Ed25519.SigningKey(seed: .random(count: 32), keyID: message.keyID),
        let forged = try? SignedMessage.sign(claims, type: .instructionResult, signer: signer)
      else { return nil }
      return ManInTheMiddle.http(200, #"{"result":"\#(forged)"}"#)
    }
  }

  func testAResultOfAnotherInstructionIsRefused() throws {
    let challengeAnswer = try XCTUnwrap(middle.latest(Route.instruction(.challenge))).answer
    try assertRefusedAndUnharmed { _ in challengeAnswer }
  }

  func testTruncatedEmptyAndHugeAnswersLoseNothing() throws {
    let huge = String(repeating: "x", count: 2 * 1024 * 1024)
    try assertRefusedAndUnharmed { _ in ManInTheMiddle.http(200, huge) }
    try assertRefusedAndUnharmed { _ in ManInTheMiddle.http(200, "") }
    try assertRefusedAndUnharmed(
      { exchange in Array(exchange.answer.prefix(exchange.answer.count / 2)) },
      status: WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    try assertRefusedAndUnharmed(
      { _ in ManInTheMiddle.http(503, "{}") }, status: WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    try assertRefusedAndUnharmed { _ in
      Array("HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n".utf8)
    }
  }

  func testTheWireShowsNothingThatVerifiesAGuess() throws {
    XCTAssertEqual(try host.unlock("142032"), .valid)
    let exchange = try XCTUnwrap(middle.latest(checkPinPath))
    let body =
      String(decoding: exchange.request, as: UTF8.self).components(
        separatedBy: "\r\n\r\n"
      ).last ?? ""
    let envelope = try WireJSON.decode(InstructionEnvelope.self, from: Array(body.utf8))
    let sealed = try XCTUnwrap(Base64URL.decode(envelope.payload))
    XCTAssertThrowsError(try WireJSON.decode(SealedInstruction.self, from: sealed))
    let outer = try SignedMessage(parsing: envelope.signature).unverifiedContent(
      InstructionClaims.self)
    XCTAssertEqual(outer.payloadHash, Base64URL.encode(Hash.sha256(sealed)))
    XCTAssertNil(outer.hardwareKey)
  }
}
