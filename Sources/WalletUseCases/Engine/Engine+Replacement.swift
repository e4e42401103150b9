public import WalletModel

// What the owner is told on the dashboard, besides the answer to a PIN: another wallet that waits to
// take the place of this one, and wrong PINs.

extension Engine {
  /// Leads from the dashboard to a replacement that the user was not told of since the unlock;
  /// returns whether it did.
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
    guard position.row == .home, isUnlocked, warningLocksAt == nil,
      let failures = facts.untoldFailures, !reaction.commands.contains(.noteFailuresTold)
    else { return false }
    notices.append(.failedAttempts)
    noticeArguments.merge(failures.arguments) { _, new in new }
    reaction.commands.append(.noteFailuresTold)
    return true
  }
}

extension PinFailures {
  /// The arguments of the notice.
  public var arguments: [String: Step.Value] {
    [
      "failed_attempts": .number(Int64(clamping: count)),
      "last_failed_at": .number(lastAt),
    ]
  }
}

extension FlowPosition {
  /// Whether the position asks about a replacement or for the PIN of the decision, or is a step of
  /// that PIN: a wrong one, or a failure.
  var isAboutReplacement: Bool {
    ([row, failed].compactMap(\.self) + frames).contains { RowID.ofReplacement.contains($0) }
  }
}
