import CWalletCore
import CWalletCoreTesting
import Foundation
import WalletProtocol
import XCTest

/// An attacker in the network can stop a registration, and nothing else.
final class HostileRegistrationTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
  }

  func testAnUnsignedAlreadyRegisteredDestroysNoKeyAndMakesNoSecondAccount() throws {
    middle.answer { exchange in
      exchange.path == Route.registrations
        ? ManInTheMiddle.http(
          409,
          #"{"type":"urn:wallet-provider:problem:already-registered","title":"x","status":409}"#,
          type: "application/problem+json") : nil
    }
    XCTAssertEqual(
      try host.register("142032").status, WALLET_CORE_ERROR_SERVER_REFUSED)
    XCTAssertEqual(host.keys.calls(of: "delete"), 0)
    middle.answer(with: nil)
    XCTAssertEqual(try host.register("271828"), .done)
    XCTAssertEqual(try host.unlock("271828"), .valid)
    let counts = try provider.control("/counts")
    XCTAssertEqual(counts["confirmed"] as? Int, 1)
    XCTAssertEqual(counts["pending"] as? Int, 0)
  }

  func testLostChallengeAnswersAreNoDivergedAccount() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    let challenge = Route.instruction(.challenge)
    // Every answer is cut after the provider has handled the request, and so is that to the resend.
    middle.answer { $0.path == challenge ? Array("HTTP/1.1 200 X\r\n".utf8) : nil }
    XCTAssertEqual(
      try host.unlock("142032").status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    // Now only the first answer of each pair is lost.
    let isFirst = Flag()
    middle.answer { exchange in
      guard exchange.path == challenge else { return nil }
      return isFirst.toggle() ? Array("HTTP/1.1 200 X\r\n".utf8) : nil
    }
    // The same bytes get no second answer, unless they are an attempt at the PIN.
    XCTAssertEqual(
      try host.pinState().status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertEqual(try host.unlock("142032"), .valid)
    middle.answer(with: nil)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }
}

/// True on every second call.
private final class Flag: @unchecked Sendable {
  // Sendable: touched only with `lock` held.
  private let lock = NSLock()
  private var value = false

  func toggle() -> Bool {
    lock.withLock {
      value.toggle()
      return value
    }
  }
}
