import Foundation
import WalletUseCases
import XCTest

/// The tests of the use cases are named after published rows, so that a reader finds what proves a
/// row: `testUC7_1_3_3aTheRightPinEnables…` is about UC7.1 row 3.3, case a.
///
/// After the use case comes the row with or without its case, or a section (`_3` is every row 3.x).
/// Further rows follow after `And` or `To`, each in full: `testUC3_1_8bAnd10b…`. A test of several
/// rows may name the use case alone.
final class TestNameTests: XCTestCase {
  /// What a name may call a row of each use case, e.g. "3_3", "3_3a" and "3" for UC7.1.
  private let rows = Dictionary(
    uniqueKeysWithValues: UseCaseTables.tables.map { table in
      let names = table.rows.flatMap { row in
        let section = row.number.split(separator: ".").first.map(String.init) ?? row.number
        return [section, row.number] + row.cases.map { row.number + $0.letter }
      }
      return (
        underscored(table.useCase.rawValue), Set(names.map(underscored))
      )
    })

  private static func underscored(_ name: String) -> String {
    name.replacingOccurrences(of: ".", with: "_")
  }

  /// What is wrong with the name of a test; nil if nothing is.
  private func fault(_ name: String) -> String? {
    let form = #/test(?<useCase>(?:UC|PF)\d+_\d+)(?:_(?<rows>\d\w*?))?(?<behaviour>[A-Z]\w*)/#
    guard let match = name.wholeMatch(of: form) else { return "is not of the form" }
    guard let known = rows[String(match.useCase)] else { return "has no use case" }
    var list = String(match.rows ?? "")
    var rest = String(match.behaviour)
    while let further = rest.prefixMatch(of: #/(And|To)(\d\w*?)(?=[A-Z])/#) {
      list += " \(further.2)"
      rest.removeSubrange(..<further.range.upperBound)
    }
    if let row = list.split(separator: " ").first(where: { !known.contains(String($0)) }) {
      return "names \(row), which is no row"
    }
    if rest.contains(#/^(And|To)[A-Z]/#) { return "lists rows in short" }
    return rest.replacing(#/(UC|PF)\d+_\d+$/#, with: "").contains(#/\d_\d/#)
      ? "names a row in its text" : nil
  }

  func testEachRowThatATestIsNamedAfterIsInTheTables() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
      .filter { $0.hasSuffix("Tests.swift") && !$0.contains(".build/") }
    var names: [String] = []
    for file in files {
      let text = try String(contentsOf: tests.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: #/func (test\w+)/#) {
        let name = String(match.1)
        guard name.contains(#/test(UC|PF)|\d_\d/#) else { continue }
        names.append(name)
        if let fault = fault(name) { XCTFail("\(file): \(name) \(fault)") }
      }
    }
    XCTAssertGreaterThan(names.count, 300)
  }

  func testANameThatIsNoRowIsFound() {
    XCTAssertNil(fault("testUC7_1_3_3aTheRightPinEnables"))
    XCTAssertNil(fault("testUC3_1_5bdTheFifthFailureIsFinal"))
    XCTAssertNil(fault("testPF2_8_1_1dTo1_1jTheMessage"))
    XCTAssertNil(fault("testUC7_1_3LockCancelsTheEnabling"))
    XCTAssertNil(fault("testUC9_4WipeElsewhere"))
    for name in [
      "testUC7_1_3_9TheRightPin", "testUC7_1_3_3zTheRightPin", "testUC8_1_1TheRightPin",
      "testUC3_1_8bAnd99bAttempts", "testPF2_8_1_1dToJTheMessage", "testUC7_1_3_3",
      "testAnUnlockEntersRow1_5",
    ] {
      XCTAssertNotNil(fault(name), name)
    }
  }
}
