import WalletModel

@testable import WalletUseCases

/// Writes the articles on the flows from the tables that the engine walks.
enum FlowArticles {
  /// All articles by their file names.
  static var all: [(name: String, text: String)] {
    [("flows.md", FlowIndex.text), (NameArticle.name, NameArticle.text)]
      + UseCaseTables.tables.map { ("\(name(of: $0.useCase)).md", article(on: $0)) }
  }

  static func name(of useCase: UseCase) -> String { "flow-\(useCase.rawValue)" }

  /// A link that every Markdown viewer follows, with the title of the article.
  static func link(to useCase: UseCase) -> String {
    "[\(useCase.rawValue) \(UseCaseTables.table(of: useCase).title)](\(name(of: useCase)).md)"
  }

  // MARK: One use case

  private static func article(on table: Table) -> String {
    let corrections = remarks(of: table).filter { $0.remark.published != nil }.count
    return """
      # \(table.useCase.rawValue) \(table.title)

      \(FlowIndex.summary(of: table.useCase))

      ## Overview

      \(permission(of: table)) \(counted(corrections))
      `make flows` makes this article from the table that the engine walks; [Flows](flows.md) explains how to read it.

      ## Rows

      | row | kind | step or case | next | remark |
      |---|---|---|---|---|
      \(rows(of: table).joined(separator: "\n"))
      \(table.useCase == .obtainPID ? codes : "")
      ## Diagram

      ```mermaid
      \(FlowDiagram.text(of: table))
      ```

      """
  }

  private static func counted(_ corrections: Int) -> String {
    switch corrections {
    case 0: "No published row is corrected."
    case 1: "One published value is corrected."
    default: "\(corrections) published values are corrected."
    }
  }

  private static func permission(of table: Table) -> String {
    let protected = table.rows.map(\.number).filter {
      !UseCaseTables.isAllowedWhileLocked(RowID(table.useCase, $0))
    }
    if protected.isEmpty { return "Allowed while the wallet is locked." }
    if protected.count == table.rows.count { return "Only while the wallet is unlocked." }
    let rows = protected.joined(separator: ", ")
    return "Allowed while the wallet is locked, except for the rows \(rows)."
  }

  private static func rows(of table: Table) -> [String] {
    table.rows.flatMap { row in
      [line("**\(row.number)**", kind(row), step(row), "", text(row.remark))]
        + row.cases.map { taken in
          line(
            "\(row.number)\(taken.letter)", "", text(of: taken), text(of: taken.next),
            text(taken.remark))
        }
    }
  }

  /// The error table of the identity proofing.
  private static var codes: String {
    let lines = ProofingError.allCases.map { error in
      let row = error.row
      let buttons = [row.primary, row.secondary].compactMap { $0?.rawValue }
      return line(
        "`\(error.rawValue)`", row.errorClass.rawValue.replacing("_", with: " "),
        buttons.joined(separator: ", "), row.target.rawValue, StepText.message(of: error, [:]))
    }
    return """

      ## Codes

      The values of the argument `failure` of the steps of this table. The first button is the primary one;
      an exit is offered beside every other.

      | code | class | buttons | leads to | English default |
      |---|---|---|---|---|
      \(lines.joined(separator: "\n"))

      """
  }

  private static func line(_ cells: String...) -> String {
    // A cell must not end the table's row.
    let escaped = cells.map { cell in
      cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
    return "| \(escaped.joined(separator: " | ")) |"
  }

  // MARK: Texts

  static func kind(_ row: Row) -> String {
    switch row.kind {
    case .determination: "determination"
    case .effect: "effect"
    case .partialFlow: "partial flow"
    case .screen: "screen"
    case .prompt: "prompt"
    case .systemPrompt: "system prompt"
    case .handOff: "hand-off"
    case .error: "error"
    case .watch: "watched"
    }
  }

  private static func step(_ row: Row) -> String {
    switch row.kind {
    case .determination(let query): query.rawValue
    case .effect(let effect): "`\(effect.rawValue)` \(StepText.of(effect).title)"
    case .systemPrompt(let effect): "`\(effect.rawValue)` \(StepText.of(effect).title)"
    case .partialFlow(let useCase): link(to: useCase)
    case .screen(let screen), .prompt(let screen):
      ([screen] + (row.alternative.map { [$0] } ?? []))
        .map { "`\($0.rawValue)` \(StepText.of($0).title)" }
        .joined(separator: ", or ") + input(of: row)
    case .handOff(let handOff): "`\(handOff.rawValue)` \(StepText.of(handOff).title)"
    case .error(let error): "`\(error.rawValue)` \(StepText.of(error).title)"
    case .watch: "activity of the user, beside every step"
    }
  }

  private static func input(of row: Row) -> String {
    let triggers = row.cases.map(\.trigger)
    if triggers.contains(.action(.enter)) { return "; input: a PIN" }
    return triggers.contains(.action(.scanned)) ? "; input: a scanned code" : ""
  }

  static func words(of trigger: Case.Trigger) -> String {
    switch trigger {
    case .outcome(let outcome): outcome.rawValue
    case .action(let action): StepText.label(action, "")
    case .event(let event): event.rawValue
    case .result(let result): "result: \(result.rawValue)"
    }
  }

  private static func text(of taken: Case) -> String {
    var text = words(of: taken.trigger)
    if case .action(let action) = taken.trigger { text += " `\(action.rawValue)`" }
    if let condition = taken.condition { text += " (\(condition.rawValue))" }
    if let effect = taken.effect { text += ", does `\(effect.rawValue)`" }
    if let failure = taken.failure { text += ", with the code `\(failure.rawValue)`" }
    if let notice = taken.notice { text += ", with the notice `\(notice.rawValue)`" }
    return text
  }

  static func text(of next: Next) -> String {
    switch next {
    case .row(let number): number
    case .goTo(let useCase): link(to: useCase)
    case .goToRow(let useCase, let number): "\(link(to: useCase)) row \(number)"
    case .result(let result): "result: \(result.rawValue)"
    case .back(let target):
      target.map { "Back (\($0.useCase == .introduceApp ? "\($0)" : $0.number))" } ?? "Back"
    case .stay: "the step stays"
    case .resume: "Resume"
    case .end: "End"
    case .error(let step): "error `\(step.rawValue)`"
    case .repeatFailed: "repeats the row that failed"
    }
  }

  static func text(_ remark: Remark?) -> String {
    guard let remark else { return "" }
    guard let published = remark.published else { return "*added*: \(remark.reason)" }
    return "*corrected*, published: \(published). Reason: \(remark.reason)"
  }

  /// Returns how a table differs from its source, row by row.
  static func remarks(of table: Table) -> [(name: String, remark: Remark)] {
    table.rows.flatMap { row in
      let id = RowID(table.useCase, row.number)
      return [("\(id)", row.remark)] + row.cases.map { ("\(id)\($0.letter)", $0.remark) }
    }.compactMap { name, remark in remark.map { (name, $0) } }
  }
}
