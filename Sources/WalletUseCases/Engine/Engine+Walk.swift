internal import WalletModel

// Following a case: rows, partial flows, history, errors.

extension Engine {
  /// Follows the case `taken` of `row`.
  mutating func follow(_ taken: Case, of row: RowID, _ details: Details = Details()) {
    note(taken, of: row)
    notices += details.notices
    noticeArguments.merge(details.noticeArguments) { _, new in new }
    if let notice = taken.notice { notices.append(notice) }
    let frames = position?.frames ?? []
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

  /// Enters a row: asks the runtime, or shows a step.
  mutating func enter(_ row: RowID, _ frames: [RowID] = [], _ details: Details = Details()) {
    guard let definition = UseCaseTables.row(row) else { return fail(.generic, row, details) }
    var details = details
    if row.useCase == .obtainPID, !prepareProofing(row, &details) { return }
    if row == .afterUnlock, !unlock() { return }
    if row == .accountIsSetUp {
      // If the wallet was locked while the registration ran, the registration still counts: the
      // wallet is registered and locked.
      guard isWalletUnlocked else { return enterUnlock(byLock: true) }
      becomeUnlocked()
    }
    if row == .choosePin {
      chosenPin = nil
      enteredPin = nil
      mismatches = 0
    }
    if row.isFirst(of: .help) {
      errorBeneathHelp = position.flatMap { $0.failed == nil ? nil : $0 }
    }
    if row.isFirst(of: .introduceApp), position?.row.useCase == .wipe { forgetWallet() }
    if row == .replacement { seenReplacement = facts.replacement?.session }
    if cutsHistory(row) { cutHistory() }
    if row.isFirst(of: .unlock), let suspended, isBeforeRegistration(suspended) {
      self.suspended = nil
    }
    position = FlowPosition(row: row, frames: frames, details: details)
    switch definition.kind {
    case .determination(let query):
      if let outcome = ownAnswer(to: query) {
        take(outcome, Details(), of: row)
      } else {
        wait(for: .ask(query))
      }
    case .effect(.lock): lock(.request)
    case .systemPrompt(let effect) where isInBackground: cancelPrompt(of: effect, row)
    case .effect(let effect), .systemPrompt(let effect):
      wait(for: .perform(effect))
      // A system prompt and the announcement of a licence are shown at once. Other work is shown
      // only if it is slow.
      if effect.promptsUser || (effect == .announceLicence && warningLocksAt == nil) {
        reaction.showsStep = true
      }
    case .partialFlow(let useCase): enter(UseCaseTables.firstRow(of: useCase), frames + [row])
    case .screen, .prompt, .handOff, .error, .watch: show()
    }
  }

  /// Whether Back must not lead from `row` to earlier screens.
  private func cutsHistory(_ row: RowID) -> Bool {
    switch row.useCase {
    // The user has left UC3.1: the PID is stored, or will be obtained later.
    // So has one who has left UC5.1 or UC5.2: no data is shared by going back.
    case .cards:
      row.isFirst(of: .cards)
        && (position?.row.useCase == .obtainPID || position?.isAboutSharing == true)
    case .sharing, .login:
      position?.row != row && UseCaseTables.row(row).map(\.endsSharing) == true
    case .obtainPID: row == .pidIsThere
    // The wallet was registered or deleted since the earlier screens.
    case .unlock: row.isFirst(of: .unlock) && isBeforeRegistration
    case .introduceApp: row.isFirst(of: .introduceApp) && position?.row.useCase == .openApp
    default: false
    }
  }

  /// Returns the answer if the engine can give it without the runtime.
  private func ownAnswer(to query: FlowQuery) -> Outcome? {
    switch query {
    case .startup: startup == .launch ? .launch : .resume
    case .isLocked: isUnlocked ? .unlocked : .locked
    case .isBiometricUnlockUsable: isWalletUnlocked ? .unlocked : nil
    case .wasAppShutDown: suspended == nil ? .wasShutDown : .wasActive
    case .isLinkThere: returnsToItsStep ? .no : nil
    case .severalCardsFit: facts.sharing?.request?.hasChoice == true ? .yes : .no
    case .mustReturn: facts.sharing?.mustReturn == true ? .yes : .no
    default: nil
    }
  }

  /// Shows the current position. If it is a screen, Back will return to it.
  mutating func show() {
    guard let position else { return }
    // A deadline that passed while another screen was shown is handled on return.
    if let deadline = position.details.deadline, deadline <= facts.now,
      let over = position.definition?.firstCase(.event(.blockOver))
    {
      return follow(over, of: position.row)
    }
    if tellsOfReplacement(position) { return }
    tellOfFailures(at: position)
    reaction.showsStep = true
    pending = nil
    if isUnlocked, !isOnTheWay(position) { suspended = nil }
    guard position.isScreen else { return }
    if let index = history.firstIndex(where: { $0.isSameScreen(as: position) }) {
      history.removeSubrange(index...)
    } else if let screen, !screen.isSameScreen(as: position) {
      history.append(screen)
    }
    screen = position
  }

  /// Shows the current step once more, with a new serial.
  mutating func showAgain() {
    guard position != nil else { return }
    if !reaction.showsStep {
      notices = visibleNotices + notices
      noticeArguments.merge(visibleNoticeArguments) { new, _ in new }
    }
    reaction.showsStep = true
  }

  private mutating func stay(_ taken: Case) {
    if let effect = taken.effect {
      wait(for: .perform(effect))
    } else {
      // The user has acted, so the notices were seen and are not repeated.
      reaction.showsStep = true
    }
  }

  /// Handles the end of an effect that ran without leaving the step.
  mutating func finishEffect(_ outcome: Outcome, _ details: Details) {
    guard let row = position?.row else { return }
    if outcome == .done { showAgain() } else { fail(.generic, row, details) }
  }

  private mutating func endPartialFlow(_ result: FlowResult) {
    guard var frames = position?.frames, let caller = frames.popLast() else {
      return fail(.generic, position?.row ?? UseCaseTables.firstRow(of: .openApp), Details())
    }
    position = FlowPosition(row: caller, frames: frames)
    guard let taken = UseCaseTables.firstCase(.result(result), of: caller) else {
      return fail(.generic, caller, Details())
    }
    follow(taken, of: caller)
  }

  /// Goes back to the screen before this one. Prompts, hand-offs and errors lie over the screen
  /// that they go back to.
  ///
  /// - Parameter target: Where the table says that Back leads if there is no earlier screen.
  mutating func goBack(_ target: RowID?) {
    guard let position else { return }
    if position.failed == .setUpAccount { return enter(.choosePin) }
    if position.row.useCase == .help, let error = errorBeneathHelp {
      errorBeneathHelp = nil
      self.position = error
      return show()
    }
    // Once the evidence is submitted, the screens that led to it are over.
    if position.failed == .submission, facts.proofing == .submitted {
      return enter(UseCaseTables.firstRow(of: .cards))
    }
    if !position.isScreen, let screen {
      // The scanner starts again, which counts as a further attempt.
      if position.failed != nil, screen.row == .codeScanner { return enter(screen.row) }
      return showOnceMore(screen)
    }
    if let before = history.popLast() {
      screen = nil
      return showOnceMore(before)
    }
    screen = nil
    // The history is empty if the step was resumed, or if a lock interrupted its work. Back must
    // still lead somewhere.
    if let target {
      enter(target, position.frames)
    } else if isUnlocked {
      enterHome()
    } else if isBeforeRegistration {
      show()
    } else {
      // This row finds out whether there is a wallet to unlock, or none any more.
      enter(.walletSearch)
    }
  }

  /// Shows an earlier position, or the choice of a PIN if the PIN that it needs is gone.
  private mutating func showOnceMore(_ before: FlowPosition) {
    // The wallet was unlocked while the app was opening, when news of an unlock is ignored.
    if !isUnlocked, isWalletUnlocked, [.unlock, .validatePin].contains(before.row.useCase) {
      return enter(UseCaseTables.firstRow(of: .unlock))
    }
    let choosePin = RowID.choosePin
    let isAboutPin = before.row == .repeatPin || before.row == .pinsDiffer
    if before.row == choosePin || (isAboutPin && chosenPin == nil) {
      return enter(choosePin, before.frames)
    }
    position = before
    show()
  }

  /// Enters the first step of an unlocked wallet when there is nothing to go back to.
  private mutating func enterHome() {
    enter(UseCaseTables.firstRow(of: facts.hasPID ? .cards : .obtainPID))
  }

  /// Ends the flow: the app closes, and the next opening starts anew with a locked wallet.
  private mutating func end() {
    if isUnlocked || isWalletUnlocked { lockWallet() }
    isUnlocked = false
    position = position.map { FlowPosition(row: $0.row, isEnd: true) }
    cutHistory()
    suspended = nil
    pending = nil
    reaction.showsStep = true
  }

  // MARK: Errors

  /// Shows an error step for the row that failed.
  mutating func fail(_ step: ErrorStep, _ row: RowID, _ details: Details) {
    var details = details
    if row.useCase == .obtainPID, case .generic = step { addReference(to: &details) }
    position = FlowPosition(
      row: UseCaseTables.row(of: step), frames: position?.frames ?? [], details: details,
      failed: row)
    show()
  }

  /// Repeats the row that failed, or an earlier one if the PIN that the row needs is gone.
  private mutating func repeatFailed() {
    guard let position, let failed = position.failed else { return }
    switch failed {
    case .pinCheck: endPartialFlow(.retry)
    case .pinPolicy where chosenPin == nil,
      .comparePins where chosenPin == nil,
      .setUpAccount where chosenPin == nil:
      enter(.choosePin)
    case .home: enter(failed)
    // The scanned text was wiped when it could not be read, so the licence is scanned again.
    case .licenceReading: enter(.licenceScanner)
    default: enter(failed, position.frames)
    }
  }

  // MARK: The wallet

  /// Continues with the unlocked wallet (UC2.3 1.5). Returns false if the update policy blocks this
  /// version, or if the wallet was locked again before.
  private mutating func unlock() -> Bool {
    if enterBlock() {
      // The PIN or the scan has already unlocked the wallet, so it is locked again.
      isUnlocked = false
      warningLocksAt = nil
      lockWallet()
      return false
    }
    guard isWalletUnlocked else {
      enterUnlockAfterLock()
      return false
    }
    becomeUnlocked()
    return true
  }

  /// Shows the block (PF1.4) if the last verified policy blocks this version; returns whether it
  /// does.
  mutating func enterBlock() -> Bool {
    guard case .block(let updateAvailable) = facts.versionState else { return false }
    cutHistory()
    enter(updateAvailable ? .versionBlock : .versionBlockWithoutUpdate, [.policyAtLaunch])
    return true
  }

  private mutating func becomeUnlocked() {
    isUnlocked = true
    seenReplacement = nil
    unlockedVersion = facts.lock.version
    attempts.reset()
    chosenPin = nil
    enteredPin = nil
    cutHistory()
  }

  /// Empties the history, so that Back never leads to earlier screens.
  mutating func cutHistory() {
    history = []
    screen = nil
    errorBeneathHelp = nil
  }

  /// Has the runtime lock the wallet.
  mutating func lockWallet() {
    reaction.commands.append(.lock)
    endedVersion = max(endedVersion, facts.lock.version)
  }

  /// Forgets all state of a wallet that was deleted.
  mutating func forgetWallet() {
    isUnlocked = false
    warningLocksAt = nil
    attempts.reset()
    codeAttempts.reset()
    account = nil
    seenReplacement = nil
    chosenPin = nil
    enteredPin = nil
    opensLater = false
    cutHistory()
    suspended = nil
    pending = nil
    reaction.commands.append(.forgetLink)
  }

  /// Resumes the suspended step, or continues as after a launch if there is none.
  mutating func resume() {
    let suspended = suspended
    self.suspended = nil
    guard let suspended, isStillValid(suspended) else {
      return isUnlocked ? enterHome() : enter(.walletSearch)
    }
    if isLapsed(suspended.position) { return restartProofing(suspended.position) }
    screen = suspended.screen
    history = suspended.history
    if case .effect = suspended.position.definition?.kind {
      enter(suspended.position.row, suspended.position.frames)
    } else {
      showOnceMore(suspended.position)
    }
  }

  /// Whether the suspended step is still valid.
  private func isStillValid(_ suspended: SuspendedFlow) -> Bool {
    // If the wallet was registered, deleted or locked meanwhile, other steps follow.
    guard isBeforeRegistration(suspended) != isUnlocked else { return false }
    if suspended.position.isAboutSharing, facts.sharing == nil { return false }
    // Only the replacement that the user was told of can be decided on. After an unlock the
    // dashboard tells of it again.
    if suspended.position.isAboutReplacement {
      return facts.replacement != nil && facts.replacement?.session == seenReplacement
    }
    switch suspended.position.failed ?? suspended.position.row {
    case .card: return facts.hasPID
    default: return true
    }
  }
}
