import WalletProvider

/// The simulated verdict set by a test.
struct ControlledVerdict: SimulatedVerdictSource {
  /// Whether vetting in this task and its child tasks ends the process.
  @TaskLocal static var isArmed = false

  let state: ControlledState

  var current: SimulatedVerdict? {
    let verdict = state.verdict
    if verdict != nil, Self.isArmed { Crash.now() }
    return verdict
  }
}

/// An authoritative source that a test may silence.
struct ControlledSource: AuthoritativeSource {
  let state: ControlledState
  let inner: any AuthoritativeSource

  func match(_ query: AttributeQuery) async -> SourceAnswer {
    if ControlledVerdict.isArmed { Crash.now() }
    guard state.sourceAnswers else { return .unavailable }
    return await inner.match(query)
  }
}
