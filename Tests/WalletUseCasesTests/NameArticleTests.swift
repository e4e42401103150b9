import Foundation
import WalletModel
import XCTest

@testable import WalletUseCases

/// Checks that the article on the names is complete, and that the header and the schema match it.
final class NameArticleTests: XCTestCase {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static var steps: [String] {
    Screen.allCases.map(\.rawValue) + HandOff.allCases.map(\.rawValue)
      + FlowEffect.allCases.map(\.rawValue) + ErrorStep.allCases.map(\.rawValue)
      + NameArticle.others
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  func testEveryNameHasItsOwnLine() {
    let article = NameArticle.text
    let names =
      Self.steps + Action.allCases.map(\.rawValue) + Notice.allCases.map(\.rawValue)
      + StepArgument.allCases.map(\.rawValue) + ProofingError.allCases.map(\.rawValue)
      + Step.Kind.allCases.map(\.rawValue) + Step.Input.allCases.map(\.rawValue)
      + NameArticle.scanners.map(\.rawValue)
    // A name of two kinds, like the hand-off and the action "help", has two lines.
    for (name, expected) in Dictionary(grouping: names, by: { $0 }).mapValues(\.count) {
      let lines = article.split(separator: "\n").filter { $0.hasPrefix("| `\(name)` |") }
      XCTAssertEqual(lines.count, expected, name)
    }
  }

  func testNoTwoStepsHaveOneName() {
    XCTAssertEqual(Set(Self.steps).count, Self.steps.count)
  }

  func testEveryStepIsShownSomewhereAndEveryScannerHasItsSymbol() {
    for step in Self.steps where !NameArticle.others.contains(step) {
      XCTAssertFalse(NameArticle.rows(of: step).isEmpty, step)
    }
    for screen in Screen.allCases {
      let isScanner = NameArticle.scanners.contains(screen)
      XCTAssertEqual(isScanner, !NameTexts.symbol(screen).content.isEmpty, screen.rawValue)
    }
  }

  func testAnActionWithoutEffectIsDescribedForTheHost() {
    let rows = Screen.allCases.flatMap { NameArticle.rows(of: $0.rawValue) }.map(\.row)
    for taken in rows.flatMap(\.cases) where taken.next == .stay && taken.effect == nil {
      guard let action = taken.action, action != .goOn else { continue }
      XCTAssert(NameTexts.work(action).hasSuffix("the step stays"), action.rawValue)
    }
  }

  func testTheHeaderListsTheSameArguments() throws {
    let header = try text("Include/wallet_core.h")
    let list = header.split(separator: "\n").drop { !$0.hasPrefix(" * The arguments of steps") }
      .prefix { !$0.hasPrefix(" */") }
    let listed = list.compactMap { line -> String? in
      let words = line.split(separator: " ").map(String.init)
      guard line.hasPrefix(" *   "), words.count > 2, StepArguments.Kind(rawValue: words[2]) != nil
      else { return nil }
      return "\(words[1]) \(words[2])"
    }
    XCTAssertEqual(listed, StepArguments.all.map { "\($0.name.rawValue) \($0.kind.rawValue)" })
    XCTAssertEqual(StepArguments.all.map(\.name), StepArgument.allCases)
  }

  func testTheSchemaListsTheSameNames() throws {
    let data = try Data(
      contentsOf: Self.root.appendingPathComponent("Include/wallet_core_events.schema.json"))
    let schema = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let definitions = try XCTUnwrap(schema?["$defs"] as? [String: Any])
    func names(_ definition: String) -> [String]? {
      (definitions[definition] as? [String: Any])?["enum"] as? [String]
    }
    XCTAssertEqual(names("step_name"), Self.steps)
    XCTAssertEqual(names("action_name"), Action.allCases.map(\.rawValue))
    XCTAssertEqual(names("notice_name"), Notice.allCases.map(\.rawValue))
    XCTAssertEqual(names("argument_name"), StepArgument.allCases.map(\.rawValue))
  }
}
