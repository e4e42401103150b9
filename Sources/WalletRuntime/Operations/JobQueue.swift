internal import WalletModel
internal import WalletPlatform

/// The two threads that do the wallet's slow work, so that callers of the core never wait.
///
/// One does what may ask the provider, the other what needs only this device, so that local work
/// never waits for the network. Each does its jobs one after another in the order of
/// arrival, and `Order` says which jobs of one thread wait for those of the other. The two share one
/// wallet: only the thread that has the turn uses it, see `SessionTurn`.
final class JobQueue: Sendable {
  /// What a job needs.
  enum Need: Sendable {
    /// The provider, or to open, create or delete the storage.
    case provider
    /// Only the open storage and the bridges. No two such jobs run at the same time.
    case device
  }

  /// Which earlier jobs of the other thread a job waits for.
  enum Order: Sendable {
    /// None. On the thread for this device, the job may also overtake a change of biometric unlock
    /// that has to wait.
    case free
    /// None. On its own thread the job does not overtake a change of biometric unlock.
    case usesBiometrics
    /// Those that change biometric unlock, because this one changes it too.
    case changesBiometrics
    /// All; and later jobs wait for this one.
    case alone
  }

  /// A job and its cancellations.
  struct Job: Sendable {
    /// The cancellation of the request; heeded until the point of no return.
    let cancellation: Cancellation
    /// Heeded at any time.
    let abort: Cancellation
    let need: Need
    let order: Order
    /// Whether this is background work, which a request interrupts.
    let isBackground: Bool
    /// Whether a request that interrupts it lets it wait for an answer that it has asked for, and other
    /// background work does not interrupt it.
    var finishesAnswers = false
    /// Whether it keeps its place among requests without interrupting background work.
    var waitsForBackground = false
    /// Whether this is a wipe, which another wipe does not cancel.
    let isWipe: Bool
    /// What must hold for the operation; nothing for background work.
    var gate = Gate()
    let body: @Sendable (WalletSession, Job) -> Void

    /// The same job for steps that are completed whatever happened to the request.
    var uncancelled: Job {
      Job(
        cancellation: Cancellation(), abort: abort, need: need, order: order,
        isBackground: isBackground, isWipe: isWipe, body: body)
    }

    func cancel() {
      cancellation.cancel()
      abort.cancel()
    }

    /// What a request does that would wait for this background work.
    func interrupt() {
      cancellation.cancel()
      if !finishesAnswers { abort.cancel() }
    }
  }

  private let state = Monitor(JobSchedule())
  /// Whether each thread was woken. A thread sleeps at a monitor of its own, so that no job wakes the
  /// thread that cannot start it.
  private let wakeUps = (provider: Monitor(false), device: Monitor(false))
  private let threads = Monitor<[NamedThread]>([])
  private let clock: any BootClock
  /// Taken for each job; its session gives it away while the job waits.
  let turn: SessionTurn

  init(clock: any BootClock) {
    self.clock = clock
    turn = SessionTurn(clock: clock)
  }

  /// Starts the threads. `makeSession` runs on each of them, and the session never leaves it.
  func start(
    _ makeSession: @escaping @Sendable (JobThread) -> WalletSession
  ) throws(WalletError) {
    for thread in JobThread.allCases {
      let started = NamedThread(thread.name, signals: .blocked) {
        let session = makeSession(thread)
        while let job = self.next(thread) {
          self.turn.take()
          job.body(session, job)
          self.turn.give()
        }
      }
      guard let started else {
        shutDown()
        throw WalletError(.outOfResources, "The system could not start the wallet's threads.")
      }
      threads.withLock { $0.append(started) }
    }
  }

  /// Adds a job. Returns false once the queue is stopping.
  ///
  /// - Parameters:
  ///   - isBackground: Whether a request may interrupt the job.
  ///   - finishesAnswers: Whether it then still waits for an answer that it has asked for.
  ///   - waitsForBackground: Whether it interrupts no background work, although it is none.
  @discardableResult
  func add(
    needs need: Need = .provider, order: Order = .free,
    cancellation: Cancellation = Cancellation(), isBackground: Bool = false,
    finishesAnswers: Bool = false, waitsForBackground: Bool = false, isWipe: Bool = false,
    gate: Gate = Gate(),
    _ body: @escaping @Sendable (WalletSession, Job) -> Void
  ) -> Bool {
    let job = Job(
      cancellation: cancellation, abort: Cancellation(), need: need, order: order,
      isBackground: isBackground, finishesAnswers: finishesAnswers,
      waitsForBackground: waitsForBackground, isWipe: isWipe, gate: gate, body: body)
    let (isAdded, interrupted) = change { $0.add(job) }
    for background in interrupted { background.interrupt() }
    return isAdded
  }

  /// Adds background work that is done again after a request has interrupted it.
  func addUntilDone(
    needs need: Need = .provider, _ body: @escaping @Sendable (WalletSession, Job) -> Void
  ) {
    addRepeated(needs: need) { session, job in
      body(session, job)
      return !job.cancellation.isCancelled
    }
  }

  /// Adds background work that is done again until `body` returns that it is done.
  func addRepeated(
    needs need: Need = .provider,
    _ body: @escaping @Sendable (WalletSession, Job) -> Bool
  ) {
    add(needs: need, isBackground: true) { [weak self] session, job in
      if !body(session, job) { self?.addRepeated(needs: need, body) }
    }
  }

  /// Notes whether the store is open. Until it is, the thread that can open it does every job.
  func noteStore(isOpen: Bool) { change { $0.isStoreOpen = isOpen } }

  /// Cancels the running jobs and all waiting jobs, except wipes. Each still runs, and ends soon.
  func cancelForWipe() {
    for job in state.withLock({ $0.jobs }) where !job.isWipe { job.cancel() }
  }

  /// Cancels all jobs and ends the threads once they have run; returns when they have ended.
  func shutDown() {
    change { $0.isStopping = true }
    for job in state.withLock({ $0.jobs }) { job.cancel() }
    let threads = threads.withLock { current in
      defer { current = [] }
      return current
    }
    for thread in threads { thread.join() }
  }

  /// Changes the schedule and wakes the threads that can start something then.
  private func change<Result>(_ body: (inout JobSchedule) -> Result) -> Result {
    let (result, woken) = state.withLock { (body(&$0), $0.takeThreadsToWake()) }
    for thread in woken { wakeUp(of: thread).update { $0 = true } }
    return result
  }

  private func wakeUp(of thread: JobThread) -> Monitor<Bool> {
    thread == .provider ? wakeUps.provider : wakeUps.device
  }

  /// What a thread does next.
  private enum Next {
    case begin(Job)
    case sleep
    case end
  }

  /// Ends the job of this thread, if there is one, and returns the next one; nil at the end.
  private func next(_ thread: JobThread) -> Job? {
    while true {
      let next = change { state -> Next in
        state.running[thread] = nil
        if let job = state.takeNext(for: thread) { return .begin(job) }
        if state.isOver(for: thread) { return .end }
        state.sleep(thread)
        return .sleep
      }
      switch next {
      case .begin(let job): return job
      case .end: return nil
      case .sleep:
        _ = wakeUp(of: thread).wait(clock: clock) { isWoken -> Bool? in
          defer { isWoken = false }
          return isWoken ? true : nil
        }
      }
    }
  }
}
