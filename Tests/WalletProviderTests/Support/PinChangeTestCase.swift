import WalletProtocol
import XCTest

/// Changes of the PIN 123654 to 271828.
class PinChangeTestCase: StoreTestCase {
  let pin = "123654"
  let newPin = "271828"
  let wrongPin = "654123"

  func assertValid(
    _ outcome: InstructionOutcome, file: StaticString = #filePath, line: UInt = #line
  ) {
    guard case .valid = outcome else { return XCTFail("\(outcome)", file: file, line: line) }
  }

  /// - Parameters:
  ///   - pins: the PINs that are accepted. The use of a new PIN commits its change, so it comes last.
  ///   - untried: accepted PINs that are not used.
  func assertAccepted(
    _ pins: [String], untried: [String] = [], _ wallet: TestWallet,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    for other in [pin, newPin, wrongPin, "424243"] where !(pins + untried).contains(other) {
      let outcome = try await wallet.check(other)
      XCTAssertEqual(
        outcome, .wrong(attemptsLeft: 3, finalRound: false), other, file: file, line: line)
      // The right PINs reset the attempts.
      assertValid(try await wallet.check(try XCTUnwrap(pins.first)), file: file, line: line)
    }
    for pin in pins { assertValid(try await wallet.check(pin), file: file, line: line) }
  }
}
