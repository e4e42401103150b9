import CWalletCore
import WalletModel
import XCTest

@testable import wallet_core

final class StatusNameTests: XCTestCase {
  func testAStatusHasOneNameInErrorStepsAndInTheHeader() {
    for kind in WalletError.Kind.allCases {
      XCTAssertEqual(String(cString: wallet_core_status_name(kind.status)), kind.statusName)
    }
  }
}
