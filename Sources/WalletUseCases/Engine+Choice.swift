public import WalletModel

// What a host may choose, and what follows from it.

extension Engine {
  /// Whether the operating system asks the user now.
  var promptsUser: Bool {
    if case .perform(let task) = pending?.job { task.promptsUser } else { false }
  }

  /// Why a choice cannot be taken; nil if it can.
  public func refusal(
    of serial: UInt64, _ action: String, _ input: Step.Input
  ) -> ChoiceRefusal? {
    guard serial == self.serial, isAwaitingChoice else { return .stale }
    let offered = offeredCases.map { $0.action.rawValue }
    guard offered.contains(action) else { return .notOffered(actions: offered) }
    let wanted = wantedInput(Action(rawValue: action))
    guard wanted == input else {
      return wanted == .none ? .inputNotWanted : .inputWanted(wanted)
    }
    return nil
  }

  private func wantedInput(_ action: Action?) -> Step.Input {
    switch action {
    case .enter: .pin
    case .scanned: .scan
    default: .none
    }
  }

  private var isAwaitingChoice: Bool {
    warningLocksAt != nil || (pending == nil && place != nil)
  }

  /// The row that the visible step is of.
  var visibleRow: Row? {
    warningLocksAt == nil ? place?.definition : RuleBook.row(RowID(.lock, "1.2"))
  }

  /// What the visible step offers.
  var offeredCases: [(action: Action, definition: Case)] {
    guard place?.isEnd != true || warningLocksAt != nil else { return [] }
    return (visibleRow?.cases ?? []).compactMap { definition in
      guard case .action(let action) = definition.trigger, isOffered(definition) else {
        return nil
      }
      return (action, definition)
    }
  }

  /// Whether a choice leaves the identity proofing, for which a host may close the app instead.
  var offersExit: Bool {
    offeredCases.contains { [.exit, .stop].contains($0.action) && $0.definition.leavesProofing }
  }

  private func isOffered(_ definition: Case) -> Bool {
    switch definition.condition {
    case nil: true
    case .biometricsUsable: facts.isBiometricUnlockEnabled && !attempts.isSetAside
    case .biometricsOff: facts.areBiometricsSupported && !facts.isBiometricUnlockEnabled
    case .biometricsOn: facts.isBiometricUnlockEnabled
    case .withoutPID: !facts.hasPID
    case .withPID: facts.hasPID
    case .repeatingHelps: place?.details.repeatingHelps ?? false
    case .somethingBefore: hasSomethingBefore
    case .nothingBefore: !hasSomethingBefore
    case .wipeHelps: place?.details.wipeHelps ?? false
    case .remedy: definition.trigger == remedy
    case .linkKept: facts.hasEnrolmentLink
    }
  }

  /// The button that the error table has for what failed.
  private var remedy: Case.Trigger? {
    (place?.details.failure?.row.primary.action).map { .action($0) }
  }

  /// Whether an error step has a screen to go back to.
  private var hasSomethingBefore: Bool {
    screen != nil || place?.failed == RowID(.setUpPin, "1.5")
  }

  /// The case that a choice takes; nil if it is none, or not one of the visible step.
  func chosenCase(_ event: Event) -> Case? {
    guard case .chose(let serial, let action, let slot) = event else { return nil }
    // A PIN comes in a slot; what was scanned stays with the runtime.
    let input: Step.Input =
      slot != nil ? .pin : wantedInput(action) == .pin ? .none : wantedInput(action)
    guard refusal(of: serial, action.rawValue, input) == nil else { return nil }
    return offeredCases.first { $0.action == action }?.definition
  }

  mutating func choose(_ chosen: Case, _ slot: PinSlot?) {
    reaction.commands.append(.noteActivity)
    if warningLocksAt != nil {
      answerWarning(chosen)
      return
    }
    guard let place else { return }
    if let slot {
      if place.row == RowID(.setUpPin, "1.1") { chosenPin = slot } else { enteredPin = slot }
    }
    noteProofing(chosen, of: place.row)
    follow(chosen, of: place.row)
  }
}
