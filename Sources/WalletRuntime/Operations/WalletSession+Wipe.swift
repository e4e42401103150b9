internal import WalletAccount
internal import WalletCards
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

extension WalletSession {
  /// How long a wipe waits for each answer of the provider.
  private static let providerTimeout: Milliseconds = 5000

  /// Deletes the wallet: first a wipe note is written, then the files and the platform keys are
  /// deleted. The vault key is wiped before anything else.
  ///
  /// - Throws: Also if the wallet is deleted and only some of its platform keys are not; these stay
  ///   listed.
  func wipe(_ job: JobQueue.Job) throws(WalletError) {
    // A locked wallet is not locked again. That would count as a lock for a registration that is
    // queued already, and its wallet would end locked.
    if !context.lock.current.value.isLocked { context.lock.lock() }
    let directory = try directory(job)
    defer { context.replacement.forget() }
    if try PendingWipe.load(from: directory).begun == nil {
      // The point of no return: once the note is written, the wipe is completed whatever happens.
      try admit(job)
      try writeWipeNote(in: directory, job)
      context.environment.passCrashPoint("wipe.noted")
      // The provider is told only after the note was written. Otherwise a kill in between could
      // leave a complete wallet that the provider no longer knows.
      if store != nil { deleteAccountAtProvider(job) }
    }
    if let obstacle = try finishWipe(in: directory, job) { throw obstacle }
    context.environment.passCrashPoint("wipe.done")
  }

  private func writeWipeNote(
    in directory: StorageDirectory, _ job: JobQueue.Job
  ) throws(WalletError) {
    var note = PendingWipe()
    if let store = try? openStore(job, creating: false) {
      note.signingKeyIdentifier = try? Account.signingKeyIdentifier(in: store)
      note.biometricKeyIdentifier = (try? Account.biometricSecret(in: store))?.keyIdentifier
      note.accountKeyIdentifier =
        (try? store.read { try $0.keyring(AccountKey.identifierName) })
        .map { String(decoding: $0, as: UTF8.self) }
    }
    do {
      try note.save(in: directory)
    } catch  where error.kind == .storageFull {
      // The deletion is what frees space, so it goes on without the note. If the process is killed
      // before the deletion, the wallet stays complete.
      context.log(.warning, "storage", "No space for the wipe note; deleting without it.")
    }
  }

  private func deleteAccountAtProvider(_ job: JobQueue.Job) {
    context.attempt("account", "The provider could not be told about the wipe") {
      () throws(WalletError) in
      try account(job, creating: false).deleteAtProvider(timeout: Self.providerTimeout)
    }
  }

  /// Completes a wipe: deletes the files that are still there, then the platform keys.
  ///
  /// A key that the platform does not delete no longer opens anything. It stays in the list of
  /// platform keys and does not prevent a new wallet.
  ///
  /// - Returns: Why keys are left; nil if none are.
  func finishWipe(
    in directory: StorageDirectory, _ job: JobQueue.Job
  ) throws(WalletError) -> WalletError? {
    close()
    // A job that began between the request to wipe and this one may have asked for lists once more.
    context.statusLists.cancel()
    try SealedStore.destroy(in: directory)
    context.storage.setRegistration(.known(false))
    // The list of platform keys is stored outside the database, so the keys are known even if the
    // database was damaged or there was no space for the wipe note.
    let stored = try readableNotes(in: directory)
    var notes = stored
    for identifier in try PendingWipe.load(from: directory).begun?.keyIdentifiers ?? [] {
      notes.addOrphan(identifier)
    }
    let obstacle = try deleteOrphans(of: &notes, job).map {
      Self.keysAreLeft(notes.orphans.count, $0)
    }
    do throws(WalletError) {
      try notes.save(in: directory)
    } catch  where error.kind == .storageFull && Self.names(stored, all: notes.orphans) {
      // The file that could not be replaced lists these keys already. Without a database, every key
      // in it counts as an orphan.
      context.log(.info, "storage", "No space to remove deleted keys from the notes.")
    }
    try PendingWipe.remove(from: directory)
    return obstacle
  }

  /// The notes, or empty ones if they are damaged. Other read failures are thrown, because a later
  /// attempt may succeed, and without the notes some keys would never be deleted.
  private func readableNotes(
    in directory: StorageDirectory
  ) throws(WalletError) -> PlatformKeyNotes {
    do throws(WalletError) {
      return try PlatformKeyNotes.load(from: directory)
    } catch  where error.kind == .storageCorrupt { return PlatformKeyNotes() }
  }

  private static func names(_ notes: PlatformKeyNotes, all identifiers: [String]) -> Bool {
    Set(notes.orphans).isSuperset(of: identifiers)
  }

  /// Tries again to delete the keys that earlier wipes and earlier cards left, unless a whole try has
  /// begun after the first `tries` ones. A failure is only logged, because this is background work.
  func deleteOrphansInBackground(after tries: UInt64, _ job: JobQueue.Job) {
    guard !context.orphanTries.hasWholeOne(after: tries) else { return }
    context.attempt("storage", "Unused platform keys are left") { () throws(WalletError) in
      let directory = try directory(job)
      var notes = try PlatformKeyNotes.load(from: directory)
      try orphanReleasedCardKeys(in: &notes, directory)
      guard !notes.orphans.isEmpty else { return }
      let tried = notes.orphans
      let obstacle = try deleteOrphans(of: &notes, job)
      // The other thread may have noted keys meanwhile, so the notes are read again.
      var current = try PlatformKeyNotes.load(from: directory)
      for identifier in tried where !notes.orphans.contains(identifier) {
        current.removeOrphan(identifier)
      }
      try current.save(in: directory)
      if let obstacle { throw obstacle }
    }
  }

  /// Marks the keys of deleted cards as orphans. They are forgotten only after that is on disk.
  private func orphanReleasedCardKeys(
    in notes: inout PlatformKeyNotes, _ directory: StorageDirectory
  ) throws(WalletError) {
    guard let store else { return }
    let released = try CardStore.releasedKeys(in: store)
    guard !released.isEmpty else { return }
    notes.markAsOrphans(released)
    try notes.save(in: directory)
    try CardStore.forgetReleasedKeys(released.filter(notes.orphans.contains), in: store)
  }

  /// Asks the platform to delete the orphaned keys, and removes the deleted ones from the notes.
  ///
  /// - Returns: Why keys are left; nil if none are.
  /// - Throws: `cancelled` if the job was cancelled.
  private func deleteOrphans(
    of notes: inout PlatformKeyNotes, _ job: JobQueue.Job
  ) throws(WalletError) -> WalletError? {
    let number = context.orphanTries.begin()
    let (_, reason) = deleteKeys(notes.orphans, job) { identifier in
      let kind = PlatformKeyKind(of: identifier)
      context.environment.passCrashPoint("wipe.key-deleted.\(kind.rawValue)")
      notes.removeOrphan(identifier)
    }
    if let reason, reason.kind == .cancelled { throw reason }
    context.orphanTries.end(number)
    return reason
  }

  /// Asks the platform to delete keys, each with the bridge that its identifier belongs to, and
  /// calls `forget` with each that is gone.
  ///
  /// - Returns: The keys that are left, and why: `cancelled` if the job was cancelled, otherwise
  ///   the first error.
  func deleteKeys(
    _ identifiers: [String], _ job: JobQueue.Job,
    forget: (String) throws(WalletError) -> Void
  ) -> (left: [String], reason: WalletError?) {
    var left: [String] = []
    var reason: WalletError?
    var silent: Set<PlatformKeyKind> = []
    for identifier in identifiers {
      let kind = PlatformKeyKind(of: identifier)
      // A bridge that timed out once would time out again for each key.
      if silent.contains(kind) {
        left.append(identifier)
        continue
      }
      do throws(WalletError) {
        try deleteKey(identifier, kind, job)
        try forget(identifier)
      } catch {
        left.append(identifier)
        switch error.kind {
        case .cancelled, .platformNotReady: silent = Set(PlatformKeyKind.allCases)
        case .bridgeTimeout: silent.insert(kind)
        default: break
        }
        if reason == nil || error.kind == .cancelled { reason = error }
      }
    }
    return (left, reason)
  }

  private func deleteKey(
    _ identifier: String, _ kind: PlatformKeyKind, _ job: JobQueue.Job
  ) throws(WalletError) {
    let request: BridgeRequest =
      switch kind {
      case .account, .biometric: .deleteEncryptionKey(identifier: identifier)
      case .signing: .deleteSigningKey(identifier: identifier)
      }
    do {
      _ = try context.platform.perform(request, cancellation: job.abort)
    } catch .refused(.keyMissing, _) {
      // The key is gone already.
    } catch { throw error.walletError("delete the \(kind.rawValue) key") }
  }

  private static func keysAreLeft(_ count: Int, _ reason: WalletError) -> WalletError {
    WalletError(
      reason.kind,
      "The wallet is deleted, but \(count) of its platform keys could not be. They no longer open "
        + "anything and do not prevent a new wallet. Call wallet_core_wipe() to try again; every start "
        + "tries too. The first reason: \(reason.message)",
      data: reason.data.merging(["keys_left": .number(Int64(count))]) { first, _ in first },
      hostText: reason.hostText)
  }
}
