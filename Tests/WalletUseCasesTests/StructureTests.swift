import Foundation
import WalletModel
import XCTest

@testable import WalletUseCases

/// Checks on the tables as data.
final class StructureTests: XCTestCase {
  private struct Entry {
    let id: RowID
    let row: Row
  }

  private let entries = UseCaseTables.tables.flatMap { table in
    table.rows.map { Entry(id: RowID(table.useCase, $0.number), row: $0) }
  }

  private var cases: [Case] { entries.flatMap(\.row.cases) }

  // MARK: Rows

  func testRowsAndLettersMatchTheSettledTables() {
    for table in UseCaseTables.tables {
      guard let settled = SettledRows.rows[table.useCase] else {
        XCTFail("\(table.title) has no settled rows")
        continue
      }
      let rows = table.rows.map { row in
        "\(row.number) \(SettledRows.letter(row.kind)) \(row.cases.map(\.letter).joined())"
      }
      XCTAssertEqual(rows, settled, table.title)
    }
    XCTAssertEqual(UseCaseTables.tables.map(\.useCase), UseCase.allCases)
  }

  func testNumbersAndLettersAndTriggersAreUnique() {
    XCTAssertEqual(Set(entries.map(\.id)).count, entries.count)
    for entry in entries {
      let cases = entry.row.cases
      XCTAssertEqual(Set(cases.map(\.letter)).count, cases.count, "\(entry.id)")
      XCTAssertEqual(Set(cases.map(\.trigger)).count, cases.count, "\(entry.id)")
    }
  }

  func testEveryRowIsFoundByItsID() {
    for entry in entries { XCTAssertEqual(UseCaseTables.row(entry.id)?.number, entry.row.number) }
    XCTAssertNil(UseCaseTables.row(RowID(.unlock, "9.9")))
  }

  // MARK: Next rows

  /// The rows that a case can lead to. Results lead to the cases of the rows that run the partial
  /// flow.
  private func targets(of taken: Case, in id: RowID) -> [RowID] {
    switch taken.next {
    case .row(let number): [RowID(id.useCase, number)]
    case .goTo(let useCase): [UseCaseTables.firstRow(of: useCase)]
    case .goToRow(let useCase, let number): [RowID(useCase, number)]
    case .back(let target): target.map { [$0] } ?? []
    case .error(let step): entries.filter { isError($0.row, step) }.map(\.id)
    case .result, .stay, .resume, .end, .repeatFailed: []
    }
  }

  private func isError(_ row: Row, _ step: ErrorStep) -> Bool {
    if case .error(step) = row.kind { true } else { false }
  }

  func testEveryNextExists() {
    for entry in entries {
      for taken in entry.row.cases {
        for target in targets(of: taken, in: entry.id) {
          XCTAssertNotNil(UseCaseTables.row(target), "\(entry.id)\(taken.letter)")
        }
      }
    }
    for step in ErrorStep.allCases {
      XCTAssertEqual(entries.filter { isError($0.row, step) }.count, 1, step.rawValue)
    }
  }

  func testEveryRowIsReachableFromTheOpening() {
    // The lock is watched beside every step.
    var reached: Set = [RowID(.openApp, "1.1"), RowID(.lock, "1.1")]
    var rest = Array(reached)
    while let id = rest.popLast() {
      guard let row = UseCaseTables.row(id) else { continue }
      var next = row.cases.flatMap { targets(of: $0, in: id) }
      if case .partialFlow(let useCase) = row.kind {
        next.append(UseCaseTables.firstRow(of: useCase))
      }
      for target in next where reached.insert(target).inserted { rest.append(target) }
    }
    XCTAssertEqual(entries.map(\.id).filter { !reached.contains($0) }.map(\.description), [])
  }

  func testEveryOutcomeOfADeterminationOrAnEffectHasItsCase() {
    for entry in entries {
      let possible: Set<Outcome>
      switch entry.row.kind {
      case .determination(let query): possible = query.outcomes
      case .effect(let effect), .systemPrompt(let effect): possible = effect.outcomes
      default: continue
      }
      let handled = entry.row.cases.compactMap { taken -> Outcome? in
        if case .outcome(let outcome) = taken.trigger { outcome } else { nil }
      }
      let actions = entry.row.cases.compactMap(\.action)
      XCTAssertEqual(handled.count + actions.count, entry.row.cases.count, "\(entry.id)")
      XCTAssertEqual(Set(handled), possible, "\(entry.id)")
    }
  }

  func testOnlyWorkThatMayBeStoppedHasAnAction() {
    for entry in entries {
      guard case .effect(let effect) = entry.row.kind else { continue }
      XCTAssertEqual(
        entry.row.cases.compactMap(\.action), effect.mayBeStopped ? [.stop] : [], "\(entry.id)")
    }
  }

  func testEveryResultOfAPartialFlowHasItsCase() {
    for entry in entries {
      guard case .partialFlow(let useCase) = entry.row.kind else { continue }
      let results = UseCaseTables.table(of: useCase).rows.flatMap(\.cases).compactMap { taken in
        if case .result(let result) = taken.next { result } else { nil }
      }
      let handled = entry.row.cases.compactMap { taken -> FlowResult? in
        if case .result(let result) = taken.trigger { result } else { nil }
      }
      XCTAssertEqual(handled.count, entry.row.cases.count, "\(entry.id)")
      XCTAssertEqual(Set(handled), Set(results), "\(entry.id)")
    }
  }

  func testOnlyPartialFlowsEndWithAResult() {
    let partial = entries.compactMap { entry -> UseCase? in
      if case .partialFlow(let useCase) = entry.row.kind { useCase } else { nil }
    }
    for entry in entries where !partial.contains(entry.id.useCase) {
      for taken in entry.row.cases {
        if case .result = taken.next { XCTFail("\(entry.id)\(taken.letter)") }
      }
    }
  }

  func testEveryStepCanBeLeft() {
    // A blocked version and a permanently blocked wallet have no way on.
    let deadEnds = [RowID(.updatePolicy, "3.1"), RowID(.validatePin, "9.1")]
    for entry in entries where !deadEnds.contains(entry.id) {
      switch entry.row.kind {
      case .screen, .prompt, .handOff:
        XCTAssert(entry.row.cases.contains { leadsAway($0, of: entry.id) }, "\(entry.id)")
      case .error(let step):
        let conditions = entry.row.cases.map(\.condition)
        if entry.row.cases.contains(where: { leadsAway($0, of: entry.id) }) { continue }
        XCTAssert(conditions.contains(.somethingBefore), "\(entry.id)")
        // The row that leads to it has a screen before it.
        let sources = entries.filter { entry in
          entry.row.cases.contains { $0.next == .error(step) }
        }
        let hasScreenBefore = sources.map(\.id) == [RowID(.setUpPin, "1.5")]
        XCTAssert(conditions.contains(.nothingBefore) || hasScreenBefore, "\(entry.id)")
      case .determination, .effect, .partialFlow, .systemPrompt, .watch:
        XCTAssertFalse(entry.row.cases.isEmpty, "\(entry.id)")
      }
    }
  }

  /// Help leads back to the screen from which it was opened, and to an error step. No other step that
  /// is no screen offers it.
  func testHelpIsOfferedWhereItLeadsBackTo() {
    for entry in entries
    where entry.row.cases.contains(where: { $0.next == .goTo(.help) }) {
      switch entry.row.kind {
      case .screen, .error: break
      default: XCTFail("\(entry.id)")
      }
    }
  }

  func testEveryStepOfTheProofingCanBeLeftByScannerTimeAndUser() {
    let rows = UseCaseTables.table(of: .obtainPID).rows
    for row in rows {
      guard case .screen = row.kind else { continue }
      let triggers = row.cases.map(\.trigger)
      if triggers.contains(.action(.scanned)) {
        for end in [Case.Trigger.event(.scanTimeout), .action(.cancel), .action(.unreadable)] {
          let taken = row.cases.first { $0.trigger == end }
          XCTAssertNotNil(taken?.failure, "\(row.number) \(end)")
        }
        XCTAssert(triggers.contains(.action(.back)), row.number)
      } else {
        let leaving = [Case.Trigger.action(.exit), .action(.later)]
        XCTAssert(row.cases.contains { leaving.contains($0.trigger) && $0.condition == nil })
      }
    }
    // While a claim is active and its evidence not yet read, an exit has to be confirmed.
    let account = UseCaseTables.row(RowID(.obtainPID, "5c"))?.cases
    XCTAssertEqual(account?.first { $0.trigger == .action(.exit) }?.next, .row("5d"))
    XCTAssertNil(UseCaseTables.row(RowID(.obtainPID, "6"))?.cases.first { $0.leavesProofing })
  }

  func testEveryButtonOfTheErrorTableIsOnTheScreensOfItsTarget() {
    for error in ProofingError.allCases where error.row.target != .left {
      guard let action = error.row.primary.action else {
        XCTFail(error.rawValue)
        continue
      }
      let next: Next =
        switch error.row.target {
        case .code: .row("3")
        case .claim: .row("4")
        case .licence: .row("6")
        case .submission: .row("9b")
        case .exit, .left: .goTo(.cards)
        }
      let rows = UseCaseTables.table(of: .obtainPID).rows.filter { row in
        row.cases.contains { $0.trigger == .action(action) && $0.next == next }
      }
      XCTAssertFalse(rows.isEmpty, error.rawValue)
    }
  }

  /// Whether a case leads away, not only to something that returns here.
  private func leadsAway(_ taken: Case, of id: RowID) -> Bool {
    guard taken.condition == nil else { return false }
    switch taken.next {
    case .stay: return false
    case .goTo(.help), .goTo(.about), .goTo(.wipe): return false
    case .row(let number): return number != id.number
    default: return true
    }
  }

  func testTriggersFitTheKindOfTheirRow() {
    for entry in entries {
      for taken in entry.row.cases {
        let name = "\(entry.id)\(taken.letter)"
        switch (entry.row.kind, taken.trigger) {
        case (.determination, .outcome), (.effect, .outcome), (.systemPrompt, .outcome),
          (.partialFlow, .result), (.screen, .action), (.prompt, .action), (.handOff, .action),
          (.error, .action), (.effect, .action), (.screen, .event), (.prompt, .event),
          (.watch, .event):
          break
        default: XCTFail(name)
        }
        if taken.effect != nil { XCTAssertEqual(taken.next, .stay, name) }
      }
    }
  }

  func testEveryRemarkHasAReason() {
    let remarks = entries.flatMap { [$0.row.remark] + $0.row.cases.map(\.remark) }.compactMap { $0 }
    XCTAssertGreaterThan(remarks.count, 30)
    for remark in remarks {
      XCTAssertFalse(remark.reason.isEmpty)
      XCTAssertNotEqual(remark.published, "")
    }
  }

  // MARK: Names and texts

  func testEveryEnumerationCaseIsUsedByATable() {
    let kinds = entries.map(\.row.kind)
    let screens = kinds.compactMap { kind -> Screen? in
      switch kind {
      case .screen(let screen), .prompt(let screen): screen
      default: nil
      }
    }
    let alternatives = entries.compactMap(\.row.alternative)
    XCTAssertEqual(Set(screens + alternatives), Set(Screen.allCases))
    let handOffs = kinds.compactMap { if case .handOff(let handOff) = $0 { handOff } else { nil } }
    XCTAssertEqual(Set(handOffs), Set(HandOff.allCases))
    let errors = cases.compactMap { if case .error(let step) = $0.next { step } else { nil } }
    XCTAssertEqual(Set(errors), Set(ErrorStep.allCases))
    let actions = cases.compactMap { taken -> Action? in
      if case .action(let action) = taken.trigger { action } else { nil }
    }
    XCTAssertEqual(Set(actions), Set(Action.allCases))
    let events = cases.compactMap { if case .event(let event) = $0.trigger { event } else { nil } }
    XCTAssertEqual(Set(events), Set(FlowEvent.allCases))
    let outcomes = cases.compactMap { taken -> Outcome? in
      if case .outcome(let outcome) = taken.trigger { outcome } else { nil }
    }
    XCTAssertEqual(Set(outcomes), Set(Outcome.allCases))
    XCTAssertEqual(Set(cases.compactMap(\.condition)), Set(Condition.allCases))
    let queries = kinds.compactMap { kind -> FlowQuery? in
      if case .determination(let query) = kind { query } else { nil }
    }
    XCTAssertEqual(Set(queries), Set(FlowQuery.allCases))
    let effects = kinds.compactMap { kind -> FlowEffect? in
      switch kind {
      case .effect(let effect), .systemPrompt(let effect): effect
      default: nil
      }
    }
    XCTAssertEqual(Set(effects + cases.compactMap(\.effect)), Set(FlowEffect.allCases))
    // These come with outcomes, if there is a link, a lost key or a wrong PIN.
    let told: Set<Notice> = [
      .linkNeedsWallet, .linkNeedsPID, .linkKept, .biometricsSwitchedOff, .failedAttempts,
    ]
    XCTAssertEqual(Set(cases.compactMap(\.notice)).union(told), Set(Notice.allCases))
    XCTAssertEqual(Set(cases.compactMap(\.notice)).intersection(told), [])
  }

  func testEveryStepAndEveryActionHasAnEnglishTextWithoutNumbersInIt() {
    let texts =
      Screen.allCases.map { StepText.of($0) } + HandOff.allCases.map { StepText.of($0) }
      + ErrorStep.allCases.map { StepText.of($0) } + FlowEffect.allCases.map { StepText.of($0) }
      + [StepText.end, StepText.working]
    for text in texts { check(text.title, text.message([:])) }
    for screen in Screen.allCases {
      for action in Action.allCases { check(StepText.label(action, screen.rawValue)) }
    }
  }

  private func check(_ title: String, _ message: String = "") {
    XCTAssertFalse(title.isEmpty)
    let text = "\(title) \(message)"
    XCTAssertFalse(text.contains("  "), text)
    // A number of two or more digits could be personal data.
    let runs = text.split { !$0.isNumber }
    XCTAssertEqual(runs.filter { $0.count > 1 }, [], text)
  }

  func testDurationsAreRoundedUp() {
    let durations: [(Int64, String)] = [
      (0, "0 seconds"), (1, "1 second"), (1000, "1 second"), (1001, "2 seconds"),
      (60_000, "60 seconds"), (90_000, "90 seconds"), (90_001, "2 minutes"),
      (3_600_000, "60 minutes"),
    ]
    for (milliseconds, text) in durations {
      XCTAssertEqual(StepText.duration(milliseconds), text)
    }
  }

  func testWhatIsAllowedWhileLocked() {
    let allowed: Set<UseCase> = [
      .openApp, .introduceApp, .unlock, .updatePolicy, .validatePin, .about, .wipe, .help, .errors,
    ]
    let unlockedOnly: [UseCase: Set<String>] = [
      .setUpPin: ["1.6", "1.7", "1.8", "1.9"], .errors: ["5", "6", "7", "8", "9"],
    ]
    for entry in entries {
      let isAllowed =
        !(unlockedOnly[entry.id.useCase] ?? []).contains(entry.id.number)
        && allowed.union([.setUpPin]).contains(entry.id.useCase)
      XCTAssertEqual(UseCaseTables.isAllowedWhileLocked(entry.id), isAllowed, "\(entry.id)")
    }
  }

  func testEachRoleIsARowAndCodeOutsideTheTablesNamesRolesAlone() throws {
    XCTAssertEqual(Set(RowID.roles).count, RowID.roles.count)
    for role in RowID.roles { XCTAssertNotNil(UseCaseTables.row(role), "\(role)") }
    let sources = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    // A number of a row as a text. "1" is also the version of links.
    let number = try NSRegularExpression(pattern: #""\d{1,2}([a-e]|\.\d{1,2})?"(?!\.utf8)"#)
    var count = 0
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", !file.path.contains("/WalletUseCases/Tables/") else {
        continue
      }
      let source = try String(contentsOf: file, encoding: .utf8)
      guard file.path.contains("/WalletUseCases/") || source.contains("import WalletUseCases")
      else { continue }
      // Comments may name rows.
      let code = source.split(separator: "\n")
        .filter { line in !line.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
      let range = NSRange(code.startIndex..., in: code)
      XCTAssertEqual(number.numberOfMatches(in: code, range: range), 0, file.lastPathComponent)
      count += 1
    }
    XCTAssertGreaterThan(count, 25)
  }
}
