import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletCrypto
import WalletProtocol
import XCTest

/// Delays, cut connections, redirects and errors of a provider or proxy. Nothing is lost, and no
/// attempt is spent but the one whose evaluation was withheld.
final class HostileNetworkTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
  }

  func testLockReturnsAtOnceWhileTheAnswerIsHeldBack() throws {
    try register()
    let held = HeldAnswer(checkPinPath)
    middle.answer { held.rewrite($0) }
    let request = try host.begin(wallet_core_unlock, "142032")
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    assertStillWaits(checkPinPath)
    held.letGo()
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_CANCELLED)
    XCTAssertTrue(host.isLocked)
    try assertNothingLost()
  }

  func testAWipeDoesNotWaitForAnAnswerThatIsHeldBack() throws {
    try register()
    let held = HeldAnswer(checkPinPath)
    middle.answer { held.rewrite($0) }
    defer { held.letGo() }
    let request = try host.begin(wallet_core_unlock, "142032")
    try held.waitUntilHeld()
    var wipe: UInt64 = 0
    XCTAssertEqual(wallet_core_wipe(host.client, &wipe, nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_CANCELLED)
    XCTAssertEqual(try host.complete(wipe), .done)
    assertStillWaits(checkPinPath)
    XCTAssertFalse(host.isRegistered)
    middle.answer(with: nil)
    try register()
    try assertNothingLost()
  }

  /// The whole answer would take longer than a test waits. AnswerAcceptanceTests has how long the
  /// two tries may take.
  func testAnAnswerThatTricklesHoldsAnUnlockNoLongerThanOneRequestMayTake() throws {
    try register()
    middle.trickle(checkPinPath)
    XCTAssertEqual(
      try host.unlock("142032").status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertEqual(middle.all(checkPinPath).count, 2, "one try and another")
    let answer = try XCTUnwrap(middle.latest(checkPinPath)).answer
    XCTAssertGreaterThan(Double(answer.count), Patience.seconds, "a byte per second")
    middle.trickle(nil)
    try assertNothingLost()
  }

  func testAConnectionCutInTheMiddleCostsAtMostTheOneAttemptThatWasMade() throws {
    try register()
    let path = checkPinPath
    // Nothing at all, half a head, a head alone, half a body: each on the first of two tries.
    let pieces: [@Sendable ([UInt8]) -> Int] = [
      { _ in 0 }, { _ in 20 },
      { answer in
        let head = String(decoding: answer, as: UTF8.self).components(separatedBy: "\r\n\r\n")[0]
        return head.utf8.count + 4
      }, { answer in answer.count - 10 },
    ]
    for piece in pieces {
      let isFirst = Once()
      middle.answer { exchange in
        guard exchange.path == path, isFirst.take() else { return nil }
        return Array(exchange.answer.prefix(piece(exchange.answer)))
      }
      XCTAssertEqual(try host.unlock("142033"), .wrong(3), "counted once, told at the second try")
      XCTAssertEqual(try host.unlock("142032"), .valid)
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    }
    // Both tries are cut: the wallet does not learn the result, and one attempt is counted.
    middle.answer { exchange in
      exchange.path == path ? Array(exchange.answer.prefix(30)) : nil
    }
    let cut = try host.unlock("142033")
    XCTAssertEqual(cut.status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    middle.answer(with: nil)
    XCTAssertEqual(try host.unlock("142033"), .wrong(2))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testARedirectIsNotFollowedNotEvenToAListenerThatWouldAnswer() throws {
    try register()
    let elsewhere = try ManInTheMiddle(before: provider)
    defer { elsewhere.stop() }
    let path = checkPinPath
    for status in [301, 303, 307, 308] {
      let answer = Array(
        ("HTTP/1.1 \(status) X\r\nLocation: \(elsewhere.url)\(path)\r\nContent-Length: 0\r\n"
          + "Connection: close\r\n\r\n").utf8)
      middle.answer { $0.path == path ? answer : nil }
      XCTAssertEqual(
        try host.unlock("142032").status, WALLET_CORE_ERROR_SERVER_REFUSED, "\(status)")
    }
    XCTAssertNil(elsewhere.latest(path))
    try assertNothingLost()
  }

  func testAServerErrorIsDistinguishedFromALostNetworkAndFromARefusal() throws {
    try register()
    for (status, expected) in [
      (503, WALLET_CORE_ERROR_SERVER_UNREACHABLE), (500, WALLET_CORE_ERROR_SERVER_UNREACHABLE),
      (404, WALLET_CORE_ERROR_SERVER_REFUSED), (400, WALLET_CORE_ERROR_SERVER_REFUSED),
    ] {
      for path in [checkPinPath, Route.instruction(.challenge)] {
        middle.answer { $0.path == path ? ManInTheMiddle.http(status, "{}") : nil }
        let event = try end(of: host.begin(wallet_core_unlock, "142032"))
        XCTAssertEqual(wallet_core_event_status(event), expected, "\(status) \(path)")
        XCTAssertEqual(
          wallet_core_error_category(wallet_core_event_error(event)),
          WALLET_CORE_CATEGORY_SERVER, "\(status) \(path)")
        wallet_core_event_free(event)
      }
    }
    middle.answer(with: nil)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    let event = try end(of: host.begin(wallet_core_unlock, "142032"))
    XCTAssertEqual(
      wallet_core_error_category(wallet_core_event_error(event)),
      WALLET_CORE_CATEGORY_NETWORK)
    wallet_core_event_free(event)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    // The provider has evaluated the PIN whose challenge was withheld last, and counted it once.
    XCTAssertEqual(try host.unlock("142033"), .wrong(2))
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try assertNothingLost()
  }

  private func end(of request: UInt64) throws -> OpaquePointer {
    try host.nextEvent { wallet_core_event_request($0) == request }
  }

  func testAnInvalidRequestNeverCountsAsAWrongPin() throws {
    try register()
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let recorded = try XCTUnwrap(middle.latest(checkPinPath))
    let body =
      String(decoding: recorded.request, as: UTF8.self)
      .components(separatedBy: "\r\n\r\n").last ?? ""
    let envelope = try WireJSON.decode(InstructionEnvelope.self, from: Array(body.utf8))
    let wallet = try SignedMessage(parsing: envelope.signature).unverifiedContent(
      InstructionClaims.self
    ).wallet
    let judged = try provider.control("/counts")["judged"] as? Int
    var swappedPayload = envelope
    swappedPayload.payload = Base64URL.encode([1, 2, 3])
    var brokenSignature = envelope
    brokenSignature.signature = String(envelope.signature.dropLast(4)) + "AAAA"
    var foreign = envelope
    let stranger = try Ed25519.SigningKey(seed: .random(count: 32))
    foreign.signature = try SignedMessage.sign(
      SignedMessage(parsing: envelope.signature).unverifiedContent(InstructionClaims.self),
      type: .instruction, signer: stranger)
    var bodies = try [swappedPayload, brokenSignature, foreign, envelope].map {
      String(decoding: try WireJSON.encode($0), as: UTF8.self)
    }
    bodies += ["", "{", "{}", "[]", #"{"signature":"x","payload":""}"#]
    for body in bodies { try post(body, to: checkPinPath) }
    let state = try provider.control("/wallets/\(wallet)")
    XCTAssertEqual(state["wrong_attempts"] as? Int, 0)
    XCTAssertEqual(try provider.control("/counts")["judged"] as? Int, judged)
    try assertNothingLost()
  }

  private func post(_ body: String, to path: String) throws {
    let curl = Process()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    curl.arguments = [
      "-s", "-o", "/dev/null", "-H", "content-type: application/json", "--data-binary", body,
      provider.url + path,
    ]
    try curl.run()
    curl.waitUntilExit()
    XCTAssertEqual(curl.terminationStatus, 0)
  }
}
