import CWalletCore
import Foundation
import TestSupport
import WalletCrypto
import WalletProtocol
import WalletTransport
import XCTest

/// Answers under another key or of another role, of another wallet or with a forged certificate:
/// none is accepted, and nothing is lost.
final class ForgedAnswerTests: MiddleTestCase {
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
      guard exchange.path == path, var claims = StolenResultKey.claims(exchange) else { return nil }
      change(&claims)
      guard let forged = try? SignedMessage.sign(claims, type: type, signer: key) else {
        return nil
      }
      return ManInTheMiddle.http(200, #"{"result":"\#(forged)"}"#)
    }
  }

  func testTheSignatureOfAnAnswerDecidesAndNotItsContentType() throws {
    try register()
    let path = checkPinPath
    middle.answer { exchange in
      guard exchange.path == path else { return nil }
      return ManInTheMiddle.http(200, "<html>Log in to the hotel</html>", type: "text/html")
    }
    XCTAssertEqual(
      try host.unlock("142032").status, WALLET_CORE_ERROR_SERVER_REFUSED)
    XCTAssertTrue(host.isLocked)
    middle.answer { exchange in
      guard exchange.path == path else { return nil }
      let text = String(decoding: exchange.answer, as: UTF8.self)
      let body = text.components(separatedBy: "\r\n\r\n").last ?? ""
      return ManInTheMiddle.http(200, body, type: "text/html")
    }
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
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
        try host.unlock("142032").status, WALLET_CORE_ERROR_SERVER_REFUSED)
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
    XCTAssertEqual(try host.unlock("142033").status, WALLET_CORE_ERROR_SERVER_REFUSED)
    XCTAssertTrue(host.isLocked)
    middle.answer(with: nil)
    // The provider counted that attempt, which the user made; only its answer was swapped.
    XCTAssertEqual(try host.unlock("142033"), .wrong(2))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

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
        guard case .registered(let certificate, let share, let receipt) = claims.outcome else {
          return
        }
        claims.outcome = .registered(
          certificate: attack(certificate), share: share, receipt: receipt)
      }
      XCTAssertEqual(
        try host.register("142032").status, WALLET_CORE_ERROR_SERVER_REFUSED)
      XCTAssertFalse(host.isRegistered)
      XCTAssertTrue(host.isLocked)
    }
    middle.answer(with: nil)
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let counts = try provider.control("/counts")
    XCTAssertEqual(counts["confirmed"] as? Int, 1)
    XCTAssertEqual(counts["pending"] as? Int, 0)
    try assertNothingLost()
  }
}

extension ProtocolClient {
  /// Unlocks with the right PIN.
  fileprivate func unlock(_ pinKey: Ed25519.SigningKey) throws -> InstructionOutcome? {
    let transport = ProviderTransport(address: address, certificateAuthority: nil)
    let given = try challenge(.checkPin, sequence: 10, transport)
    let body = try guess(pinKey, given, sequence: 11)
    return try Self.post(body, Route.instruction(.checkPin), transport)
  }
}
