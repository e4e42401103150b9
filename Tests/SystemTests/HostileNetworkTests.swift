import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletCrypto
import WalletProtocol
import WalletTransport
import XCTest

/// Other ways in which a provider or proxy can change answers: content types, delays, other keys,
/// forged certificates, cut connections, redirects. Nothing is lost, and no attempt is spent but the
/// one whose evaluation was withheld.
final class HostileNetworkTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
  }

  /// The provider's own key, which a hostile provider has.
  private func providerKey(_ name: String, id: String) throws -> Ed25519.SigningKey {
    let text = try String(
      contentsOf: provider.data.appendingPathComponent("keys/\(name).key"), encoding: .utf8)
    let seed = try XCTUnwrap(Base64URL.decode(text.trimmingCharacters(in: .newlines)))
    return try Ed25519.SigningKey(seed: Secret(copying: seed), keyID: id)
  }

  private func configuration() throws -> ConfigurationClaims {
    let client = try WireJSON.decode(
      ClientConfiguration.self, from: Array(provider.clientConfiguration()))
    return try SignedMessage(parsing: client.configuration).unverifiedContent(
      ConfigurationClaims.self)
  }

  /// Answers `path` with the true result changed by `change` and signed with `key`.
  private func resign(
    _ path: String, with key: Ed25519.SigningKey, type: SignedMessageType = .instructionResult,
    change: @escaping @Sendable (inout InstructionResultClaims) -> Void = { _ in }
  ) {
    middle.answer { exchange in
      guard exchange.path == path, var claims = Self.result(exchange) else { return nil }
      change(&claims)
      guard let forged = try? SignedMessage.sign(claims, type: type, signer: key) else {
        return nil
      }
      return ManInTheMiddle.http(200, #"{"result":"\#(forged)"}"#)
    }
  }

  private static func result(_ exchange: ManInTheMiddle.Exchange) -> InstructionResultClaims? {
    let body =
      String(decoding: exchange.answer, as: UTF8.self)
      .components(separatedBy: "\r\n\r\n").last ?? ""
    guard let answer = try? WireJSON.decode(InstructionAnswer.self, from: Array(body.utf8)) else {
      return nil
    }
    return try? SignedMessage(parsing: answer.result).unverifiedContent(
      InstructionResultClaims.self)
  }

  // MARK: - Content types and keys

  func testTheSignatureOfAnAnswerDecidesAndNotItsContentType() throws {
    try register()
    let path = checkPinPath
    middle.answer { exchange in
      guard exchange.path == path else { return nil }
      return ManInTheMiddle.http(200, "<html>Log in to the hotel</html>", type: "text/html")
    }
    XCTAssertEqual(
      try host.unlock("142032").status, Int32(WALLET_CORE_ERROR_SERVER_REFUSED))
    XCTAssertTrue(host.isLocked)
    middle.answer { exchange in
      guard exchange.path == path else { return nil }
      let text = String(decoding: exchange.answer, as: UTF8.self)
      let body = text.components(separatedBy: "\r\n\r\n").last ?? ""
      return ManInTheMiddle.http(200, body, type: "text/html")
    }
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), 0)
    try assertNothingLost()
  }

  func testAResultUnderAnotherKeyIdOrOfAnotherRoleIsRefused() throws {
    try register()
    let published = try configuration()
    let forgeries: [(Ed25519.SigningKey, SignedMessageType)] = [
      (try providerKey("result", id: "another"), .instructionResult),
      (
        try providerKey("certificate", id: published.certificateKeys[0].id),
        .instructionResult
      ),
      (try providerKey("result", id: published.resultKeys[0].id), .certificate),
    ]
    for (key, type) in forgeries {
      resign(checkPinPath, with: key, type: type)
      XCTAssertEqual(
        try host.unlock("142032").status, Int32(WALLET_CORE_ERROR_SERVER_REFUSED))
      XCTAssertTrue(host.isLocked)
    }
    try assertNothingLost()
  }

  func testAnswersOfTwoWalletsAreNotSwappable() throws {
    try register()
    // Another wallet of the same provider, whose owner knows its PIN.
    let pinKey = try Ed25519.SigningKey(seed: .random(count: 32))
    let other = try ProtocolClient(
      document: provider.clientConfiguration(url: middle.url), pinKey: pinKey)
    XCTAssertNotNil(try other.unlock(pinKey))
    let swapped = try XCTUnwrap(middle.latest(checkPinPath)).answer
    let path = checkPinPath
    middle.answer { $0.path == path ? swapped : nil }
    XCTAssertEqual(try host.unlock("142033").status, Int32(WALLET_CORE_ERROR_SERVER_REFUSED))
    XCTAssertTrue(host.isLocked)
    middle.answer(with: nil)
    // The provider counted that attempt, which the user made; only its answer was swapped.
    XCTAssertEqual(try host.unlock("142033"), .wrong(2))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  // MARK: - Registration

  func testAForgedCertificateEndsInNoWalletAndTheNextTryInOneAccount() throws {
    let published = try configuration()
    let resultKey = try providerKey("result", id: published.resultKeys[0].id)
    let stranger = try Ed25519.SigningKey(
      seed: .random(count: 32), keyID: published.certificateKeys[0].id)
    let own = try providerKey("certificate", id: published.certificateKeys[0].id)
    let forge: @Sendable (String, Ed25519.SigningKey, (inout CertificateClaims) -> Void) -> String =
      { certificate, key, change in
        guard
          var claims = try? SignedMessage(parsing: certificate).unverifiedContent(
            CertificateClaims.self)
        else { return certificate }
        change(&claims)
        return (try? SignedMessage.sign(claims, type: .certificate, signer: key)) ?? certificate
      }
    let attacks: [@Sendable (String) -> String] = [
      { forge($0, stranger) { _ in } },
      { forge($0, own) { $0.registration = "another" } },
      { forge($0, own) { $0.hardwareKeyHash = Base64URL.encode(Hash.sha256([1])) } },
      { forge($0, own) { $0.issuer = "another" } },
      { _ in "no certificate" },
    ]
    for attack in attacks {
      resign(Route.registrations, with: resultKey) { claims in
        guard case .registered(let certificate, let share) = claims.outcome else { return }
        claims.outcome = .registered(certificate: attack(certificate), share: share)
      }
      XCTAssertEqual(
        try host.register("142032").status, Int32(WALLET_CORE_ERROR_SERVER_REFUSED))
      XCTAssertFalse(host.isRegistered)
      XCTAssertTrue(host.isLocked)
    }
    middle.answer(with: nil)
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), 0)
    let counts = try provider.control("/counts")
    XCTAssertEqual(counts["confirmed"] as? Int, 1)
    XCTAssertEqual(counts["pending"] as? Int, 0)
    try assertNothingLost()
  }

  // MARK: - Slow and cut

  func testLockReturnsAtOnceWhileTheAnswerIsHeldBack() throws {
    try register()
    let held = HeldAnswer(checkPinPath)
    middle.answer { held.rewrite($0) }
    let request = try host.begin(wallet_core_unlock, "142032")
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), 0)
    assertStillWaits(checkPinPath)
    held.letGo()
    XCTAssertEqual(try host.complete(request).status, Int32(WALLET_CORE_ERROR_CANCELLED))
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
    XCTAssertEqual(wallet_core_wipe(host.client, &wipe, nil), 0)
    XCTAssertEqual(try host.complete(request).status, Int32(WALLET_CORE_ERROR_CANCELLED))
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
      try host.unlock("142032").status, Int32(WALLET_CORE_ERROR_SERVER_UNREACHABLE))
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
      XCTAssertEqual(wallet_core_lock(nil), 0)
    }
    // Both tries are cut: the wallet does not learn the result, and one attempt is counted.
    middle.answer { exchange in
      exchange.path == path ? Array(exchange.answer.prefix(30)) : nil
    }
    let cut = try host.unlock("142033")
    XCTAssertEqual(cut.status, Int32(WALLET_CORE_ERROR_SERVER_UNREACHABLE))
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
        try host.unlock("142032").status, Int32(WALLET_CORE_ERROR_SERVER_REFUSED), "\(status)")
    }
    XCTAssertNil(elsewhere.latest(path))
    try assertNothingLost()
  }

  // MARK: - Errors and counting

  func testAServerErrorIsDistinguishedFromALostNetworkAndFromARefusal() throws {
    try register()
    for (status, expected) in [
      (503, WALLET_CORE_ERROR_SERVER_UNREACHABLE), (500, WALLET_CORE_ERROR_SERVER_UNREACHABLE),
      (404, WALLET_CORE_ERROR_SERVER_REFUSED), (400, WALLET_CORE_ERROR_SERVER_REFUSED),
    ] {
      for path in [checkPinPath, Route.instruction(.challenge)] {
        middle.answer { $0.path == path ? ManInTheMiddle.http(status, "{}") : nil }
        let event = try end(of: host.begin(wallet_core_unlock, "142032"))
        XCTAssertEqual(wallet_core_event_status(event), Int32(expected), "\(status) \(path)")
        XCTAssertEqual(
          wallet_core_error_category(wallet_core_event_error(event)),
          Int32(WALLET_CORE_CATEGORY_SERVER), "\(status) \(path)")
        wallet_core_event_free(event)
      }
    }
    middle.answer(with: nil)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    let event = try end(of: host.begin(wallet_core_unlock, "142032"))
    XCTAssertEqual(
      wallet_core_error_category(wallet_core_event_error(event)),
      Int32(WALLET_CORE_CATEGORY_NETWORK))
    wallet_core_event_free(event)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    // The provider has evaluated the PIN whose challenge was withheld last, and counted it once.
    XCTAssertEqual(try host.unlock("142033"), .wrong(2))
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), 0)
    try assertNothingLost()
  }

  private func end(of request: UInt64) throws -> OpaquePointer {
    try host.nextEvent { wallet_core_event_request($0) == request }
  }

  func testAnInvalidRequestNeverCountsAsAWrongPin() throws {
    try register()
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), 0)
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

extension ProtocolClient {
  /// Unlocks with the right PIN.
  fileprivate func unlock(_ pinKey: Ed25519.SigningKey) throws -> InstructionOutcome? {
    let transport = CurlTransport(address: address, certificateAuthority: nil)
    let given = try challenge(.checkPin, sequence: 10, transport)
    let body = try guess(pinKey, given, sequence: 11)
    return try Self.post(body, Route.instruction(.checkPin), transport)
  }
}
