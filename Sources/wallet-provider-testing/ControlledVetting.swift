import WalletProvider

/// The drill that a test set.
struct ControlledDrill: VettingDrillSource {
  let state: ControlledState

  var current: VettingDrill? { state.drill }
}

/// An authoritative source that a test may silence.
struct ControlledSource: AuthoritativeSource {
  let state: ControlledState
  let inner: any AuthoritativeSource

  func match(_ query: AttributeQuery) async -> SourceAnswer {
    guard state.sourceAnswers else { return .unavailable }
    return await inner.match(query)
  }
}
