internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage
internal import WalletTransport

/// The wallet as one thread of the job queue uses it. It is created, used and released on that
/// thread. The thread has the turn while it uses the wallet.
final class WalletSession {
  let context: WalletContext
  let turn: SessionTurn
  let transport: any Transport
  /// Reaches other parties.
  let foreign: ForeignClient
  private let wallet: OpenWallet
  private let thread: JobThread
  /// The PIN that unlocked the wallet in this job, if its key should be derived again with more
  /// work.
  var weakPin: WeakPin?

  init(
    context: WalletContext, transport: any Transport, foreign: ForeignClient, wallet: OpenWallet,
    turn: SessionTurn, thread: JobThread
  ) {
    var context = context
    context.platform = TurnGivingBridges(bridges: context.platform, turn: turn)
    self.context = context
    self.transport = TurnGivingTransport(transport: transport, turn: turn)
    self.foreign = foreign
    self.wallet = wallet
    self.turn = turn
    self.thread = thread
  }

  var store: SealedStore? { wallet.store }

  /// The storage directory. If init was given no path, the utilities bridge is asked for it.
  func directory(_ job: JobQueue.Job) throws(WalletError) -> StorageDirectory {
    if let directory = context.storage.directory { return directory }
    let answer = try context.platform.ask(
      .storagePath, to: "get the storage path", cancellation: job.cancellation)
    guard let path = String(validating: answer.disclosed(), as: UTF8.self), path.hasPrefix("/"),
      !path.utf8.contains(0)
    else {
      throw WalletError(
        .bridgeFailed, "utilities_bridge.storage_path must reply an absolute path in UTF-8.")
    }
    let directory = try context.storage.open(path: path, environment: context.environment)
    context.settle(in: directory)
    return directory
  }

  /// Returns the store and opens it if necessary; nil if there is none and `creating` is false.
  /// Only the provider thread opens it, so on the device thread nil also means that it is not open.
  func openStore(_ job: JobQueue.Job, creating: Bool) throws(WalletError) -> SealedStore? {
    if let store { return store }
    guard thread == .provider else { return nil }
    let directory = try directory(job)
    switch try PendingWipe.load(from: directory) {
    case .none: break
    case .begun:
      if let obstacle = try finishWipe(in: directory, job) {
        context.log(.warning, "storage", obstacle.message)
      }
    case .damaged:
      context.log(
        .error, "storage",
        "wipe.json is damaged and was ignored. If a wipe was under way, call wallet_core_wipe() again."
      )
      try? PendingWipe.remove(from: directory)
    }
    guard creating || SealedStore.exists(in: directory) else { return nil }
    let opened = try SealedStore.open(in: directory)
    wallet.open(opened)
    return opened
  }

  /// The account of a registered wallet or, if `creating` is true, of one that is being registered.
  func account(_ job: JobQueue.Job, creating: Bool) throws(WalletError) -> Account {
    guard let store = try openStore(job, creating: creating) else { throw Self.notRegistered }
    if !creating, try !Account.isRegistered(in: store) { throw Self.notRegistered }
    let key: Secret
    if let accountKey = wallet.accountKey {
      key = accountKey
    } else {
      key = try AccountKey.open(
        in: store, platform: context.platform, cancellation: job.cancellation)
      try wallet.keep(key, of: store)
    }
    return Account(
      store: store, accountKey: key, platform: context.platform, transport: transport,
      configurations: ConfigurationAccess(
        current: { [configuration = context.configuration] in configuration.current },
        refresh: { [turn, refresher = context.refresher] cancellation in
          _ = turn.givenAway { refresher.refreshNow(cancellation: cancellation) }
        },
        sealing: { [turn, current = currentConfiguration] cancellation throws(WalletError) in
          if let known = current.known { return known }
          return try turn.givenAway { () throws(WalletError) in
            try current.fetched(cancellation: cancellation)
          }
        }),
      environment: context.environment, log: context.log,
      cancellation: job.cancellation, abort: job.abort,
      whileAway: { [turn] work in turn.givenAway(work) },
      whenTold: { [replacement = context.replacement, clock = context.environment.clock] notice in
        let now = clock.now()
        replacement.note(notice.map { Replacement($0, now: now) }, now: now)
      })
  }

  var currentConfiguration: CurrentConfiguration {
    CurrentConfiguration(
      repository: context.configuration, updatePolicy: context.updatePolicy,
      refresher: context.refresher)
  }

  /// Closes the store and forgets the account key.
  func close() { wallet.close() }

  /// Reads the storage again, after it could not be read.
  func inspectStorageAgain(_ job: JobQueue.Job) throws(WalletError) {
    _ = try directory(job)
    close()
    context.storage.inspectAgain()
  }

  func takeWeakPin() -> WeakPin? {
    defer { weakPin = nil }
    return weakPin
  }
}
