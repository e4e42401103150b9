import WalletModel

@testable import WalletUseCases

/// A table as a Mermaid state diagram.
struct FlowDiagram {
  private let table: Table
  /// The nodes outside the table, in the order in which they are met.
  private var outside: [(id: String, words: String)] = []
  private var arrows: [String] = []

  static func text(of table: Table) -> String {
    var diagram = FlowDiagram(table: table)
    diagram.draw()
    let states =
      table.rows.map { row in (diagram.id(row.number), "\(row.number) \(diagram.words(row))") }
      + diagram.outside
    let first = table.rows.first.map { ["  [*] --> \(diagram.id($0.number))"] } ?? []
    let lines =
      states.map { "  state \"\($0.1)\" as \($0.0)" } + first + diagram.arrows.map { "  \($0)" }
    return (["stateDiagram-v2"] + lines).joined(separator: "\n")
  }

  private init(table: Table) { self.table = table }

  private mutating func draw() {
    for row in table.rows {
      for taken in row.cases {
        let target = target(of: taken.next, from: row)
        let mark = taken.remark?.published.map { ", corrected from \($0)" } ?? ""
        let words = FlowArticles.words(of: taken.trigger)
        arrows.append("\(id(row.number)) --> \(target) : \(taken.letter) \(plain(words + mark))")
      }
    }
  }

  private func id(_ number: String) -> String { "row_" + number.replacing(".", with: "_") }

  /// Returns the text without characters that would end a label.
  private func plain(_ text: String) -> String {
    text.filter { $0 != ":" && $0 != ";" && $0 != "\"" && $0 != "`" }
  }

  private func words(_ row: Row) -> String {
    let words =
      switch row.kind {
      case .determination(let query): query.rawValue
      case .effect(let effect), .systemPrompt(let effect): effect.rawValue
      case .partialFlow(let useCase):
        "\(useCase.rawValue) \(UseCaseTables.table(of: useCase).title)"
      case .screen(let screen), .prompt(let screen): screen.rawValue
      case .handOff(let handOff): handOff.rawValue
      case .error(let error): error.rawValue
      case .watch: "activity"
      }
    return plain(words)
  }

  private mutating func target(of next: Next, from row: Row) -> String {
    switch next {
    case .row(let number): return id(number)
    case .stay: return id(row.number)
    case .goTo(let useCase), .goToRow(let useCase, _):
      if useCase == table.useCase, case .goToRow(_, let number) = next { return id(number) }
      let title = UseCaseTables.table(of: useCase).title
      return node("\(useCase)", "\(useCase.rawValue) \(title)")
    case .result(let result): return node("result_\(result)", "Result \(plain(result.rawValue))")
    case .back(let target?) where target.useCase == table.useCase: return id(target.number)
    case .back: return node("goBack", "Back")
    case .resume: return node("resumed", "Resume")
    case .end: return node("ended", "End")
    case .error(let step): return node("error_\(step)", "Error \(step.rawValue)")
    case .repeatFailed: return node("failedRow", "the row that failed")
    }
  }

  private mutating func node(_ id: String, _ words: String) -> String {
    if !outside.contains(where: { $0.id == id }) { outside.append((id, words)) }
    return id
  }
}
