import WalletProvider

/// The drill that a test set.
struct ControlledDrill: VettingDrillSource {
  /// Whether the vetting of this task, and of those that it starts, ends the process.
  @TaskLocal static var isArmed = false

  let state: ControlledState

  var current: VettingDrill? {
    let drill = state.drill
    if drill != nil, Self.isArmed { Crash.now() }
    return drill
  }
}

/// An authoritative source that a test may silence.
struct ControlledSource: AuthoritativeSource {
  let state: ControlledState
  let inner: any AuthoritativeSource

  func match(_ query: AttributeQuery) async -> SourceAnswer {
    if ControlledDrill.isArmed { Crash.now() }
    guard state.sourceAnswers else { return .unavailable }
    return await inner.match(query)
  }
}
