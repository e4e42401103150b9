import Foundation
import WalletModel
import XCTest

@testable import WalletUseCases

/// Compares the articles on the flows with the tables; writes them if `WALLET_CORE_WRITE_FLOWS` is
/// set.
final class FlowArticleTests: XCTestCase {
  private static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/wallet_core/wallet_core.docc")

  func testTheArticlesMatchTheTables() throws {
    let isWriting = ProcessInfo.processInfo.environment["WALLET_CORE_WRITE_FLOWS"] != nil
    let files = FileManager.default
    let present = try files.contentsOfDirectory(atPath: Self.directory.path)
      .filter { $0 == "flows.md" || $0 == NameArticle.name || $0.hasPrefix("flow-") }
    let articles = FlowArticles.all
    for name in Set(present).subtracting(articles.map(\.name)).sorted() {
      guard isWriting else {
        XCTFail("\(name) has no table; run make flows")
        continue
      }
      try files.removeItem(at: Self.directory.appendingPathComponent(name))
    }
    for article in articles {
      let file = Self.directory.appendingPathComponent(article.name)
      if isWriting {
        try article.text.write(to: file, atomically: true, encoding: .utf8)
      } else {
        let text = try? String(contentsOf: file, encoding: .utf8)
        XCTAssert(text == article.text, "\(article.name) is stale; run make flows")
      }
    }
  }

  func testEveryRowAndEveryRemarkIsInItsArticle() {
    for table in UseCaseTables.tables {
      let name = "\(FlowArticles.name(of: table.useCase)).md"
      let text = FlowArticles.all.first { $0.name == name }?.text ?? ""
      for row in table.rows {
        XCTAssert(text.contains("| **\(row.number)** |"), "\(name) \(row.number)")
        for taken in row.cases {
          XCTAssert(text.contains("| \(row.number)\(taken.letter) |"), "\(name) \(row.number)")
        }
      }
      for (row, remark) in FlowArticles.remarks(of: table) {
        XCTAssert(text.contains(remark.reason), row)
        if let published = remark.published { XCTAssert(text.contains(published), row) }
      }
    }
  }

  func testEveryTableLineHasFiveCells() {
    for article in FlowArticles.all where article.name.hasPrefix("flow-") {
      let lines = article.text.split(separator: "\n").filter { $0.hasPrefix("|") }
      XCTAssertFalse(lines.isEmpty)
      for line in lines { XCTAssertEqual(line.filter { $0 == "|" }.count, 6, "\(line)") }
    }
  }
}
