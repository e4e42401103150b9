import WalletProvider

/// The simulated verdict set by a test.
struct ControlledVerdict: SimulatedVerdictSource {
  /// Whether the process is killed when this task or a child task vets an identity.
  @TaskLocal static var isArmed = false

  let state: ControlledState

  var current: SimulatedVerdict? {
    let verdict = state.verdict
    if verdict != nil, Self.isArmed { Crash.now() }
    return verdict
  }
}

/// An authoritative source that a test can make unavailable.
struct ControlledSource: AuthoritativeSource {
  let state: ControlledState
  let inner: any AuthoritativeSource

  func match(_ query: AttributeQuery) async -> SourceAnswer {
    if ControlledVerdict.isArmed { Crash.now() }
    guard state.sourceAnswers else { return .unavailable }
    return await inner.match(query)
  }
}
