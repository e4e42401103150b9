import WalletProvider
import WalletSignatures
import XCTest

final class IdentifierTests: XCTestCase {
  func testNoIdentifierLooksLikeACommandLineOption() {
    for _ in 0..<2000 {
      let identifier = SecureRandom.identifier()
      XCTAssertEqual(identifier.utf8.count, 22)
      XCTAssertFalse(identifier.hasPrefix("-"), identifier)
    }
  }
}
