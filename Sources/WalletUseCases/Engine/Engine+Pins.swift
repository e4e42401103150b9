// The release of PINs that are no longer needed.

extension Engine {
  /// Releases PINs that neither pending work nor a later step needs, and removes screens that need
  /// a released PIN from the history.
  mutating func forgetPins() {
    guard let position else { return }
    let used = pending?.slots ?? []
    if let pin = chosenPin, !used.contains(pin), !isRepetitionDue(position) { chosenPin = nil }
    if let pin = enteredPin, !used.contains(pin) { enteredPin = nil }
    if chosenPin == nil { history.removeAll { $0.row == .repeatPin } }
  }

  /// Whether the chosen PIN is still needed at the current position, or where the flow will resume.
  private func isRepetitionDue(_ position: FlowPosition) -> Bool {
    if isRepetitionDue(SuspendedFlow(position: position, screen: screen, history: history)) {
      return true
    }
    guard position.row.useCase == .openApp, pending != nil, let suspended else { return false }
    return isRepetitionDue(suspended)
  }

  private func isRepetitionDue(_ suspended: SuspendedFlow) -> Bool {
    let repeatPin = RowID.repeatPin
    let position = suspended.position
    if position.row == repeatPin || position.row == .pinsDiffer { return true }
    if position.failed == .setUpAccount { return true }
    return position.row.useCase == .about
      && (suspended.screen?.row == repeatPin || suspended.history.contains { $0.row == repeatPin })
  }
}
