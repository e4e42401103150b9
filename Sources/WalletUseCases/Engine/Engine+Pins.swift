// Which PINs are still needed.

extension Engine {
  /// PINs that nothing waits for any more are wiped; screens that need them are left behind.
  mutating func forgetPins() {
    guard let place else { return }
    let used = pending?.slots ?? []
    if let pin = chosenPin, !used.contains(pin), !isRepetitionDue(place) { chosenPin = nil }
    if let pin = enteredPin, !used.contains(pin) { enteredPin = nil }
    if chosenPin == nil { history.removeAll { $0.row == RowID(.setUpPin, "1.3") } }
  }

  /// Whether the chosen PIN is still needed where the walk stands, or where it will resume.
  private func isRepetitionDue(_ place: FlowPosition) -> Bool {
    if isRepetitionDue(SuspendedFlow(place: place, screen: screen, history: history)) { return true }
    guard place.row.useCase == .openApp, pending != nil, let left else { return false }
    return isRepetitionDue(left)
  }

  private func isRepetitionDue(_ left: SuspendedFlow) -> Bool {
    let repeatPin = RowID(.setUpPin, "1.3")
    let place = left.place
    if place.row == repeatPin || place.row == RowID(.setUpPin, "3.1") { return true }
    if place.failed == RowID(.setUpPin, "1.5") { return true }
    return place.row.useCase == .about
      && (left.screen?.row == repeatPin || left.history.contains { $0.row == repeatPin })
  }
}
