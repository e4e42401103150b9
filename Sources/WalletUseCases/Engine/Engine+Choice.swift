public import WalletModel

// Checks a host's choices and applies them.

extension Engine {
  /// Whether a prompt of the operating system is on the display now.
  var promptsUser: Bool {
    if case .perform(let effect) = pending?.job { effect.promptsUser } else { false }
  }

  /// Returns the action of a choice, or why the choice is refused.
  public func choice(
    _ name: String, of serial: UInt64, with input: Step.Input
  ) -> Result<Action, ChoiceRefusal> {
    guard serial == self.serial, isAwaitingChoice else { return .failure(.stale) }
    let chosen = visibleRow?.cases.first { $0.action?.rawValue == name && isOffered($0) }
    guard let action = chosen?.action else {
      return .failure(.notOffered(actions: offeredCases.compactMap { $0.action?.rawValue }))
    }
    let required = requiredInput(action)
    guard required == input else {
      return .failure(required == .none ? .inputNotWanted : .inputWanted(required))
    }
    return .success(action)
  }

  func requiredInput(_ action: Action?) -> Step.Input {
    switch action {
    case .enter: .pin
    case .scanned: .scan
    case .choose: .option
    default: .none
    }
  }

  private var isAwaitingChoice: Bool {
    warningLocksAt != nil || (position != nil && (pending == nil || mayStopWork))
  }

  /// Whether the user may end the pending work.
  private var mayStopWork: Bool {
    guard isSlow, case .perform(let effect) = pending?.job else { return false }
    return effect.mayBeStopped
  }

  /// The row whose cases the visible step offers.
  private var visibleRow: Row? {
    if warningLocksAt != nil { return UseCaseTables.row(.lockWarning) }
    return position?.isEnd == true ? nil : position?.definition
  }

  /// The cases with an action that the visible step offers.
  var offeredCases: [Case] { visibleRow?.cases.filter { isOffered($0) } ?? [] }

  private func isOffered(_ definition: Case) -> Bool {
    guard let action = definition.action else { return false }
    return switch definition.condition {
    case nil: true
    case .biometricsUsable: facts.isBiometricUnlockEnabled && !attempts.isSetAside
    case .biometricsOff: facts.areBiometricsSupported && !facts.isBiometricUnlockEnabled
    case .biometricsOn: facts.isBiometricUnlockEnabled
    case .withoutPID: !facts.hasPID
    case .withPID: facts.hasPID
    case .repeatingHelps: position?.details.repeatingHelps ?? false
    case .somethingBefore: hasSomethingBefore
    case .nothingBefore: !hasSomethingBefore
    case .wipeHelps: position?.details.wipeHelps ?? false
    case .remedy: action == position?.details.failure?.row.primary.action
    case .linkKept: facts.hasEnrolmentLink
    case .replacementWaits: facts.replacement != nil
    case .withWebsite: facts.sharing?.redirectURI != nil
    case .mayStay: facts.sharing?.mustReturn != true
    case .withChoice: facts.sharing?.request?.hasChoice == true
    }
  }

  /// Whether an error step has a screen to go back to.
  private var hasSomethingBefore: Bool {
    screen != nil || position?.failed == .setUpAccount
  }

  /// Returns the case that a choice takes; nil if the input is no choice or belongs to another
  /// step.
  func chosenCase(_ input: FlowInput) -> Case? {
    guard case .chose(let serial, let action, let slot) = input, serial == self.serial,
      isAwaitingChoice,
      // A choice with a PIN has a slot. A choice with a scanned text has none: the runtime keeps
      // the text.
      (slot != nil) == (requiredInput(action) == .pin)
    else { return nil }
    return visibleRow?.cases.first { $0.action == action && isOffered($0) }
  }

  mutating func choose(_ chosen: Case, _ slot: PinSlot?) {
    reaction.commands.append(.noteActivity)
    isTakenOver = false
    if warningLocksAt != nil {
      answerWarning(chosen)
      return
    }
    guard let position else { return }
    if let slot {
      if position.row == .choosePin { chosenPin = slot } else { enteredPin = slot }
    }
    noteProofing(chosen, of: position.row)
    // A choice during work ends the work.
    pending = nil
    follow(chosen, of: position.row)
  }
}
