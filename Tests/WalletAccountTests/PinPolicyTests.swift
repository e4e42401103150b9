import WalletAccount
import WalletModel
import XCTest

final class PinPolicyTests: XCTestCase {
  private func verdict(_ text: String) -> PinVerdict {
    Array(text.utf8).withUnsafeBytes { PinPolicy.verdict(on: $0) }
  }

  func testOfAllSixDigitPinsExactlyTwentyAndTheHundredCommonOnesAreRefused() {
    var refused: [PinVerdict: Int] = [:]
    var digits = [UInt8](repeating: 0x30, count: 6)
    for number in 0..<1_000_000 {
      var rest = number
      for place in stride(from: 5, through: 0, by: -1) {
        digits[place] = 0x30 + UInt8(rest % 10)
        rest /= 10
      }
      let verdict = digits.withUnsafeBytes { PinPolicy.verdict(on: $0) }
      if verdict != .accepted { refused[verdict, default: 0] += 1 }
    }
    XCTAssertEqual(refused, [.tooFewDifferentDigits: 10, .sequence: 10, .common: 100])
  }

  func testTheEdgesOfThePolicy() {
    for pin in ["000000", "999999"] { XCTAssertEqual(verdict(pin), .tooFewDifferentDigits) }
    for pin in ["012345", "456789", "543210", "987654"] { XCTAssertEqual(verdict(pin), .sequence) }
    // Neither wraps around, and a leading zero counts.
    for pin in ["789012", "210987", "890123", "000001", "100000", "010102", "024791"] {
      XCTAssertEqual(verdict(pin), .accepted, pin)
    }
  }

  /// The first and the last of the list, one with leading zeros, and their neighbours.
  func testWhatManyPeopleChooseIsRefused() {
    for pin in ["123123", "159753", "010101", "000007", "321123"] {
      XCTAssertEqual(verdict(pin), .common, pin)
    }
    for pin in ["123122", "123124", "223123", "000008", "321124", "231236"] {
      XCTAssertEqual(verdict(pin), .accepted, pin)
    }
  }

  func testWhatIsNotSixAsciiDigitsIsNoPin() {
    for pin in ["", "1", "12345", "1234567", "１２３４５６", "éééééé"] {
      XCTAssertEqual(verdict(pin), .wrongLength, pin)
    }
    for pin in ["ééé", "12345a", "12 456", "12345\u{0}", "-12345", "12345/", "12345:"] {
      XCTAssertEqual(verdict(pin), .notDigits, pin)
    }
  }
}
