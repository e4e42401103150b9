internal import WalletAccount
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

extension WalletSession {
  /// How long a wipe waits for each of the provider's answers.
  private static let farewellTimeout: Milliseconds = 5000

  /// Deletes the wallet: note, files, keys. The vault key is wiped before anything else.
  ///
  /// - Throws: also where only keys are left, which stay noted.
  func wipe(_ job: JobQueue.Job) throws(WalletError) {
    context.lock.lock()
    let directory = try directory(job)
    if try PendingWipe.load(from: directory) == nil {
      try writeWipeNote(in: directory, job)
      context.world.passCrashPoint("wipe.noted")
      // Only now: a kill after the provider's deletion must not leave a wallet that nobody knows.
      if store != nil { sayFarewell(job) }
    }
    if let obstacle = try finishWipe(in: directory, job) { throw obstacle }
    context.world.passCrashPoint("wipe.done")
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
      // Deleting is what makes room; without the note a kill may leave the wallet whole.
      context.log(.warning, "storage", "No space for the wipe note; deleting without it.")
    }
  }

  private func sayFarewell(_ job: JobQueue.Job) {
    do {
      try account(job, creating: false).deleteAtProvider(timeout: Self.farewellTimeout)
    } catch {
      context.log(.info, "account", "The provider could not be told of the wipe: \(error.message)")
    }
  }

  /// Completes a wipe: the files are gone already or go now, then the keys.
  ///
  /// A key that the platform does not delete opens nothing any more. It stays noted and stands in
  /// nobody's way.
  ///
  /// - Returns: why keys are left; nil if none is.
  func finishWipe(
    in directory: StorageDirectory, _ job: JobQueue.Job
  ) throws(WalletError) -> WalletError? {
    close()
    try SealedStore.destroy(in: directory)
    context.storage.setRegistration(.known(false))
    // Beside the database, so known also where it was damaged or its note found no space.
    let stored = try readableNotes(in: directory)
    var notes = stored
    for identifier in try PendingWipe.load(from: directory)?.keyIdentifiers ?? [] {
      notes.addOrphan(identifier)
    }
    let obstacle = try deleteOrphans(of: &notes, job).map {
      Self.keysAreLeft(notes.orphans.count, $0)
    }
    do throws(WalletError) {
      try notes.save(in: directory)
    } catch  where error.kind == .storageFull && Self.names(stored, all: notes.orphans) {
      // Without a database, what the file says of them is enough.
      context.log(.info, "storage", "No space to forget the keys that were deleted.")
    }
    try PendingWipe.remove(from: directory)
    return obstacle
  }

  /// The notes; none where they are damaged. A read that failed may succeed the next time: without
  /// them the keys that nothing else names would stay for ever.
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

  /// Tries again to delete the keys that earlier wipes and earlier PIDs left. Quiet: nobody asked for
  /// it.
  func deleteOrphansInBackground(_ job: JobQueue.Job) {
    do throws(WalletError) {
      let directory = try directory(job)
      var notes = try PlatformKeyNotes.load(from: directory)
      try disownUnusedPIDKeys(in: &notes, directory)
      guard !notes.orphans.isEmpty else { return }
      let obstacle = try deleteOrphans(of: &notes, job)
      try notes.save(in: directory)
      if let obstacle { throw obstacle }
    } catch {
      context.log(.info, "storage", "Keys that open nothing are left: \(error.message)")
    }
  }

  /// What the database says is in use is the truth: it changed together with the PID, and a kill may
  /// have followed before the key went.
  private func disownUnusedPIDKeys(
    in notes: inout PlatformKeyNotes, _ directory: StorageDirectory
  ) throws(WalletError) {
    guard let store else { return }
    let unused = try Account.unusedPIDKeys(among: notes.current, in: store)
    guard !unused.isEmpty else { return }
    for identifier in unused { notes.disown(identifier) }
    try notes.save(in: directory)
  }

  /// Asks the platform to delete the keys of what is gone; those that it deleted are taken out of the
  /// notes.
  ///
  /// - Returns: why keys are left; nil if none is.
  /// - Throws: `cancelled`.
  private func deleteOrphans(
    of notes: inout PlatformKeyNotes, _ job: JobQueue.Job
  ) throws(WalletError) -> WalletError? {
    var reason: WalletError?
    var silent: Set<PlatformKeyKind> = []
    for identifier in notes.orphans {
      let kind = PlatformKeyKind(of: identifier)
      // A bridge that did not answer once would be waited for as long with each key.
      guard !silent.contains(kind) else { continue }
      do throws(WalletError) {
        try deleteKey(identifier, job)
        context.world.passCrashPoint("wipe.key-deleted.\(kind.rawValue)")
        notes.removeOrphan(identifier)
      } catch {
        switch error.kind {
        case .cancelled: throw error
        case .platformNotReady: silent = Set(PlatformKeyKind.allCases)
        case .bridgeTimeout: silent.insert(kind)
        default: break
        }
        reason = reason ?? error
      }
    }
    orphanTries += 1
    return reason
  }

  /// Deletes a platform key, at the bridge that its identifier belongs to.
  func deleteKey(_ identifier: String, _ job: JobQueue.Job) throws(WalletError) {
    let kind = PlatformKeyKind(of: identifier)
    let request: BridgeRequest =
      switch kind {
      case .account, .biometric: .deleteEncryptionKey(identifier: identifier)
      case .signing: .deleteSigningKey(identifier: identifier)
      }
    do {
      _ = try context.platform.perform(request, cancellation: job.abort)
    } catch .refused(.keyMissing, _) {
      // What is gone need not go.
    } catch { throw error.walletError("delete the \(kind.rawValue) key") }
  }

  private static func keysAreLeft(_ count: Int, _ reason: WalletError) -> WalletError {
    WalletError(
      reason.kind,
      "The wallet is deleted, but \(count) of its platform keys could not be. They open nothing any "
        + "more and do not stand in the way of a new wallet. Call wallet_core_wipe() to try again; "
        + "every start tries too. The first reason: \(reason.message)",
      data: reason.data.merging(["keys_left": .number(Int64(count))]) { first, _ in first },
      hostText: reason.hostText)
  }
}
