import XCTest

/// A scanner says which kind of code it needs, and a code of the other kind is no attempt.
final class ScannerKindTests: ProofingTestCase {
  func testUC3_1_3ALicenceAtTheScannerForCodesCostsNoAttempt() throws {
    let account = try account()
    flow.choose("scan")
    try flow.expect("UC3.1 3")
    // More often than there are attempts.
    for _ in 0..<7 {
      XCTAssertEqual(flow.text("symbology"), "qr-code")
      flow.scanLicence(applicant)
      try flow.expect("UC3.1 5b")
      XCTAssertNil(flow.number("attempts_left"))
      flow.choose("scan-again")
      try flow.expect("UC3.1 3")
    }
    flow.scanCode(account.link)
    try flow.expect("UC3.1 5c")
  }

  func testUC3_1_6ACodeAtTheScannerForLicencesCostsNoAttempt() throws {
    let account = try account()
    flow.choose("scan")
    try flow.expect("UC3.1 3")
    flow.scanCode(account.link)
    try flow.expect("UC3.1 5c")
    flow.choose("scan-licence")
    try flow.expect("UC3.1 6")
    for _ in 0..<7 {
      XCTAssertEqual(flow.text("symbology"), "pdf417")
      flow.scanCode(account.link)
      try flow.expect("UC3.1 8b")
      XCTAssertNil(flow.number("attempts_left"))
      flow.choose("scan-again")
      try flow.expect("UC3.1 6")
    }
    flow.scanLicence(applicant)
    try flow.expectPID()
  }
}
