public import WalletModel

// A wallet on another device, proofed for the same account, may wait to replace this one. The user is
// told of it when the dashboard is shown.

extension Engine {
  /// Leads from the dashboard to the question about a replacement, if the user was not told of it
  /// since the unlock. Returns whether it did.
  mutating func tellsOfReplacement(_ position: FlowPosition) -> Bool {
    guard position.row == .home, isUnlocked, let replacement = facts.replacement,
      replacement.session != seenReplacement,
      let told = position.definition?.firstCase(.event(.replacementTold))
    else { return false }
    follow(told, of: position.row)
    return true
  }
}

extension Engine {
  /// Adds the notice of wrong PINs that were learned without a PIN to the dashboard, which is about
  /// to be shown; returns whether there are any.
  @discardableResult
  mutating func tellOfFailures(at position: FlowPosition) -> Bool {
    guard position.row == .home, isUnlocked, !isInBackground, warningLocksAt == nil,
      let failures = facts.untoldFailures, !reaction.commands.contains(.noteFailuresTold)
    else { return false }
    notices.append(.failedAttempts)
    noticeArguments.merge(failures.arguments) { _, new in new }
    reaction.commands.append(.noteFailuresTold)
    return true
  }
}

extension Engine {
  /// Takes back the notice of wrong PINs unless the wallet is unlocked: whoever holds the locked phone
  /// may be the one who guessed. The next right PIN tells the owner.
  ///
  /// The screen that blocks this version never has the notice, because it stays when the wallet is
  /// locked.
  mutating func withholdFailures() {
    if isUnlocked, let position, !isVersionBlock(position) { return }
    notices.removeAll { $0 == .failedAttempts }
    visibleNotices.removeAll { $0 == .failedAttempts }
    reaction.commands.removeAll { $0 == .noteFailuresTold }
    for argument in [StepArgument.failedAttempts, .lastFailedAt] {
      noticeArguments[argument] = nil
      visibleNoticeArguments[argument] = nil
    }
  }
}

extension PinFailures {
  /// The arguments of the notice.
  public var arguments: [StepArgument: Step.Value] {
    [
      .failedAttempts: .number(Int64(clamping: count)),
      .lastFailedAt: .number(lastAt),
    ]
  }
}

extension FlowPosition {
  /// Whether the position belongs to the decision on a replacement: the question itself, the
  /// request for the PIN that confirms the decision, or a step that says that this PIN was wrong or
  /// its check failed.
  var isAboutReplacement: Bool {
    ([row, failed].compactMap(\.self) + frames).contains { RowID.ofReplacement.contains($0) }
  }

  /// Whether it asks for that PIN, or is a step of it. The question itself asks for none.
  var isPinOfReplacement: Bool { isAboutReplacement && row != .replacement }
}
