import CWalletCore
import Foundation
import TestSupport
import WalletModel
import XCTest

@testable import wallet_core

final class StatusNameTests: XCTestCase {
  func testEveryStatusHasItsNameInTheHeader() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let header = try String(
      contentsOf: root.appendingPathComponent("Include/wallet_core.h"), encoding: .utf8)
    for kind in WalletError.Kind.allCases {
      let name = String(cString: wallet_core_status_name(kind.status))
      XCTAssertTrue(
        header.contains("  WALLET_CORE_ERROR_\(name) = \(kind.status.rawValue)"), name)
    }
    XCTAssertEqual(String(cString: wallet_core_status_name(WALLET_CORE_OK)), "OK")
    XCTAssertEqual(String(cString: wallet_core_status_name(-100)), "UNKNOWN")
  }
}
