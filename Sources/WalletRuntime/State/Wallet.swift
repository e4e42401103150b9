internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
public import WalletModel
public import WalletPlatform
internal import WalletUseCases
internal import WalletProtocol
internal import WalletStorage
internal import WalletTransport

/// One running wallet.
///
/// Calls do not wait, except `hasRegistration()`: slow work is done by the two threads of the job
/// queue. Locking and the event streams do not use that queue.
public final class Wallet: Sendable {
  private static let storageTimeout: Milliseconds = 10_000

  let context: WalletContext
  let operations: Operations
  private let openWallet: OpenWallet
  let flows: Flows

  /// Starts the wallet: reads the embedded configuration, opens the storage if its path is known,
  /// and starts the job queue. Needs neither network nor bridges. No bridge is called before
  /// `platformIsReady()`.
  ///
  /// - Throws: `invalidArgument` for a malformed app version; `configurationInvalid`,
  ///   `storageUnavailable`, `storageInUse`, `outOfResources`.
  public init(
    settings: WalletSettings, platform: any PlatformBridges, http: any HTTPBridge,
    environment: SystemEnvironment, log: Log,
    observer: any WalletObserver
  ) throws(WalletError) {
    let platform = LoggedBridges(platform, log: log)
    let http = LoggedHTTPBridge(http, log: log)
    guard let appVersion = AppVersion(settings.appVersion) else {
      throw WalletError(
        .invalidArgument, "app_version must start with three numbers, such as 1.4.2.")
    }
    let anchor = try ConfigurationAnchor(
      document: settings.embeddedConfiguration,
      pinnedKeys: settings.configurationKeys.map { ($0.id, $0.publicKey) })
    // What tells the flows of its changes is created before them.
    let flowsOfWallet = Monitor<Flows?>(nil)
    let configuration = ConfigurationRepository(
      anchor: anchor, log: log,
      onChange: {
        observer.configurationChanged($0)
        flowsOfWallet.withLock({ $0 })?.configurationChanged()
      })
    let updatePolicy = UpdatePolicyRepository(
      anchor: anchor, appVersion: appVersion, environment: environment, log: log,
      onChange: { observer.versionStateChanged($0) })
    let decorator = TransportDecorator.installed.withLock { $0 }
    let makeTransport: @Sendable () -> any Transport = {
      let transport = ProviderTransport(
        address: anchor.address, certificateAuthority: anchor.certificateAuthority,
        stack: AvailableStack(http))
      return decorator?(transport) ?? transport
    }
    let prompts = PromptRegistry()
    let alarms = AlarmClock(clock: environment.clock)
    let registrations = RegistrationLimit(alarms: alarms, clock: environment.clock)
    context = WalletContext(
      platform: platform, environment: environment, log: log, provider: anchor.address,
      configuration: configuration,
      updatePolicy: updatePolicy,
      refresher: ConfigurationRefresher(
        repository: configuration, updatePolicy: updatePolicy, clock: environment.clock, log: log,
        makeTransport: makeTransport),
      statusLists: StatusListFetcher(
        allowLoopback: anchor.allowLoopback, log: log, makeStack: { AvailableStack(http) },
        authorities: { configuration.hostAuthorities(at: updatePolicy.providerTime) }),
      lock: WalletLock(
        clock: environment.clock, limits: { configuration.read { LockTimer.Limits($0) } },
        onChange: { state, cause in
          observer.lockStateChanged(state)
          flowsOfWallet.withLock({ $0 })?.note(state, cause)
        },
        onLock: {
          prompts.cancelAll(before: $0)
          registrations.note(lock: $0)
        },
        onBackgroundTimeout: { flowsOfWallet.withLock({ $0 })?.post(.backgroundTimeout) }),
      storage: StorageStatus(), prompts: prompts, registrations: registrations,
      replacement: KnownReplacement(), orphanTries: OrphanTries(),
      cardWatch: CardWatch(
        alarms: alarms, clock: environment.clock, tell: { observer.cardsChanged() }))
    let jobs = JobQueue(clock: environment.clock)
    operations = Operations(context: context, jobs: jobs)
    openWallet = OpenWallet(onChange: { [weak jobs] in jobs?.noteStore(isOpen: $0) })
    let flows = Flows(
      operations: operations, alarms: alarms, settings: settings,
      show: { observer.stepShown($0) })
    self.flows = flows
    if !Secret.pagesCanBeLocked() {
      log(
        .warning, "crypto", "The system cannot lock memory pages; secrets may be written to swap.")
    }
    let directory: StorageDirectory?
    if let path = settings.storagePath {
      directory = try context.storage.open(path: path, environment: environment)
    } else {
      directory = nil
    }
    do {
      try context.lock.start()
      try flows.start()
      let decorator = TransportDecorator.installedForOthers.withLock { $0 }
      try jobs.start { [context, openWallet, turn = jobs.turn] thread in
        let stack = AvailableStack(http)
        return WalletSession(
          context: context, transport: makeTransport(),
          foreign: ForeignClient(
            stack: decorator?(stack) ?? stack, allowLoopback: anchor.allowLoopback),
          wallet: openWallet, turn: turn,
          thread: thread)
      }
    } catch {
      context.lock.shutDown()
      flows.shutDown()
      context.storage.release()
      throw error
    }
    flowsOfWallet.withLock { $0 = flows }
    context.cardWatch.whenDue { [weak flows] in flows?.lookAtCards() }
    context.statusLists.whenFetched { [weak jobs] uri, list in
      jobs?.add(isBackground: true) { $0.take(statusList: list, of: uri, $1) }
    }
    if let directory { context.settle(in: directory) }
  }

  /// The lock state and its version.
  public var lockState: Versioned<LockState> {
    context.lock.settle()
    return context.lock.current
  }

  /// Whether the wallet is locked at this moment. Unlike reading `lockState`, reading this never
  /// changes the lock state and runs no callback, so it is allowed while a mutex is held.
  public var isLocked: Bool { context.lock.current.value.isLocked }

  /// The configuration that hosts see, and its version.
  public var configuration: Versioned<HostConfiguration> {
    context.configuration.hostConfiguration
  }

  /// The state of this app version under the update policy, and its version number.
  public var versionState: Versioned<VersionState> { context.updatePolicy.current }

  /// Takes in an event of the app's life cycle from the host.
  public func note(_ event: LifecycleEvent) {
    context.lock.note(event)
    switch event {
    case .background:
      // The flows are told first, so that they do not mistake the end of a prompt for the
      // platform's answer.
      flows.post(.background)
      context.prompts.cancelAll()
    case .foreground: flows.post(.foreground)
    case .userActivity: flows.post(.userActivity)
    }
  }

  /// Does what is due by time, such as locking a wallet that was suspended past its deadline.
  /// Called at the start of every call; never waits.
  public func settle() { context.lock.settle() }

  /// Whether a wallet with a PIN is stored. Waits up to 10 s for the storage path.
  public func hasRegistration() throws(WalletError) -> Bool {
    let (known, reading, mustReread) = context.storage.noteQuestion()
    if case .known(let isRegistered) = known { return isRegistered }
    // What made an earlier reading fail, such as a full disk or a missing directory, may be mended.
    if mustReread { rereadStorage() }
    let deadline = environment.clock.now() + Self.storageTimeout
    let read = context.storage.waitForRegistration(
      after: reading, until: deadline, clock: environment.clock)
    // If the queue was busy, what was known before still counts.
    switch read ?? known {
    case .known(let isRegistered): return isRegistered
    case .failed(let error): throw error
    case .unknown: throw BridgeFailure.notReady.walletError("get the storage path")
    }
  }

  /// Whether biometric unlock is enabled. Never waits.
  ///
  /// - Throws: `platformNotReady` while the storage path is not known; otherwise the reason why the
  ///   storage cannot be read.
  public func isBiometricUnlockEnabled() throws(WalletError) -> Bool {
    switch context.storage.registration {
    case .known: return context.storage.isBiometricUnlockEnabled
    case .failed(let error): throw error
    case .unknown: throw BridgeFailure.notReady.walletError("get the storage path")
    }
  }

  private var environment: SystemEnvironment { context.environment }

  var jobs: JobQueue { operations.jobs }

  /// Locks; never waits.
  public func lock() {
    // The flows are told first, so that a prompt which the lock closes does not count as cancelled.
    flows.post(.lockFollows(context.lock.current.version))
    context.lock.lock()
    flows.settle()
  }

  /// Starts the background work that waited for the bridges. May be called twice: a background job
  /// from an earlier call is interrupted.
  public func platformIsReady() {
    let tries = context.orphanTries.begun
    jobs.add(isBackground: true) { [jobs] session, job in
      do throws(WalletError) {
        _ = try session.directory(job)
      } catch {
        Self.note(error, in: session)
        return
      }
      session.confirmInBackground(job)
      if session.hasOpenPinChange { session.settlePinChange(job) }
      if session.owesReleases { session.releaseOwedClaims(job) }
      session.deleteOrphansInBackground(after: tries, job)
      guard job.cancellation.isCancelled else { return }
      WalletSession.releaseOwedClaims(by: jobs)
      // Most apps are opened right after their start, and that interrupts this job. Without a
      // second try, such an app would never delete its orphaned keys.
      jobs.addUntilDone { session, job in session.deleteOrphansInBackground(after: tries, job) }
    }
  }

  /// Tries again at once what failed because there was nothing to send requests with.
  public func transportIsReady() { context.refresher.transportIsReady() }

  /// Records why the storage could not be read, unless the job was only interrupted by a request,
  /// which will read the storage itself.
  private static func note(_ error: WalletError, in session: WalletSession) {
    guard error.kind != .cancelled else { return }
    session.context.storage.setRegistration(.failed(error))
  }

  /// Reads the storage if nothing is known of it yet. A request interrupts the job that reads the
  /// storage, and then reads it itself. But a request may end before that, for example because it
  /// was cancelled.
  func readStorageIfUnknown() {
    guard case .unknown = context.storage.registration, context.platform.areReady else { return }
    platformIsReady()
  }

  private func rereadStorage() {
    let isAdded = jobs.add(order: .alone, isBackground: true) { session, job in
      defer { session.context.storage.endRereading() }
      do throws(WalletError) {
        try session.inspectStorageAgain(job)
      } catch {
        Self.note(error, in: session)
      }
    }
    if !isAdded { context.storage.endRereading() }
  }

  /// Closes the lock file of the storage directory in a forked child process. Waits for no mutex.
  public static func releaseStorageInForkedChild() { StorageDirectory.releaseInForkedChild() }

  /// Ends the wallet's threads and releases the storage path; for tests.
  public func shutDown() {
    context.lock.lock()
    context.refresher.shutDown()
    context.statusLists.shutDown()
    context.lock.shutDown()
    flows.shutDown()
    jobs.shutDown()
    openWallet.close()
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
