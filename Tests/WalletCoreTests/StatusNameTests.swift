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
    // A whole line, because -1 is the beginning of -10; the last constant has no comma.
    let lines = Set(header.split(separator: "\n").map { $0.replacing(",", with: "") })
    for kind in WalletError.Kind.allCases {
      let name = String(cString: wallet_core_status_name(kind.status))
      XCTAssertTrue(lines.contains("  WALLET_CORE_ERROR_\(name) = \(kind.status.rawValue)"), name)
    }
    XCTAssertEqual(String(cString: wallet_core_status_name(WALLET_CORE_OK)), "OK")
    XCTAssertEqual(String(cString: wallet_core_status_name(-100)), "UNKNOWN")
  }
}
