internal import WalletModel

// The request of a relying party (UC5.1, UC5.2): how long it is needed, and what a lock does to it.

extension Engine {
  /// Whether the request may still be needed; if not, it must be forgotten.
  public var needsSharing: Bool {
    // The request is kept before the row that needs it is entered.
    if pending?.job == .ask(.linkPurpose) || pending?.job == .ask(.codePurpose) { return true }
    return isSharingUnderWay
  }

  /// Whether a step of UC5.1 or UC5.2 is shown, or lies beneath, or will be shown again.
  var isSharingUnderWay: Bool {
    let positions =
      [position, screen, errorBeneathHelp, suspended?.position, suspended?.screen]
      .compactMap { $0 } + history
      + (suspended?.history ?? [])
    return positions.contains { !$0.isEnd && $0.isAboutSharing }
  }

  /// Whether the unlock leads back to a request. A link that came meanwhile is opened after it: it must
  /// not push aside what the user was deciding on, nor the end of what was sent.
  var resumesSharing: Bool {
    guard position?.frames.last?.useCase == .unlock, facts.sharing != nil else { return false }
    return suspended != nil && isSharingUnderWay
  }

  /// Whether the visible step is about the request.
  var isAboutSharing: Bool { position?.isAboutSharing == true }

  /// Who asks, as arguments of a step.
  var party: [StepArgument: Step.Value] {
    guard let party = facts.sharing?.request?.party else { return [:] }
    var arguments: [StepArgument: Step.Value] = [.host: .text(party.host)]
    if let name = party.name { arguments[.organisation] = .text(name) }
    return arguments
  }

  /// What the PIN confirms, as arguments of the step that asks for it.
  var confirmedAct: [StepArgument: Step.Value] {
    switch position?.frames.first?.useCase {
    case .sharing: party.merging([.purpose: .text("share")]) { party, _ in party }
    case .login: party.merging([.purpose: .text("log-in")]) { party, _ in party }
    default: [:]
    }
  }

  func ownArguments(of handOff: HandOff) -> [StepArgument: Step.Value] {
    guard handOff == .openWebsite, let address = facts.sharing?.redirectURI else { return [:] }
    return [.link: .text(address)]
  }

  /// Returns where a lock during the retrieval or the act resumes. The retrieval is repeated. The act
  /// goes on: what was sent cannot be called back, so its end is told after the unlock.
  func keptSharing(_ position: FlowPosition) -> SuspendedFlow? {
    guard case .perform(let effect) = pending?.job else { return nil }
    switch effect {
    case .shareData, .refuseRequest, .dropRequest, .tellVerifier, .retrieveRequest, .retrieveLogin:
      break
    default: return nil
    }
    return SuspendedFlow(position: position, screen: screen, history: [])
  }

  /// Gives the request up: another client has taken over, or a PIN has reached a block.
  mutating func forgetSharing() {
    guard needsSharing else { return }
    let left = [suspended?.position, suspended?.screen].compactMap { $0 }
    if left.contains(where: \.isAboutSharing) { suspended = nil }
    errorBeneathHelp = nil
    reaction.commands.append(.forgetSharing)
  }
}

extension FlowPosition {
  /// Whether it belongs to UC5.1 or UC5.2: a step of these, the PIN that confirms, or an error.
  var isAboutSharing: Bool {
    ([row, failed].compactMap(\.self) + frames).contains {
      $0.useCase == .sharing || $0.useCase == .login
    } || row.useCase == .errors && !isAllowedWhileLocked
  }

  /// Whether the update policy is applied before a confirmed act and not at a launch.
  var isConfirming: Bool { frames.contains { $0.useCase == .confirm } }
}

extension Row {
  /// Whether UC5.1 or UC5.2 is over on this row, so that nothing leads back from it.
  var endsSharing: Bool {
    switch kind {
    case .screen(.sharingDone), .screen(.loginDone), .screen(.sharingStopped): true
    default: false
    }
  }
}
