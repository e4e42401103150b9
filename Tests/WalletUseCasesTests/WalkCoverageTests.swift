import XCTest

@testable import WalletUseCases

/// Runs after the flow tests, because classes run in the order of their names.
final class WalkCoverageTests: XCTestCase {
  private static let flows: Set = [
    "LifeTests", "PF1_4UpdatePolicyTests", "PF2_7UniversalLinkTests", "PF2_8ValidatePinTests",
    "UC1_1IntroduceAppTests", "UC1_2OpenAppTests", "UC2_1SetUpPinTests", "UC2_3UnlockTests",
    "UC3_1AttemptTests", "UC3_1FailureTests", "UC3_1LockTests", "UC3_1ObtainPIDTests",
    "UC5_1SharingTests", "UC7_1CardsTests", "UC9_2AboutTests", "UC9_4WipeTests", "UC9_7LockTests",
    "UC9_9ScanQRTests",
  ]

  func testTheFlowTestsCoverEveryCaseOfEveryRow() throws {
    let absent = Self.flows.subtracting(Coverage.classes)
    guard absent.isEmpty else {
      return XCTFail("only after all flow tests in one process; not run: \(absent.sorted())")
    }
    print("| table | rows | cases | taken |\n|---|---|---|---|")
    for table in UseCaseTables.tables {
      let cases = table.rows.flatMap { row in
        row.cases.map { "\(RowID(table.useCase, row.number))\($0.letter)" }
      }
      let missing = cases.filter { !Coverage.taken.contains($0) }
      print(
        "| \(table.useCase.rawValue) \(table.title) | \(table.rows.count) | \(cases.count) "
          + "| \(cases.count - missing.count) |")
      XCTAssertEqual(missing, [])
    }
  }
}
