internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
public import WalletModel
public import WalletPlatform
internal import WalletUseCases
internal import WalletProtocol
internal import WalletStorage
internal import WalletTransport

/// One wallet at work.
///
/// Whoever calls it never waits: slow work is done by one worker, in order; locking and the streams
/// stand beside it.
public final class Wallet: Sendable {
  private static let patience: Milliseconds = 10_000

  private let context: WalletContext
  private let jobs: JobQueue
  let flows: Flows

  /// Starts the wallet: reads the embedded configuration, opens the storage where its path is
  /// known, starts the worker. Needs neither network nor bridges.
  ///
  /// - Throws: `invalidArgument`: the app version; `configurationInvalid`, `storageUnavailable`,
  ///   `storageInUse`, `outOfResources`.
  public init(
    settings: WalletSettings, platform: any PlatformBridges, world: SystemEnvironment, log: Log,
    observer: any WalletObserver
  ) throws(WalletError) {
    guard let appVersion = AppVersion(settings.appVersion) else {
      throw WalletError(
        .invalidArgument, "app_version must start with three numbers, such as 1.4.2.")
    }
    let anchor = try TrustAnchor(
      document: settings.embeddedConfiguration,
      pinnedKeys: settings.configurationKeys.map { ($0.id, $0.publicKey) })
    let configuration = ConfigurationRepository(
      anchor: anchor, log: log, onChange: { observer.configurationChanged($0) })
    let updatePolicy = UpdatePolicyRepository(
      anchor: anchor, appVersion: appVersion, world: world, log: log,
      onChange: { observer.versionStateChanged($0) })
    let makeTransport: @Sendable () -> any Transport = {
      CurlTransport(
        address: anchor.address, certificateAuthority: anchor.certificateAuthority, world: world)
    }
    let prompts = PromptRegistry()
    // The lock is there before the flows that hear of it.
    let flowsOfLock = Monitor<Flows?>(nil)
    context = WalletContext(
      platform: platform, world: world, log: log, configuration: configuration,
      updatePolicy: updatePolicy,
      refresher: ConfigurationRefresher(
        repository: configuration, updatePolicy: updatePolicy, clock: world.clock, log: log,
        makeTransport: makeTransport),
      lock: WalletLock(
        clock: world.clock, limits: { configuration.read { LockTimer.Limits($0) } },
        onChange: { state, cause in
          observer.lockStateChanged(state)
          flowsOfLock.withLock({ $0 })?.note(state, cause)
        },
        onLock: { prompts.cancelAll() },
        onBackgroundTimeout: { flowsOfLock.withLock({ $0 })?.post(.backgroundTimeout) }),
      storage: StorageStatus(), prompts: prompts)
    let jobs = JobQueue(clock: world.clock)
    self.jobs = jobs
    let flows = Flows(
      context: context, jobs: jobs, settings: settings, show: { observer.stepShown($0) })
    self.flows = flows
    if !Secret.pagesCanBeLocked() {
      log(.warning, "crypto", "The system does not lock memory pages; secrets may reach the swap.")
    }
    let directory: StorageDirectory?
    if let path = settings.storagePath {
      directory = try context.storage.open(path: path, world: world)
    } else {
      directory = nil
    }
    do {
      try context.lock.start()
      try flows.start()
      try jobs.start { [context] in WalletSession(context: context, transport: makeTransport()) }
    } catch {
      context.lock.shutDown()
      flows.shutDown()
      context.storage.release()
      throw error
    }
    flowsOfLock.withLock { $0 = flows }
    if let directory { context.settle(in: directory) }
    if platform.areReady { platformIsReady() }
  }

  /// The lock state and its version.
  public var lockState: Versioned<LockState> {
    context.lock.settle()
    return context.lock.current
  }

  /// Whether it is locked at this moment; does nothing else, so that it may be asked with a lock held.
  public var isLocked: Bool { context.lock.current.value.isLocked }

  /// The configuration that hosts see, and its version.
  public var configuration: Versioned<HostConfiguration> {
    context.configuration.hostConfiguration
  }

  /// What the update policy says of this app version, and its version.
  public var versionState: Versioned<VersionState> { context.updatePolicy.current }

  /// Takes in what the host tells of the app's life.
  public func note(_ event: LifecycleEvent) {
    context.lock.note(event)
    switch event {
    case .background:
      // The flows first, so that they never take the end of a prompt for the platform's word.
      flows.post(.background)
      context.prompts.cancelAll()
    case .foreground: flows.post(.foreground)
    case .userActivity: flows.post(.userActivity)
    }
  }

  /// Does what is due by time: locks a wallet that was suspended past its deadline. For the entry
  /// of every call; never waits.
  public func settle() { context.lock.settle() }

  /// Whether a wallet with a PIN is stored. Waits up to 10 s for the storage path.
  public func hasRegistration() throws(WalletError) -> Bool {
    if case .failed = context.storage.registration {
      // What stood in the way may be gone: a full disk, a missing directory.
      context.storage.setRegistration(.unknown)
      lookAtStorageAgain()
    }
    let deadline = world.clock.now() + Self.patience
    switch context.storage.waitForRegistration(until: deadline, clock: world.clock) {
    case .known(let isRegistered): return isRegistered
    case .failed(let error): throw error
    case .unknown, nil: throw BridgeFailure.notReady.walletError("get the storage path")
    }
  }

  /// Whether biometrics open the wallet. Never waits.
  ///
  /// - Throws: `platformNotReady` while the storage path is not known; why the storage cannot be read.
  public func isBiometricUnlockEnabled() throws(WalletError) -> Bool {
    switch context.storage.registration {
    case .known: return context.storage.isBiometricUnlockEnabled
    case .failed(let error): throw error
    case .unknown: throw BridgeFailure.notReady.walletError("get the storage path")
    }
  }

  private var world: SystemEnvironment { context.world }

  /// Locks; never waits.
  public func lock() {
    // The flows first, so that a prompt which the lock closes is not taken for one that was cancelled.
    flows.post(.lockRequested)
    context.lock.lock()
    flows.settle()
  }

  /// Whether a PIN fits the local policy.
  public static func validate(_ pin: UnsafeRawBufferPointer) -> PinVerdict {
    PinPolicy.verdict(on: pin)
  }

  /// Starts a request; never waits. `completion` is called exactly once, on a thread of the core,
  /// unless this throws.
  ///
  /// - Throws: `pinRefused`: a new PIN that does not fit the policy, or is the former one;
  ///   `versionBlocked`: the update policy blocks this app version (what only takes away is allowed
  ///   all the same); `locked`: for what only an unlocked wallet can do; `outOfResources`: the core is
  ///   ending.
  public func start(
    _ request: WalletRequest, cancellation: Cancellation,
    completion: @escaping @Sendable (WalletOutcome) -> Void
  ) throws(WalletError) {
    switch request {
    case .register(let pin): try Self.requireFit(pin)
    case .changePin(let pin, to: let newPin):
      try Self.requireFit(newPin)
      guard !newPin.secret.isEqual(to: pin.secret) else {
        throw WalletError(
          .pinRefused, "The new PIN is the one that is to be changed.",
          data: ["reason": .text("unchanged")])
      }
    default: break
    }
    if case .wipe = request {
      // In this order: whoever a lock interrupts sees that a wipe is why.
      jobs.cancelAll()
      context.lock.lock()
    }
    if request.needsAllowedVersion { try context.requireAllowedVersion() }
    let epoch = context.lock.epoch
    if request.needsUnlocked, lockState.value.isLocked { throw WalletSession.locked }
    let prompts = context.prompts
    if request.prompts { prompts.expect(cancellation) }
    let isAdded = jobs.add(cancellation: cancellation) { [self] session, job in
      var weakPin: WeakPin?
      let outcome = session.carryOut(request, since: epoch, job, weakPin: &weakPin)
      if hasTakenEffect(request, outcome) { flows.note(request) }
      prompts.forget(cancellation)
      completion(outcome)
      makeUpForTheLook()
      flows.maintenance.settleChange(after: session)
      if let weakPin { flows.maintenance.strengthen(weakPin, since: epoch) }
    }
    guard isAdded else {
      prompts.forget(cancellation)
      throw WalletError(.outOfResources, "The wallet is ending.")
    }
  }

  /// Whether the flows have to hear of a request: also where a wallet was made or deleted and something
  /// failed after that, such as the deletion of a platform key.
  private func hasTakenEffect(_ request: WalletRequest, _ outcome: WalletOutcome) -> Bool {
    switch (request, outcome, context.storage.registration) {
    case (_, .success, _), (.register, _, .known(true)), (.wipe, _, .known(false)): true
    default: false
    }
  }

  private static func requireFit(_ pin: Pin) throws(WalletError) {
    let verdict = pin.secret.withBytes { PinPolicy.verdict(on: $0) }
    guard verdict == .accepted else {
      throw WalletError(
        .pinRefused, "The PIN does not fit the policy.", data: ["reason": .text(verdict.rawValue)])
    }
  }

  /// Tells that bridges were handed over: what waited for them is done now. May be told twice; a
  /// background call that an earlier word of it began gives way.
  public func platformIsReady() {
    jobs.add(isBackground: true) { [jobs] session, job in
      do throws(WalletError) {
        _ = try session.directory(job)
      } catch {
        Self.note(error, in: session)
        return
      }
      session.confirmInBackground(job)
      if session.hasOpenPinChange { session.settlePinChange(job) }
      session.deleteOrphansInBackground(job)
      if job.cancellation.isCancelled {
        Self.deleteOrphansAgain(by: jobs, after: session.orphanTries)
      }
    }
  }

  /// Behind those whom it made way for: an app that is opened right after its start, as most are, would
  /// otherwise never come to it. If one of them was a wipe that tried meanwhile, that was the try.
  private static func deleteOrphansAgain(by jobs: JobQueue, after tries: Int) {
    jobs.add(isBackground: true) { session, job in
      guard session.orphanTries == tries else { return }
      session.deleteOrphansInBackground(job)
      if job.cancellation.isCancelled { deleteOrphansAgain(by: jobs, after: tries) }
    }
  }

  /// Remembers why the storage could not be looked at, unless the look only made way for a request,
  /// which will look itself.
  private static func note(_ error: WalletError, in session: WalletSession) {
    guard error.kind != .cancelled else { return }
    session.context.storage.setRegistration(.failed(error))
  }

  /// A request takes the place of the look at the storage. If it ended without one, by being
  /// cancelled, say, the look is still owed to whoever asks for the registration.
  private func makeUpForTheLook() {
    guard case .unknown = context.storage.registration, context.platform.areReady else { return }
    platformIsReady()
  }

  private func lookAtStorageAgain() {
    jobs.add(isBackground: true) { session, job in
      do throws(WalletError) {
        _ = try session.directory(job)
        session.close()
        session.context.storage.inspectAgain()
      } catch {
        Self.note(error, in: session)
      }
    }
  }

  /// Ends the wallet's threads and releases the storage path; for tests.
  public func shutDown() {
    context.lock.lock()
    context.refresher.shutDown()
    context.lock.shutDown()
    flows.shutDown()
    jobs.shutDown()
    context.storage.release()
  }
}

extension LockTimer.Limits {
  /// The times of `configuration`.
  fileprivate init(_ configuration: ConfigurationClaims) {
    self.init(
      inactive: Milliseconds(clamping: configuration.inactiveTimeoutMilliseconds),
      warning: Milliseconds(clamping: configuration.inactiveWarningMilliseconds),
      background: Milliseconds(clamping: configuration.backgroundTimeoutMilliseconds))
  }
}
