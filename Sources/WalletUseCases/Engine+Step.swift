public import WalletModel

// The visible step, as hosts see it.

extension Engine {
  /// The step that is visible; nil before the app was opened.
  ///
  /// - Parameter now: The core's clock, for durations that run.
  public func visibleStep(now: Int64) -> Step? {
    guard let place else { return nil }
    if let locksAt = warningLocksAt { return warning(locksAt: locksAt, now: now) }
    if place.isEnd { return step(place.row, .end, StepText.end, "end") }
    if let pending { return working(pending, place) }
    switch place.definition?.kind {
    case .screen(let screen):
      let screen = place.alternative ?? screen
      return step(place.row, .screen, StepText.of(screen), screen.rawValue, place, now: now)
    case .prompt(let screen):
      var prompt = step(place.row, .prompt, StepText.of(screen), screen.rawValue, place, now: now)
      prompt.beneath = name(of: self.screen)
      return prompt
    case .handOff(let handOff):
      return step(place.row, .handOff, StepText.of(handOff), handOff.rawValue, place, now: now)
    case .error(let error):
      let row = place.failed ?? place.row
      return step(row, .error, StepText.of(error), error.rawValue, place, now: now)
    case .determination, .effect, .partialFlow, .systemPrompt, .watch, nil:
      return step(place.row, .progress, StepText.working, "working")
    }
  }

  private func working(_ pending: Pending, _ place: Place) -> Step {
    switch pending.job {
    case .ask: step(place.row, .progress, StepText.working, "working")
    case .perform(let task) where task.promptsUser:
      step(place.row, .systemPrompt, StepText.of(task), task.rawValue)
    case .perform(let task): step(place.row, .progress, StepText.of(task), task.rawValue)
    }
  }

  private func warning(locksAt: Int64, now: Int64) -> Step {
    let screen = Screen.inactivityWarning
    let left = Details(arguments: ["locks_in_ms": .number(max(0, locksAt &- now))])
    let place = Place(row: RowID(.lock, "1.2"), details: left)
    var prompt = step(place.row, .prompt, StepText.of(screen), screen.rawValue, place, now: now)
    prompt.beneath = name(of: self.screen)
    return prompt
  }

  private func name(of place: Place?) -> String? {
    if case .screen(let screen) = place?.definition?.kind { screen.rawValue } else { nil }
  }

  /// What a step shows of the wallet, whatever led to it.
  private func ownArguments(of name: String) -> [String: Step.Value] {
    switch Screen(rawValue: name) {
    case .dashboard:
      [
        "has_pid": .truth(facts.hasPID),
        "is_biometric_unlock_enabled": .truth(facts.isBiometricUnlockEnabled),
      ]
    case .configureBiometrics: ["biometrics": .text(facts.biometrics ?? "any")]
    case .setupDone:
      ["protection": .text(facts.isBiometricUnlockEnabled ? "pin-and-biometrics" : "pin")]
    case .about: facts.about
    case .choosePin, .repeatPin, .openWithPin, .confirmWithPin: ["pin_length": .number(6)]
    default: [:]
    }
  }

  /// - Parameter shown: The place whose actions and arguments belong to the step; nil for work.
  private func step(
    _ row: RowID, _ kind: Step.Kind, _ text: StepText, _ name: String, _ shown: Place? = nil,
    now: Int64 = 0
  ) -> Step {
    var arguments = shown?.details.arguments ?? [:]
    if let deadline = shown?.details.deadline {
      arguments["blocked_for_ms"] = .number(max(0, deadline &- now))
    }
    if let failure = shown?.details.failure { arguments["failure"] = .text(failure.rawValue) }
    arguments.merge(ownArguments(of: name)) { known, _ in known }
    let choices = shown == nil ? [] : offeredCases.map { $0.action }
    if shown != nil, offersExit { arguments["may_close_app"] = .truth(true) }
    return Step(
      serial: serial, useCase: row.useCase.rawValue, row: row.number, kind: kind, name: name,
      title: text.title, message: text.message(arguments), arguments: arguments,
      notices: visibleNotices.map { $0.rawValue },
      input: choices.contains(.enter) ? .pin : choices.contains(.scanned) ? .scan : .none,
      choices: choices.map { Step.Choice(action: $0.rawValue, label: StepText.label($0, name)) },
      isProtected: !((shown ?? place)?.isAllowedWhileLocked ?? true))
  }
}
