import WalletModel

@testable import WalletUseCases

/// Writes the article with all names that a host compares with, from the enumerations.
enum NameArticle {
  static let name = "names.md"

  /// The steps that are in no table: an outcome that takes long, and the end.
  static let others = ["working", "end"]

  static var text: String {
    """
    # Steps, actions and notices

    All names that a host receives and compares with.

    ## Overview

    A host receives one step after the other, draws it, and answers with one of its actions: see section
    10 of `wallet_core.h`. This article lists the names of steps and of what they contain; [Flows](flows.md)
    describes the order of the steps.

    **The names are stable.** A step, an action, a notice, an argument or a value of this article keeps its
    name and its meaning within one `WALLET_CORE_ABI_VERSION`. A new minor version may add some, a new patch
    version adds none. So draw a step that you do not know by its title, message and labels, and ignore a
    notice or an argument that you do not know. The texts are English defaults for hosts that do not
    localise. They may change with any version; arguments in the texts of this article are examples.

    `make flows` generates this article from the tables that the library runs on; a test fails if they
    differ.

    ## Kinds of steps

    | kind | constant | what a host does |
    |---|---|---|
    \(lines(Step.Kind.allCases) { ["`\($0.rawValue)`", constant("STEP", $0.rawValue), NameTexts.work($0)] })

    | input | constant | what the step takes |
    |---|---|---|
    \(lines(Step.Input.allCases) { ["`\($0.rawValue)`", constant("INPUT", $0.rawValue), NameTexts.want($0)] })

    ## Screens and prompts

    | step | kind | where | input | actions | arguments | English default |
    |---|---|---|---|---|---|---|
    \(lines(Screen.allCases, screen))

    Actions are in the order in which a step offers them; the first one offered is the main button. An
    action in brackets is offered only sometimes: the articles on the use cases say when. A step has an
    argument only when it applies. A screen with `failure` and no message here has the message of the code.

    ## Scanners

    A step whose input is `scan` takes the bytes of one symbol, by `wallet_core_choose_scanned()`.

    | step | symbol | content |
    |---|---|---|
    \(lines(scanners) { [code([$0.rawValue]), NameTexts.symbol($0).constant, NameTexts.symbol($0).content] })

    ## Hand-offs

    | step | where | what the host does | actions | arguments | English default |
    |---|---|---|---|---|---|
    \(lines(HandOff.allCases, handOff))

    ## Work

    Such a step ends by itself; its action, if it has one, ends it before. A progress step is shown only if
    the work takes longer than 0.2 s, so never rely on seeing it.

    | step | kind | where | actions | arguments | English default |
    |---|---|---|---|---|---|
    \(lines(FlowEffect.allCases, effect))
    \(line(["`working`", "`\(Step.Kind.progress.rawValue)`", "any determination", "", "", shown(.working)]))

    ## Errors

    | step | where | actions | arguments | English default |
    |---|---|---|---|---|
    \(lines(ErrorStep.allCases, error))

    An error step has the use case and row that failed.

    ## The end

    | step | kind | where | English default |
    |---|---|---|---|
    \(line(["`end`", "`\(Step.Kind.end.rawValue)`", ends, shown(.end)]))

    ## Actions

    | action | English default | input | what a host does |
    |---|---|---|---|
    \(lines(Action.allCases, action))

    ## Notices

    Short messages shown with a step. They have no English default.

    | notice | meaning | arguments of the step |
    |---|---|---|
    \(lines(Notice.allCases) {
      ["`\($0.rawValue)`", NameTexts.news($0), code(StepArguments.of($0).map(\.rawValue))]
    })

    ## Arguments

    Durations are in milliseconds and end in `_ms`.

    | argument | type | meaning | values |
    |---|---|---|---|
    \(lines(StepArguments.all) { [
      "`\($0.name.rawValue)`", $0.kind.rawValue, $0.meaning, code($0.values)] })

    ## Codes

    The values of the argument `failure`, and of each part of `reasons`.

    | code | English default |
    |---|---|
    \(lines(ProofingError.allCases) { ["`\($0.rawValue)`", StepText.message(of: $0, [:])] })

    """
  }

  // MARK: Rows

  /// The rows that show a step, or run its effect.
  static func rows(of step: String) -> [(id: RowID, row: Row)] {
    let all = UseCaseTables.tables.flatMap { table in
      table.rows.map { (id: RowID(table.useCase, $0.number), row: $0) }
    }
    return all.filter { names(of: $0.row).contains(step) }
  }

  /// Returns the names of the steps that a row can show.
  private static func names(of row: Row) -> [String] {
    let effects = row.cases.compactMap { $0.effect?.rawValue }
    switch row.kind {
    case .screen(let screen), .prompt(let screen):
      return [screen.rawValue] + (row.alternative.map { [$0.rawValue] } ?? []) + effects
    case .handOff(let handOff): return [handOff.rawValue] + effects
    case .error(let error): return [error.rawValue] + effects
    case .effect(let effect), .systemPrompt(let effect): return [effect.rawValue] + effects
    case .determination, .partialFlow, .watch: return effects
    }
  }

  /// The actions that the rows of a step offer, in an order that is that of each row.
  static func actions(of step: String) -> [(action: Action, isAlways: Bool)] {
    var found: [(action: Action, isAlways: Bool)] = []
    for row in rows(of: step).map(\.row) {
      var next = 0
      for taken in row.cases {
        guard let action = taken.action else { continue }
        if let known = found.firstIndex(where: { $0.action == action }) {
          next = known + 1
        } else {
          found.insert((action, taken.condition == nil), at: next)
          next += 1
        }
      }
    }
    return Action.ordered(found.map(\.action)).compactMap { action in
      found.first { $0.action == action }
    }
  }

  static var scanners: [Screen] {
    Screen.allCases.filter { screen in
      actions(of: screen.rawValue).contains { $0.action == .scanned }
    }
  }

  private static var ends: String {
    UseCaseTables.tables.flatMap { table in
      table.rows.filter { row in row.cases.contains { $0.next == .end } }
        .map { "\(table.useCase.rawValue) \($0.number)" }
    }.joined(separator: ", ")
  }

  // MARK: Lines

  private static func screen(_ screen: Screen) -> [String] {
    let name = screen.rawValue
    let kinds = Set(rows(of: name).map { FlowArticles.kind($0.row) }).sorted()
    let inputs = actions(of: name).map { input(of: $0.action) }
    return [
      "`\(name)`", code(kinds), locations(name),
      code(inputs.filter { $0 != .none }.map(\.rawValue)),
      offered(name), arguments(name), shown(StepText.of(screen)),
    ]
  }

  private static func handOff(_ handOff: HandOff) -> [String] {
    let name = handOff.rawValue
    return [
      "`\(name)`", locations(name), NameTexts.work(handOff), offered(name), arguments(name),
      shown(StepText.of(handOff)),
    ]
  }

  private static func error(_ error: ErrorStep) -> [String] {
    let name = error.rawValue
    return [
      "`\(name)`", locations(name), offered(name), arguments(name), shown(StepText.of(error)),
    ]
  }

  private static func effect(_ effect: FlowEffect) -> [String] {
    let kind: Step.Kind = effect.promptsUser ? .systemPrompt : .progress
    return [
      "`\(effect.rawValue)`", "`\(kind.rawValue)`", locations(effect.rawValue),
      effect.mayBeStopped ? offered(effect.rawValue) : "", arguments(effect.rawValue),
      shown(StepText.of(effect)),
    ]
  }

  private static func action(_ action: Action) -> [String] {
    let usual = StepText.label(action, "")
    let special = Screen.allCases.map(\.rawValue).compactMap { name -> String? in
      let label = StepText.label(action, name)
      return label == usual ? nil : "\(label) (`\(name)`)"
    }
    let input: String? =
      switch input(of: action) {
      case .none: nil
      case .pin: "a PIN"
      case .scan: "the scanned bytes"
      case .option: "an index"
      }
    return [
      "`\(action.rawValue)`", ([usual] + special).joined(separator: ", "), input ?? "",
      NameTexts.work(action),
    ]
  }

  /// The input that the engine requires with a choice.
  private static func input(of action: Action) -> Step.Input { Engine().requiredInput(action) }

  // MARK: Cells

  private static func locations(_ step: String) -> String {
    rows(of: step).map(\.id.description).joined(separator: ", ")
  }

  private static func offered(_ step: String) -> String {
    actions(of: step).map { $0.isAlways ? "`\($0.action.rawValue)`" : "(`\($0.action.rawValue)`)" }
      .joined(separator: ", ")
  }

  private static func arguments(_ step: String) -> String {
    code((StepArguments.of(step: step) ?? []).map(\.rawValue).sorted())
  }

  private static func code(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Title and message, with example arguments.
  private static func shown(_ text: StepText) -> String {
    let message = text.message([
      .blockedFor: .number(5 * 60_000), .locksIn: .number(30_000),
      .statusName: .text("STORAGE_FULL"),
    ])
    return message.isEmpty ? "**\(text.title)**" : "**\(text.title)** \(message)"
  }

  private static func constant(_ group: String, _ name: String) -> String {
    let words = name.uppercased().split(separator: "-").joined(separator: "_")
    return "`WALLET_CORE_\(group)_\(words)`"
  }

  private static func lines<Name>(_ names: [Name], _ cells: (Name) -> [String]) -> String {
    names.map { line(cells($0)) }.joined(separator: "\n")
  }

  private static func line(_ cells: [String]) -> String {
    // A cell must be one line and must not contain the separator of cells.
    let escaped = cells.map { cell in
      cell.split(whereSeparator: \.isNewline).joined(separator: " ")
        .split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
    return "| \(escaped.joined(separator: " | ")) |"
  }
}
