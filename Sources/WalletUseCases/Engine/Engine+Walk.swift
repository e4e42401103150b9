internal import WalletModel

// Following a case: rows, partial flows, history, errors.

extension Engine {
  /// Follows `taken` from `row`.
  mutating func follow(_ taken: Case, of row: RowID, _ details: Details = Details()) {
    note(taken, of: row)
    notices += details.notices
    if let notice = taken.notice { notices.append(notice) }
    let frames = place?.frames ?? []
    let details = taken.failure.map { Details(failure: $0) } ?? details
    switch taken.next {
    case .row(let number): enter(RowID(row.useCase, number), frames, details)
    case .goTo(let useCase): enter(UseCaseTables.firstRow(of: useCase), [], details)
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
    guard let definition = UseCaseTables.row(row) else { return fail(.generic, row, details) }
    var details = details
    if row.useCase == .obtainPID, !prepareProofing(row, &details) { return }
    if row == RowID(.unlock, "1.5"), !unlock() { return }
    if row == RowID(.setUpPin, "1.6") { becomeUnlocked() }
    if row == RowID(.setUpPin, "1.1") {
      chosenPin = nil
      enteredPin = nil
      mismatches = 0
    }
    if row.isFirst(of: .introduceApp), place?.row.useCase == .wipe { forgetWallet() }
    if cutsHistory(row) { cutHistory() }
    if row.isFirst(of: .unlock), let left, isBeforeRegistration(left) {
      self.left = nil
    }
    place = FlowPosition(row: row, frames: frames, details: details)
    switch definition.kind {
    case .determination(let question):
      if let outcome = ownAnswer(to: question) {
        take(outcome, Details(), of: row)
      } else {
        wait(for: .ask(question))
      }
    case .effect(.lock): lock(.request)
    case .systemPrompt(let task) where isInBackground: cancelPrompt(of: task, row)
    case .effect(let task), .systemPrompt(let task):
      wait(for: .perform(task))
      // A prompt of the system is a step of its own from the start, and so is good news.
      if task.promptsUser || (task == .announceLicence && warningLocksAt == nil) {
        reaction.showsStep = true
      }
    case .partialFlow(let useCase): enter(UseCaseTables.firstRow(of: useCase), frames + [row])
    case .screen, .prompt, .handOff, .error, .watch: show()
    }
  }

  /// Whether Back must not lead from `row` into what came before it.
  private func cutsHistory(_ row: RowID) -> Bool {
    switch row.useCase {
    // The PID is stored, or will be later.
    case .cards: row.isFirst(of: .cards) && place?.row.useCase == .obtainPID
    case .obtainPID: row.number == "11"
    // There is a wallet, or none, unlike before.
    case .unlock: row.isFirst(of: .unlock) && isBeforeRegistration
    case .introduceApp: row.isFirst(of: .introduceApp) && place?.row.useCase == .openApp
    default: false
    }
  }

  /// What the engine knows itself.
  private func ownAnswer(to question: FlowQuery) -> Outcome? {
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
    // An end that passed beneath another screen is taken on the return.
    if let deadline = place.details.deadline, deadline <= facts.now,
      let over = place.definition?.firstCase(.event(.blockOver))
    {
      return follow(over, of: place.row)
    }
    reaction.showsStep = true
    pending = nil
    if isUnlocked, !isOnTheWay(place) { left = nil }
    guard place.isScreen else { return }
    if let index = history.firstIndex(where: { $0.isSameScreen(as: place) }) {
      history.removeSubrange(index...)
    } else if let screen, !screen.isSameScreen(as: place) {
      history.append(screen)
    }
    screen = place
  }

  /// Shows the current step once more, with a new serial.
  mutating func showAgain() {
    guard place != nil else { return }
    if !reaction.showsStep { notices = visibleNotices + notices }
    reaction.showsStep = true
  }

  private mutating func stay(_ taken: Case) {
    if let task = taken.task {
      wait(for: .perform(task))
    } else {
      // The user has seen the news and acted.
      reaction.showsStep = true
    }
  }

  /// What a task in between brought; the step stays.
  mutating func finishTask(_ outcome: Outcome, _ details: Details) {
    guard let row = place?.row else { return }
    if outcome == .done { showAgain() } else { fail(.generic, row, details) }
  }

  private mutating func endPartialFlow(_ result: FlowResult) {
    guard var frames = place?.frames, let caller = frames.popLast() else {
      return fail(.generic, place?.row ?? UseCaseTables.firstRow(of: .openApp), Details())
    }
    place = FlowPosition(row: caller, frames: frames)
    guard let taken = UseCaseTables.firstCase(.result(result), of: caller) else {
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
    // What was submitted is judged; the screens before it are over.
    if place.failed == .submission, facts.proofing == .submitted {
      return enter(UseCaseTables.firstRow(of: .cards))
    }
    if !place.isScreen, let screen {
      // A scanner that starts anew is one more attempt.
      if place.failed != nil, screen.row == RowID(.obtainPID, "3") { return enter(screen.row) }
      return showOnceMore(screen)
    }
    if let before = history.popLast() {
      screen = nil
      return showOnceMore(before)
    }
    screen = nil
    // A step with nothing before it needs a way out: it was resumed, or locked while it worked.
    if let target {
      enter(target, place.frames)
    } else if isUnlocked {
      enterHome()
    } else if isBeforeRegistration {
      show()
    } else {
      // A wallet to unlock, or none any more.
      enter(RowID(.openApp, "2.3"))
    }
  }

  /// Shows a place that was shown before, where it still has the PIN that it is about.
  private mutating func showOnceMore(_ before: FlowPosition) {
    let choosePin = RowID(.setUpPin, "1.1")
    let isAboutPin = before.row == RowID(.setUpPin, "1.3") || before.row == RowID(.setUpPin, "3.1")
    if before.row == choosePin || (isAboutPin && chosenPin == nil) {
      return enter(choosePin, before.frames)
    }
    place = before
    show()
  }

  /// The first step of an unlocked wallet where there is nothing to go back to.
  private mutating func enterHome() {
    enter(UseCaseTables.firstRow(of: facts.hasPID ? .cards : .obtainPID))
  }

  /// The app closes; the next opening starts anew, and a start is locked.
  private mutating func end() {
    if isUnlocked { reaction.commands.append(.lock) }
    isUnlocked = false
    place = place.map { FlowPosition(row: $0.row, isEnd: true) }
    cutHistory()
    left = nil
    pending = nil
    reaction.showsStep = true
  }

  // MARK: Errors

  /// Shows an error step for the row that failed.
  mutating func fail(_ step: ErrorStep, _ row: RowID, _ details: Details) {
    let number = UseCaseTables.table(of: .errors).rows.first {
      if case .error(step) = $0.kind { true } else { false }
    }?.number
    var details = details
    if row.useCase == .obtainPID, case .generic = step { addReference(to: &details) }
    place = FlowPosition(
      row: RowID(.errors, number ?? "4"), frames: place?.frames ?? [], details: details,
      failed: row)
    show()
  }

  /// Try again: the row that failed, except where its PIN is gone.
  private mutating func repeatFailed() {
    guard let place, let failed = place.failed else { return }
    switch failed {
    case RowID(.validatePin, "1.1"): endPartialFlow(.retry)
    case RowID(.setUpPin, "1.2") where chosenPin == nil,
      RowID(.setUpPin, "1.4") where chosenPin == nil,
      RowID(.setUpPin, "1.5") where chosenPin == nil:
      enter(RowID(.setUpPin, "1.1"))
    case RowID(.cards, "1.1"): enter(failed)
    // What was scanned was wiped with the failure.
    case RowID(.obtainPID, "7"): enter(RowID(.obtainPID, "6"))
    default: enter(failed, place.frames)
    }
  }

  // MARK: The wallet

  /// The moment of UC2.3 1.5; false where the update policy blocks this version first.
  private mutating func unlock() -> Bool {
    if enterBlock() {
      // What the PIN or the scan has opened is not used.
      reaction.commands.append(.lock)
      return false
    }
    becomeUnlocked()
    return true
  }

  /// Enters PF1.4 where the last verified policy blocks this version.
  mutating func enterBlock() -> Bool {
    guard case .block(let updateAvailable) = facts.versionState else { return false }
    cutHistory()
    enter(RowID(.updatePolicy, updateAvailable ? "2.1" : "3.1"), [RowID(.openApp, "2.2")])
    return true
  }

  private mutating func becomeUnlocked() {
    isUnlocked = true
    attempts.reset()
    chosenPin = nil
    enteredPin = nil
    cutHistory()
  }

  /// Back never leads to what was shown before this moment.
  mutating func cutHistory() {
    history = []
    screen = nil
  }

  /// Everything of the wallet that was deleted is gone.
  mutating func forgetWallet() {
    isUnlocked = false
    warningLocksAt = nil
    attempts.reset()
    codeAttempts.reset()
    account = nil
    chosenPin = nil
    enteredPin = nil
    cutHistory()
    left = nil
    pending = nil
    reaction.commands.append(.forgetLink)
  }

  /// Resume: the step that was left; where there is none, as after the launch.
  mutating func resume() {
    let left = left
    self.left = nil
    guard let left, stillHolds(left) else {
      return isUnlocked ? enterHome() : enter(RowID(.openApp, "2.3"))
    }
    if isLapsed(left.place) { return restartProofing(left.place) }
    screen = left.screen
    history = left.history
    if case .effect = left.place.definition?.kind {
      enter(left.place.row, left.place.frames)
    } else {
      showOnceMore(left.place)
    }
  }

  /// Whether what was left still is there to go on with.
  private func stillHolds(_ left: SuspendedFlow) -> Bool {
    // A wallet that was made, deleted or locked meanwhile has other steps.
    guard isBeforeRegistration(left) != isUnlocked else { return false }
    return left.place.row != RowID(.cards, "2.1") || facts.hasPID
  }
}
