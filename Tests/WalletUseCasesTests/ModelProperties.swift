import WalletModel

@testable import WalletUseCases

/// The properties that hold after every event.
enum ModelProperties {
  /// All cases by their published names, e.g. "UC2.3 1.1b".
  static let cases: [String: Case] = Dictionary(
    UseCaseTables.tables.flatMap { table in
      table.rows.flatMap { row in
        row.cases.map { ("\(RowID(table.useCase, row.number))\($0.letter)", $0) }
      }
    }, uniquingKeysWith: { first, _ in first })

  /// Returns the property that does not hold; nil if all do.
  static func fault(
    _ before: Engine, _ event: FlowInput, _ reaction: Reaction, _ after: Engine, isGarbage: Bool
  ) -> String? {
    let name = after.position.map { "\($0.failed ?? $0.row)" } ?? "nowhere"
    let step = after.visibleStep(now: 0)
    if let step, step.isProtected, !after.isUnlocked { return "\(name) is shown while locked" }
    if after.isUnlocked, !after.isOpen { return "unlocked though the flow has ended" }
    let isUnlockedAnew = after.isUnlocked && before.unlockedVersion != after.unlockedVersion
    if isUnlockedAnew || after.isUnlocked && !before.isUnlocked, !after.facts.isUnlocked {
      return "unlocked at \(name) by \(event)"
    }
    if after.serial != before.serial + (reaction.showsStep ? 1 : 0) { return "serial at \(name)" }
    if isGarbage, !isSame(before, after) { return "an input to ignore changed \(name)" }
    if let fault = slots(before, event, after) { return "\(fault) at \(name)" }
    if let fault = waiting(after, step) { return "\(fault) at \(name)" }
    if disturbsPin(before, event, after) { return "a link took the step of a PIN at \(name)" }
    if let unknown = reaction.taken.first(where: { cases[$0] == nil }) {
      return "no such case: \(unknown)"
    }
    if let step, hasDigits(step) { return "digits at \(name)" }
    return nil
  }

  /// Whether a link replaced a step on which the user enters a PIN or reads what became of it, or
  /// has begun to: a query would replace the step with its outcome.
  private static func disturbsPin(_ before: Engine, _ event: FlowInput, _ after: Engine) -> Bool {
    guard case .open(_, hasLink: true) = event, !before.isTakenOver else { return false }
    let row = before.position.map { $0.failed ?? $0.row }
    let isAboutPin =
      before.visibleStep(now: 0)?.input == .pin || row?.useCase == .validatePin
    // That a request waits is told once.
    let isTold =
      row == RowID(.unlock, "1.3") && !before.shownFacts.isRequestWaiting
      && after.shownFacts.isRequestWaiting
    return isAboutPin
      && (after.serial != before.serial && !isTold || after.pending != before.pending
        || after.position != before.position)
  }

  /// Whether nothing but the facts and the reaction has changed.
  private static func isSame(_ before: Engine, _ after: Engine) -> Bool {
    var before = before
    var after = after
    before.reaction = Reaction()
    after.reaction = Reaction()
    before.facts = after.facts
    return before == after
  }

  private static func slots(_ before: Engine, _ event: FlowInput, _ after: Engine) -> String? {
    guard !after.heldSlots.isEmpty else { return nil }
    if before.isUnlocked, !after.isUnlocked { return "a PIN outlived the lock" }
    switch event {
    case .takenOver where after.pending?.job != .perform(.setUpAccount):
      return "a PIN outlived the take-over"
    case .wiped: return "a PIN outlived the wipe"
    default: break
    }
    // A PIN is held for the pending work, or for the set-up that needs it again.
    let needed = after.pending?.slots ?? []
    let others = after.heldSlots.subtracting(needed)
    guard !others.isEmpty else { return nil }
    if others.count > 1 { return "two PINs are held for nothing" }
    if after.facts.isRegistered, after.isUnlocked { return "a PIN is held by an unlocked wallet" }
    return nil
  }

  private static func waiting(_ engine: Engine, _ step: Step?) -> String? {
    guard engine.position != nil else { return nil }
    guard let step else { return "no step" }
    if engine.pending != nil, engine.warningLocksAt == nil {
      let mayBeStopped =
        if case .perform(let effect) = engine.pending?.job { effect.mayBeStopped } else { false }
      return step.choices.isEmpty || mayBeStopped ? nil : "choices during pending work"
    }
    if step.kind == .end { return step.choices.isEmpty ? nil : "choices at the end" }
    if step.choices.isEmpty, engine.timer == nil { return "nothing can happen" }
    if step.kind == .progress { return "progress of nothing" }
    for choice in step.choices {
      let input: Step.Input =
        switch choice.action {
        case Action.enter.rawValue: .pin
        case Action.scanned.rawValue: .scan
        case Action.choose.rawValue: .option
        default: .none
        }
      if engine.refusal(of: engine.serial, choice.action, input) != nil {
        return "\(choice.action) is offered and refused"
      }
    }
    return nil
  }

  /// Six digits in a row could be a PIN.
  private static func hasDigits(_ step: Step) -> Bool {
    let texts =
      [step.name, step.title, step.message] + step.choices.flatMap { [$0.action, $0.label] }
      + step.notices
    return texts.contains { text in
      text.split { !$0.isNumber }.contains { $0.count >= 6 }
    }
  }
}
