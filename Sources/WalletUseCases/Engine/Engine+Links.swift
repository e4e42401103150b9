internal import WalletModel

// Links: which steps they do not interrupt, and where an enrolment link leads without a PID.

extension Engine {
  /// Keeps a link that must not interrupt the visible step; returns false if it may be opened now.
  /// The step keeps its serial, so that a link from another app cannot make the user's tap stale,
  /// except where the user has to be told of it once.
  mutating func keepLink() -> Bool {
    guard isOpen, let position, linkHasToWait(at: position) else { return false }
    // A locked wallet looks for links when it is unlocked, and a launch does so itself.
    if isUnlocked || isBeforeRegistration {
      opensLater = true
    } else {
      tellOfRequest(at: position)
    }
    return true
  }

  /// Shows the step of the unlock once more if it does not tell yet that a request waits. After that
  /// it is not shown again for a link, so that other apps cannot make one tap after another stale.
  private mutating func tellOfRequest(at position: FlowPosition) {
    guard facts.isRequestWaiting, !shownFacts.isRequestWaiting else { return }
    switch (position.definition?.kind, pending?.job) {
    case (.screen(.openWithPin), nil), (_, .perform(.scanBiometrics)): showAgain()
    default: break
    }
  }

  /// Repeats an opening that had to wait, before a host sees the new step. A locked wallet needs no
  /// repetition.
  mutating func openAtLast() {
    guard opensLater, let position else { return }
    guard isUnlocked || isBeforeRegistration else {
      opensLater = false
      return
    }
    guard !linkHasToWait(at: position) else { return }
    opensLater = false
    reaction.showsStep = false
    enterSection3()
  }

  private func linkHasToWait(at position: FlowPosition) -> Bool {
    guard mayEnterSection3(position) else { return true }
    if isVersionBlock(position) { return false }
    if isBeforeRegistration { return (position.failed ?? position.row).useCase == .setUpPin }
    return !isUnlocked || isForThisStep(position)
  }

  /// Whether an unlocked wallet finishes this step before it opens a link: the PIN that confirms
  /// biometrics, decides on a replacement or receives the PID, a request of a relying party, and a
  /// hand-off, which the host has already begun. Help can be left at any time.
  private func isForThisStep(_ position: FlowPosition) -> Bool {
    if position.awaitsPinForBiometrics || position.isPinOfReplacement || position.awaitsPinForPID {
      return true
    }
    // One request after another: a new link does not push aside what the user is deciding on, nor the
    // return to the website.
    if position.isAboutSharing || isSharingUnderWay { return true }
    guard case .handOff(let handOff) = position.definition?.kind else { return false }
    return handOff != .help
  }

  /// Whether the app has returned to a step that a link does not interrupt.
  var returnsToItsStep: Bool {
    guard position?.frames.last?.useCase == .openApp, let suspended else { return false }
    return isForThisStep(suspended.position)
  }

  /// Returns the outcome of the question for a PID, corrected by what only the engine knows:
  /// whether another step comes before the identity proofing that an enrolment link opens.
  func refinedByLink(_ outcome: Outcome, _ details: inout Details) -> Outcome {
    guard outcome == .noButLinkKept else { return outcome }
    let left = suspended?.position
    let goesFirst = left.map { $0.row.useCase == .setUpPin || isForThisStep($0) } ?? false
    guard goesFirst || isProofingUnderWay else { return outcome }
    if !details.notices.contains(.flowInProgress) { details.notices.append(.linkKept) }
    return .no
  }
}
