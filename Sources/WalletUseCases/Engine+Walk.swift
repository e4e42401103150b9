internal import WalletModel

// Following a case: rows, partial flows, history, errors.

extension Engine {
  /// Follows `taken` from `row`.
  mutating func follow(_ taken: Case, of row: RowID, _ details: Details = Details()) {
    reaction.taken.append("\(row)\(taken.letter)")
    notices += details.notices + (taken.notice.map { [$0] } ?? [])
    let frames = place?.frames ?? []
    switch taken.next {
    case .row(let number): enter(RowID(row.useCase, number), frames, details)
    case .goTo(let useCase): enter(RuleBook.firstRow(of: useCase), [], details)
    case .goToRow(let useCase, let number): enter(RowID(useCase, number), [], details)
    case .result(let result): endPartialFlow(result)
    case .back(let target): goBack(target)
    case .stay: stay(taken)
    case .resume: resume()
    case .end: end()
    case .error(let step): fail(step, row, details)
    case .repeatFailed: repeatFailed()
    }
  }

  /// Enters a row: waits, calls, or shows.
  mutating func enter(_ row: RowID, _ frames: [RowID] = [], _ details: Details = Details()) {
    guard let definition = RuleBook.row(row) else { return fail(.generic, row, details) }
    if row == RowID(.unlock, "1.5"), !unlock() { return }
    if row == RowID(.setUpPin, "1.6") { becomeUnlocked() }
    if row == RowID(.setUpPin, "1.1") {
      chosenPin = nil
      enteredPin = nil
      mismatches = 0
    }
    if row == RuleBook.firstRow(of: .introduceApp), place?.row.useCase == .wipe { forgetWallet() }
    place = Place(row: row, frames: frames, details: details)
    switch definition.kind {
    case .determination(let question):
      if let outcome = ownAnswer(to: question) {
        take(outcome, Details(), of: row)
      } else {
        wait(for: .ask(question))
      }
    case .effect(.lock): lock(.request)
    case .effect(let task), .systemPrompt(let task):
      wait(for: .perform(task))
      // A prompt of the system is a step of its own from the start.
      if task.promptsUser { reaction.showsStep = true }
    case .partialFlow(let useCase): enter(RuleBook.firstRow(of: useCase), frames + [row])
    case .screen, .prompt, .handOff, .error, .watch: show()
    }
  }

  /// What the engine knows itself.
  private func ownAnswer(to question: Question) -> Outcome? {
    switch question {
    case .startup: startup == .launch ? .launch : .resume
    case .isLocked: isUnlocked ? .unlocked : .locked
    case .wasAppShutDown: left == nil ? .wasShutDown : .wasActive
    default: nil
    }
  }

  /// Shows the place, which becomes the screen if it fills it.
  mutating func show() {
    guard let place else { return }
    reaction.showsStep = true
    pending = nil
    if isUnlocked, place.frames.isEmpty, place.row.useCase != .universalLink { left = nil }
    guard place.isScreen else { return }
    if let index = history.firstIndex(where: { $0.isSameScreen(as: place) }) {
      history.removeSubrange(index...)
    } else if let screen, !screen.isSameScreen(as: place) {
      history.append(screen)
    }
    screen = place
  }

  /// Shows the current step once more, with a new serial.
  mutating func showAgain() { reaction.showsStep = place != nil }

  private mutating func stay(_ taken: Case) {
    if let task = taken.task {
      wait(for: .perform(task))
    } else {
      showAgain()
    }
  }

  /// What a task in between brought; the step stays.
  mutating func finishTask(_ outcome: Outcome, _ details: Details) {
    guard let row = place?.row else { return }
    if outcome == .done { showAgain() } else { fail(.generic, row, details) }
  }

  private mutating func endPartialFlow(_ result: FlowResult) {
    guard var frames = place?.frames, let caller = frames.popLast() else {
      return fail(.generic, place?.row ?? RuleBook.firstRow(of: .openApp), Details())
    }
    place = Place(row: caller, frames: frames)
    let cases = RuleBook.row(caller)?.cases ?? []
    guard let taken = cases.first(where: { $0.trigger == .result(result) }) else {
      return fail(.generic, caller, Details())
    }
    follow(taken, of: caller)
  }

  /// Back: the screen before this one. Prompts, hand-offs and errors lie over the screen that they go
  /// back to.
  ///
  /// - Parameter target: Where the table says that Back leads, for a history that was cut.
  mutating func goBack(_ target: RowID?) {
    guard let place else { return }
    if place.failed == RowID(.setUpPin, "1.5") { return enter(RowID(.setUpPin, "1.1")) }
    if !place.isScreen, let screen {
      self.place = screen
      return show()
    }
    if let before = history.popLast() {
      screen = nil
      self.place = before
      if before.row == RowID(.setUpPin, "1.1") { return enter(before.row, before.frames) }
      return show()
    }
    screen = nil
    if let target {
      enter(target, place.frames)
    } else if isUnlocked {
      // A step that was resumed has nothing before it, and needs a way out.
      enter(RuleBook.firstRow(of: facts.hasPID ? .cards : .obtainPID))
    } else {
      show()
    }
  }

  private mutating func end() {
    place?.isEnd = true
    screen = nil
    history = []
    pending = nil
    reaction.showsStep = true
  }

  // MARK: Errors

  /// Shows an error step for the row that failed.
  mutating func fail(_ step: ErrorStep, _ row: RowID, _ details: Details) {
    let number = RuleBook.table(of: .errors).rows.first {
      if case .error(step) = $0.kind { true } else { false }
    }?.number
    place = Place(
      row: RowID(.errors, number ?? "4"), frames: place?.frames ?? [], details: details,
      failed: row)
    show()
  }

  /// Try again: the row that failed, except where its PIN is gone.
  private mutating func repeatFailed() {
    guard let place, let failed = place.failed else { return }
    switch failed {
    case RowID(.validatePin, "1.1"): endPartialFlow(.retry)
    case RowID(.setUpPin, "1.5") where chosenPin == nil: enter(RowID(.setUpPin, "1.1"))
    case RowID(.cards, "1.1"): enter(failed)
    default: enter(failed, place.frames)
    }
  }

  // MARK: The wallet

  /// The moment of UC2.3 1.5; false where the update policy blocks this version first.
  private mutating func unlock() -> Bool {
    if enterBlock() { return false }
    becomeUnlocked()
    return true
  }

  /// Enters PF1.4 where the last verified policy blocks this version.
  mutating func enterBlock() -> Bool {
    guard case .block(let updateAvailable) = facts.versionState else { return false }
    screen = nil
    history = []
    enter(RowID(.updatePolicy, updateAvailable ? "2.1" : "3.1"), [RowID(.openApp, "2.2")])
    return true
  }

  private mutating func becomeUnlocked() {
    isUnlocked = true
    attempts.reset()
    chosenPin = nil
    enteredPin = nil
    history = []
    screen = nil
  }

  /// Everything of the wallet that was deleted is gone.
  mutating func forgetWallet() {
    isUnlocked = false
    warningLocksAt = nil
    attempts.reset()
    chosenPin = nil
    enteredPin = nil
    history = []
    screen = nil
    left = nil
    pending = nil
    reaction.commands.append(.forgetLink)
  }

  /// Resume: the step that was left; where there is none, as after the launch.
  mutating func resume() {
    guard let left else { return enter(RowID(.openApp, "2.3")) }
    self.left = nil
    screen = left.screen
    history = left.history
    place = left.place
    if let row = place?.row, row == RowID(.setUpPin, "1.1") { return enter(row) }
    show()
  }

  /// PINs that nothing waits for any more are wiped; screens that need them are left behind.
  mutating func forgetPins() {
    guard let place else { return }
    if pending == nil, !isAwaitingRepetition(place) { chosenPin = nil }
    if pending == nil { enteredPin = nil }
    if chosenPin == nil { history.removeAll { $0.row == RowID(.setUpPin, "1.3") } }
  }

  /// Whether the chosen PIN is still needed where the walk stands.
  private func isAwaitingRepetition(_ place: Place) -> Bool {
    let repeatPin = RowID(.setUpPin, "1.3")
    if place.row == repeatPin || place.row == RowID(.setUpPin, "3.1") { return true }
    if place.failed == RowID(.setUpPin, "1.5") { return true }
    return place.row.useCase == .about
      && (screen?.row == repeatPin || history.contains { $0.row == repeatPin })
  }
}
