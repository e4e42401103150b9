internal import WalletModel
internal import WalletPlatform

// The delivery thread. It runs this client's callbacks and releases its contexts, one at a time,
// and no other thread does. So `isInHost` tells whether the host code that was called has returned.

extension Client {
  /// Starts the thread unless it runs. Called with the state's lock held, so that a callback is
  /// installed only if a thread can serve it.
  func startDelivery(_ state: inout ClientState) throws(WalletError) {
    guard state.thread == nil else { return }
    // The start hook of the thread is already host code.
    state.isInHost = hostThreads.hasStartHook
    guard let thread = hostThreads.start("wallet_core.ev", .events, body: deliver) else {
      state.isInHost = false
      throw WalletError(
        .outOfResources,
        "No thread for callbacks could be started; earlier ones may be stuck in host code.")
    }
    state.thread = thread
  }

  @Sendable private func deliver() {
    var done: ClientState.Step?
    while true {
      finish(done)
      let step = state.wait(clock: SystemBootClock()) { state -> ClientState.Step? in
        guard let step = state.nextStep() else { return nil }
        if case .leave = step {} else { state.isInHost = true }
        return step
      }
      switch step {
      case .call(let slot, let event):
        if let event { whenTaken(event) }
        slot.callback.call(slot.context, event)
      case .release(let slot): slot.context.release()
      case .leave, nil:
        state.update { $0.hasLeft = true }
        return
      }
      done = step
    }
  }

  /// Notes that host code has returned.
  private func finish(_ step: ClientState.Step?) {
    let wasLeftBehind = state.update { state in
      state.isInHost = false
      if case .release(let slot) = step { state.releases.removeAll { $0.token == slot.token } }
      return state.isLeftBehind
    }
    if wasLeftBehind { hostThreads.threadReturned() }
  }
}
