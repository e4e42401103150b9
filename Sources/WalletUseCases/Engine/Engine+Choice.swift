public import WalletModel

// What a host may choose, and what follows from it.

extension Engine {
  /// Whether the operating system asks the user now.
  var promptsUser: Bool {
    if case .perform(let task) = pending?.job { task.promptsUser } else { false }
  }

  /// The action that a choice is, or why it cannot be taken.
  public func choice(
    _ name: String, of serial: UInt64, with input: Step.Input
  ) -> Result<Action, ChoiceRefusal> {
    guard serial == self.serial, isAwaitingChoice else { return .failure(.stale) }
    let chosen = visibleRow?.cases.first { $0.action?.rawValue == name && isOffered($0) }
    guard let action = chosen?.action else {
      return .failure(.notOffered(actions: offeredCases.compactMap { $0.action?.rawValue }))
    }
    let wanted = wantedInput(action)
    guard wanted == input else {
      return .failure(wanted == .none ? .inputNotWanted : .inputWanted(wanted))
    }
    return .success(action)
  }

  func wantedInput(_ action: Action?) -> Step.Input {
    switch action {
    case .enter: .pin
    case .scanned: .scan
    default: .none
    }
  }

  private var isAwaitingChoice: Bool {
    warningLocksAt != nil || (pending == nil && place != nil)
  }

  /// The row whose cases the visible step offers.
  private var visibleRow: Row? {
    if warningLocksAt != nil { return UseCaseTables.row(RowID(.lock, "1.2")) }
    return place?.isEnd == true ? nil : place?.definition
  }

  /// What the visible step offers: cases with an action.
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
    case .repeatingHelps: place?.details.repeatingHelps ?? false
    case .somethingBefore: hasSomethingBefore
    case .nothingBefore: !hasSomethingBefore
    case .wipeHelps: place?.details.wipeHelps ?? false
    case .remedy: action == place?.details.failure?.row.primary.action
    case .linkKept: facts.hasEnrolmentLink
    }
  }

  /// Whether an error step has a screen to go back to.
  private var hasSomethingBefore: Bool {
    screen != nil || place?.failed == RowID(.setUpPin, "1.5")
  }

  /// The case that a choice takes; nil if it is none, or not one of the visible step.
  func chosenCase(_ event: FlowInput) -> Case? {
    guard case .chose(let serial, let action, let slot) = event, serial == self.serial,
      isAwaitingChoice,
      // A PIN comes in a slot; what was scanned stays with the runtime.
      (slot != nil) == (wantedInput(action) == .pin)
    else { return nil }
    return visibleRow?.cases.first { $0.action == action && isOffered($0) }
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
