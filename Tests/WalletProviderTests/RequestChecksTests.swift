import WalletProtocol
import XCTest

@testable import WalletProvider

/// What one transaction of a request has found out is used by the next one, for the same keys only.
final class RequestChecksTests: XCTestCase {
  private let (key, other): ([UInt8], [UInt8]) = ([1], [2])

  func testTheOuterSignatureIsCheckedOnceForEachHardwareKey() throws {
    let checks = RequestChecks()
    var checked = 0
    for key in [key, key, other, other, key] { try checks.outer(hardwareKey: key) { checked += 1 } }
    XCTAssertEqual(checked, 3)
  }

  func testARefusedOuterSignatureIsNotRemembered() throws {
    let checks = RequestChecks()
    for _ in 1...2 {
      XCTAssertThrowsError(
        try checks.outer(hardwareKey: key) { () throws(ProblemError) in
          throw ProblemError(.signatureInvalid)
        })
    }
    var isChecked = false
    try checks.outer(hardwareKey: key) { isChecked = true }
    XCTAssertTrue(isChecked)
  }

  func testOnlyARightPinSignatureIsRememberedAndOnlyForItsKey() throws {
    let checks = RequestChecks()
    var answers = [false, true, false, true]
    var checked = 0
    func check() -> Bool {
      checked += 1
      return answers.removeFirst()
    }
    XCTAssertFalse(try checks.isSigned(byPinKey: key) { check() })
    XCTAssertTrue(try checks.isSigned(byPinKey: key) { check() })
    XCTAssertTrue(try checks.isSigned(byPinKey: key) { check() })
    XCTAssertEqual(checked, 2)
    XCTAssertFalse(try checks.isSigned(byPinKey: other) { check() })
    XCTAssertTrue(try checks.isSigned(byPinKey: other) { check() })
    XCTAssertEqual(checked, 4)
  }

  func testAMessageThatDoesNotOpenIsNotRemembered() throws {
    let checks = RequestChecks()
    var opened = 0
    for _ in 1...2 {
      XCTAssertThrowsError(
        try checks.inner(hardwareKey: key) { () throws(ProblemError) in
          opened += 1
          throw ProblemError(.instructionRefused)
        })
    }
    XCTAssertEqual(opened, 2)
  }
}
