import Foundation
import WalletProviderServer
import XCTest

/// Compares the article on the settings with their table; writes it if `WALLET_CORE_WRITE_FLOWS` is
/// set.
final class SettingArticleTests: XCTestCase {
  func testArticleMatchesTheTable() throws {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/wallet_core/wallet_core.docc/" + SettingArticle.name)
    if ProcessInfo.processInfo.environment["WALLET_CORE_WRITE_FLOWS"] != nil {
      try SettingArticle.text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      let text = try? String(contentsOf: file, encoding: .utf8)
      XCTAssert(text == SettingArticle.text, "\(SettingArticle.name) is stale; run make flows")
    }
    for name in SettingName.allCases {
      let row = SettingArticle.text.split(separator: "\n")
        .first { $0.hasPrefix("| `\(name.rawValue)` |") }
      XCTAssertEqual(row?.filter { $0 == "|" }.count, 5, name.rawValue)
    }
  }
}
