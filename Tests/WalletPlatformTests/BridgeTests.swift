import WalletCrypto
import WalletModel
import WalletPlatform
import XCTest

final class BridgeTests: XCTestCase {
  func testOnlyBiometricEncryptionMayPrompt() throws {
    let secret = try Secret.random(count: 1)
    let prompting: [BridgeRequest] = [
      .encrypt(identifier: "k", protection: .biometric, plaintext: secret),
      .decrypt(identifier: "k", protection: .biometric, ciphertext: []),
    ]
    let silent: [BridgeRequest] = [
      .publicKey(identifier: "k"), .sign(identifier: "k", payload: []),
      .encrypt(identifier: "k", protection: .none, plaintext: secret),
      .decrypt(identifier: "k", protection: .none, ciphertext: []),
      .deleteSigningKey(identifier: "k"), .deleteEncryptionKey(identifier: "k"),
      .attest(identifier: "k", challenge: []), .storagePath, .biometricsAvailable, .deviceSecure,
      .internetReachable,
    ]
    XCTAssertTrue(prompting.allSatisfy(\.mayPrompt))
    XCTAssertFalse(silent.contains(where: \.mayPrompt))
  }

  func testEachFailureIsItsOwnKindOfError() {
    let kinds: [(BridgeFailure, WalletError.Kind)] = [
      (.refused(.unavailable, message: ""), .deviceInsecure),
      (.refused(.host(code: -7), message: "no"), .bridgeFailed),
      (.refused(.keyMissing, message: ""), .bridgeFailed),
      (.missing, .bridgeIncomplete), (.timedOut, .bridgeTimeout), (.cancelled, .cancelled),
      (.notReady, .platformNotReady),
    ]
    for (failure, kind) in kinds {
      let error = failure.walletError("sign")
      XCTAssertEqual(error.kind, kind)
      XCTAssertTrue(error.message.contains("sign"), error.message)
    }
  }

  func testAHostsOwnCodeAndTextGoBackToTheHost() {
    let error = BridgeFailure.refused(.host(code: -7), message: "no slot").walletError("sign")
    XCTAssertEqual(error.data["host_code"], .number(-7))
    XCTAssertTrue(error.messageForHost.hasSuffix("The host says: no slot"))
  }

  func testAHostsTextIsNotInTheLoggedMessage() {
    for refusal in [BridgeRefusal.host(code: -7), .unavailable, .keyMissing, .lockedOut] {
      let error = BridgeFailure.refused(refusal, message: "4711").walletError("sign")
      XCTAssertTrue(error.messageForHost.contains("4711"))
      XCTAssertFalse(error.message.contains("4711"), error.message)
    }
  }

  func testTheLogBuildsOnlyEnabledLines() {
    let lines = Monitor<[String]>([])
    let log = Log(limit: .warning) { level, subsystem, message in
      lines.withLock { $0.append("\(level.rawValue) \(subsystem) \(message)") }
    }
    var made = 0
    func line(_ text: String) -> String {
      made += 1
      return text
    }
    log(.error, "storage", line("one"))
    log(.warning, "storage", line("two"))
    log(.info, "storage", line("three"))
    Log.silent(.error, "storage", line("four"))
    XCTAssertEqual(lines.withLock { $0 }, ["1 storage one", "2 storage two"])
    XCTAssertEqual(made, 2)
  }
}
