internal import WalletAccount
internal import WalletModel
internal import WalletPlatform

/// Adds operations to the job queue. Requests and flows can start operations only here, so what
/// precedes and follows an operation is the same for both.
struct Operations: Sendable {
  let context: WalletContext
  let jobs: JobQueue

  /// Adds an operation; never waits.
  ///
  /// - Parameters:
  ///   - body: Carries out the operation. Called while this thread has the turn, and only if the
  ///     gate admits the operation.
  ///   - failed: Called with the gate's error or that of `body`.
  /// - Throws: `outOfResources` if the queue is stopping; then neither `body` nor `failed` is
  ///   called.
  func add(
    _ operation: Operation, cancellation: Cancellation,
    _ body: @escaping @Sendable (WalletSession, JobQueue.Job) throws(WalletError) -> Void,
    failed: @escaping @Sendable (WalletError) -> Void
  ) throws(WalletError) {
    if operation.isWipe {
      // The jobs are cancelled before the lock, so that a job which the lock interrupts can tell
      // that a wipe is the cause.
      jobs.cancelForWipe()
      context.statusLists.cancel()
      context.sharings.removeAll()
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

  /// Called after each job. If the job could reach the provider and the provider was not told yet
  /// how a change of the PIN ended, adds a job that tells it. If that fails, it is tried again
  /// after the next such job and at the next start.
  private func settleChange(after session: WalletSession, _ job: JobQueue.Job) {
    guard job.need == .provider, session.hasOpenPinChange else { return }
    jobs.add(isBackground: true) { $0.settlePinChange($1) }
  }

  /// Called when a valid PIN was answered and its key was derived with too little work. Derives the
  /// key again with more work, and adds a job that replaces the former key at the provider. The PIN
  /// is not kept after this call. If the wallet is locked before that job, or a request comes, the
  /// keys are dropped.
  private func strengthen(_ weakPin: WeakPin, by turn: SessionTurn, _ job: JobQueue.Job) {
    guard context.lock.epoch == job.gate.epoch else { return }
    do {
      let change = try turn.givenAway { try PinKeyChange(strengthening: weakPin) }
      let gate = Gate(conditions: [.unlocked, .wanted], epoch: job.gate.epoch)
      jobs.add(isBackground: true, finishesAnswers: true, gate: gate) {
        $0.changePinKey(change, $1)
      }
    } catch {
      // For example, the device does not have enough memory. The former key stays in force.
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
