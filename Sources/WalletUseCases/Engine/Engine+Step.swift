public import WalletModel

// The visible step, as hosts see it.

extension Engine {
  /// Returns the visible step; nil before the app was opened.
  ///
  /// - Parameter now: The time on the core's clock, from which remaining durations are computed.
  public func visibleStep(now: Int64) -> Step? {
    guard let position else { return nil }
    if let locksAt = warningLocksAt { return warning(locksAt: locksAt, now: now) }
    if position.isEnd { return step(position.row, .end, StepText.end, "end") }
    if let pending { return working(pending, position) }
    switch position.definition?.kind {
    case .screen(let screen):
      return step(position.alternative ?? screen, .screen, at: position, now: now)
    case .prompt(let screen):
      return step(screen, .prompt, at: position, now: now)
    case .handOff(let handOff):
      return step(
        position.row, .handOff, StepText.of(handOff), handOff.rawValue, position,
        ownArguments(of: handOff), now: now)
    case .error(let error):
      let row = position.failed ?? position.row
      return step(
        row, .error, StepText.of(error), error.rawValue, position,
        error == .knownVerifier ? party : [:], now: now)
    case .determination, .effect, .partialFlow, .systemPrompt, .watch, nil:
      return step(position.row, .progress, StepText.working, "working")
    }
  }

  private func working(_ pending: Pending, _ position: FlowPosition) -> Step {
    switch pending.job {
    case .ask: step(position.row, .progress, StepText.working, "working")
    case .perform(let effect) where effect.promptsUser:
      step(
        position.row, .systemPrompt, StepText.of(effect), effect.rawValue, nil,
        effect == .scanBiometrics ? waitingRequest : [:])
    case .perform(let effect) where effect.mayBeStopped:
      step(position.row, .progress, StepText.of(effect), effect.rawValue, position)
    case .perform(let effect): step(position.row, .progress, StepText.of(effect), effect.rawValue)
    }
  }

  private func warning(locksAt: Int64, now: Int64) -> Step {
    let remaining = Details(arguments: [.locksIn: .number(max(0, locksAt &- now))])
    let position = FlowPosition(row: .lockWarning, details: remaining)
    return step(.inactivityWarning, .prompt, at: position, now: now)
  }

  private func step(_ shown: Screen, _ kind: Step.Kind, at position: FlowPosition, now: Int64)
    -> Step
  {
    var step = step(
      position.row, kind, StepText.of(shown), shown.rawValue, position,
      ownArguments(of: shown, now: now), now: now)
    if kind == .prompt, case .screen(let beneath) = screen?.definition?.kind {
      step.beneath = beneath.rawValue
    }
    return step
  }

  /// Returns the arguments that a screen always has, whatever led to it.
  private func ownArguments(of screen: Screen, now: Int64) -> [StepArgument: Step.Value] {
    switch screen {
    case .scanEnrolmentCode, .scanQR: [.symbology: .text("qr-code")]
    case .scanLicence: [.symbology: .text("pdf417")]
    case .dashboard: dashboard
    case .configureBiometrics: [.biometrics: .text(facts.biometrics ?? "any")]
    case .setupDone:
      [.protection: .text(facts.isBiometricUnlockEnabled ? "pin-and-biometrics" : "pin")]
    case .about:
      [
        .appVersion: .text(facts.appVersion), .coreVersion: .text("\(CoreVersion.text)"),
        .configurationVersion: .number(Int64(clamping: facts.configurationVersion)),
      ]
    case .openWithPin:
      (facts.pinBlock?.arguments(now: now) ?? facts.pinAttempts?.arguments ?? [:])
        .merging(pinLength) { _, length in length }
        .merging(waitingRequest) { known, _ in known }
    case .choosePin, .repeatPin, .receiveWithPin, .refuseReplacement, .allowReplacement: pinLength
    case .confirmWithPin: pinLength.merging(confirmedAct) { length, _ in length }
    case .approveSharing, .approveLogin, .sharingDone, .loginDone, .sharingDetails, .requestedData,
      .agreements, .aboutOrganisation, .missingData, .chooseCard, .confirmStop:
      isAboutSharing ? party : [:]
    case .websiteCheck:
      facts.sharing?.request.map { [.host: .text($0.party.host)] } ?? [:]
    case .walletReplacement:
      facts.replacement.map {
        [.takesEffectIn: .number(max(0, $0.takesEffectAt &- now))]
      } ?? [:]
    default: [:]
    }
  }

  private var dashboard: [StepArgument: Step.Value] {
    var arguments: [StepArgument: Step.Value] = [
      .hasPID: .truth(facts.hasPID),
      .isBiometricUnlockEnabled: .truth(facts.isBiometricUnlockEnabled),
    ]
    if let isExpired = facts.isPIDExpired { arguments[.isPIDExpired] = .truth(isExpired) }
    return arguments
  }

  /// What the steps of the unlock tell of a link that waits for it.
  private var waitingRequest: [StepArgument: Step.Value] {
    facts.isRequestWaiting ? [.isRequestWaiting: .truth(true)] : [:]
  }

  private var pinLength: [StepArgument: Step.Value] { [.pinLength: .number(6)] }

  /// Returns the choices in the order of the table, except for those that always come first or
  /// last.
  private func choices(_ offered: [Case], _ name: String) -> [Step.Choice] {
    Action.ordered(offered.compactMap(\.action))
      .map { Step.Choice(action: $0.rawValue, label: StepText.label($0, name)) }
  }

  /// - Parameters:
  ///   - shown: The position whose actions and arguments belong to the step; nil for pending work.
  ///   - own: Further arguments; those of `shown` with the same name win.
  private func step(
    _ row: RowID, _ kind: Step.Kind, _ text: StepText, _ name: String, _ shown: FlowPosition? = nil,
    _ own: [StepArgument: Step.Value] = [:], now: Int64 = 0
  ) -> Step {
    var arguments = shown?.details.arguments ?? [:]
    if let deadline = shown?.details.deadline {
      arguments[row == .replacementWait ? .retryAfter : .blockedFor] =
        .number(max(0, deadline &- now))
    }
    if let failure = shown?.details.failure { arguments[.failure] = .text(failure.rawValue) }
    arguments.merge(own) { known, _ in known }
    arguments.merge(visibleNoticeArguments) { known, _ in known }
    let offered = shown == nil ? [] : offeredCases
    if row.useCase == .obtainPID, offered.contains(where: \.isExit) {
      arguments[.mayCloseApp] = .truth(true)
    }
    let isRowProtected = !((shown ?? position)?.isAllowedWhileLocked ?? true)
    var step = Step(
      serial: serial, useCase: row.useCase.rawValue, row: row.number, kind: kind, name: name,
      title: text.title, message: text.message(arguments), arguments: arguments,
      notices: visibleNotices.map { $0.rawValue },
      input: offered.lazy.map { requiredInput($0.action) }.first { $0 != .none } ?? .none,
      choices: choices(offered, name),
      isProtected: isRowProtected || visibleNotices.contains(.failedAttempts))
    // Steps that are shown while the wallet is locked name no relying party.
    if isRowProtected, shown != nil, kind != .handOff, isAboutSharing {
      step.sharing = facts.sharing?.request
    }
    return step
  }
}
