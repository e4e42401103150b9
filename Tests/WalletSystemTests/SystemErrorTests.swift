import WalletSystem
import XCTest

final class SystemErrorTests: XCTestCase {
  func testAnErrorHasTheTextOfTheSystem() {
    XCTAssertEqual(SystemError.noSuchFile.text, "No such file or directory")
  }
}
