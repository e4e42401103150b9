internal import WalletAccount
internal import WalletModel
internal import WalletPlatform

/// Adds operations to the job queue. Requests and flows have no other way to them, so what precedes
/// and follows an operation is the same for both.
struct Operations: Sendable {
  let context: WalletContext
  let jobs: JobQueue

  /// Adds an operation; never waits.
  ///
  /// - Parameters:
  ///   - body: Performs it. Not called if the gate refuses it. Runs with the turn.
  ///   - failed: Called with the gate's error or that of `body`.
  /// - Throws: `outOfResources` if the queue is stopping; then neither is called.
  func add(
    _ operation: Operation, cancellation: Cancellation,
    _ body: @escaping @Sendable (WalletSession, JobQueue.Job) throws(WalletError) -> Void,
    failed: @escaping @Sendable (WalletError) -> Void
  ) throws(WalletError) {
    if operation.isWipe {
      // The jobs are cancelled before the lock, so that a job which the lock interrupts can tell
      // that a wipe is the cause.
      jobs.cancelForWipe()
      context.lock.lock()
    }
    let gate = Gate(conditions: operation.conditions, epoch: context.lock.epoch)
    if operation.checksPin { context.prompts.cancelAll() }
    if operation.prompts { context.prompts.expect(cancellation, since: gate.epoch) }
    let isAdded = jobs.add(
      needs: operation.need, order: operation.order, cancellation: cancellation,
      isWipe: operation.isWipe, gate: gate
    ) { session, job in
      do throws(WalletError) {
        try session.admit(job)
        try body(session, job)
      } catch {
        context.log.failure(of: operation, error)
        failed(error)
      }
      context.prompts.forget(cancellation)
      settleChange(after: session, job)
      if let weakPin = session.takeWeakPin() { strengthen(weakPin, by: session.turn, job) }
    }
    guard isAdded else {
      context.prompts.forget(cancellation)
      throw WalletError(.outOfResources, "The wallet is shutting down.")
    }
  }

  /// After each job that may ask the provider: tells it how a change of the PIN ended, if that is
  /// still open. A failure is tried again after the next such job and at the next start.
  private func settleChange(after session: WalletSession, _ job: JobQueue.Job) {
    guard job.need == .provider, session.hasOpenPinChange else { return }
    jobs.add(isBackground: true) { $0.settlePinChange($1) }
  }

  /// After a valid PIN was answered: derives its key again with more work and replaces the former
  /// key at the provider. The PIN is not kept after this call, and the keys are dropped if the
  /// wallet locks first.
  private func strengthen(_ weakPin: WeakPin, by turn: SessionTurn, _ job: JobQueue.Job) {
    guard context.lock.epoch == job.gate.epoch else { return }
    do {
      let change = try turn.givenAway { try PinKeyChange(strengthening: weakPin) }
      let gate = Gate(conditions: .unlocked, epoch: job.gate.epoch)
      jobs.add(isBackground: true, gate: gate) { $0.changePinKey(change, $1) }
    } catch {
      // For example on a device without enough memory. The key stays as it is.
      context.log(.info, "account", "The PIN key could not be derived with more work.")
    }
  }
}

extension Log {
  /// Says why an operation failed.
  func failure(of operation: Operation, _ error: WalletError) {
    self(
      .debug, operation.asker.rawValue, "\(operation.name) ended with \(error.kind.statusName).")
  }
}
