internal import WalletModel

// Another wallet that waits to take the place of this one: the owner is told on the dashboard.

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

extension FlowPosition {
  /// Whether the position asks about a replacement or for the PIN of the decision, or is a step of
  /// that PIN: a wrong one, or a failure.
  var isAboutReplacement: Bool {
    ([row, failed].compactMap(\.self) + frames).contains { RowID.ofReplacement.contains($0) }
  }

  /// Whether it asks for that PIN, or is a step of it. The question itself asks for none.
  var isPinOfReplacement: Bool { isAboutReplacement && row != .replacement }
}
