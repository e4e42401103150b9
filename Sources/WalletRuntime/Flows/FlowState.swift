internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

/// What the flows remember in addition to the engine, for example links, scans, and the PINs that
/// the engine knows only by the numbers of their slots. It is kept in memory only.
struct FlowState {
  /// An input of the engine that waits in the inbox.
  enum Item {
    case event(FlowInput)
    /// A valid PIN, a biometric scan or a registration has yielded the vault key. The wallet is
    /// unlocked with this key if the engine still waits for the work `id`.
    case opened(id: UInt64, Secret, since: UInt64, FlowInput)
  }

  /// Work that was started and can be cancelled.
  struct Running {
    let id: UInt64
    let cancellation: Cancellation
  }

  var engine = Engine()
  var inbox: [Item] = []
  /// Whether a thread is taking items out of the inbox. Other threads then only add items to it.
  var isDraining = false
  /// The last serial for which a choice was accepted.
  var answeredSerial: UInt64 = 0
  /// The serial of the step whose alarm is set.
  var alarmedSerial: UInt64 = 0
  /// The id of the work that was started last.
  var startedWork: UInt64 = 0
  var pins: [PinSlot: Pin] = [:]
  var lastSlot: UInt64 = 0
  var links = KeptLinks()
  var scanned: (symbology: Symbology, bytes: Secret)?
  /// The request of a relying party that is under way.
  var sharing: Sharing?
  /// The option of it that the user has just chosen.
  var chosenOption: Int?
  /// The rows and cases taken since the last shown step, at most the latest 64.
  var trail: [String] = []
  /// The reference for the next failure that is shown with one.
  var reference = SupportReference.make()
  var step: Versioned<Step>?
  var running: Running?

  var proofing = ProofingState()
  /// What of proofings has ended by their sessions, as long as that is not stored.
  var endedSessions: [String: ProofingEnd] = [:]

  /// Whether there is a PID; nil until it was looked up.
  var hasPID: Bool?
  /// When the PID expires, in seconds since 1970; nil if there is no PID, or if the time is not
  /// known.
  var pidExpiry: Int64?
  /// The biometrics that the platform offers, as last seen.
  var biometrics: Biometrics?
  /// A sealed biometric secret that takes effect when the user enters the PIN.
  var sealed: SealedBiometricSecret?
  /// Wrong PINs that were learned without a PIN and are not told yet.
  var untoldFailures: PinFailures?
  /// The wrong PINs of which a step tells that no host has taken yet.
  var shownFailures: PinFailures?

  /// Ends the draining, so that the next caller of `post` starts it again. Returns false if an item
  /// has arrived in the meantime.
  mutating func endDraining() -> Bool {
    guard inbox.isEmpty else { return false }
    isDraining = false
    return true
  }

  /// Records the rows that an input took.
  mutating func note(_ reaction: Reaction) {
    trail += reaction.taken
    if trail.count > 64 { trail.removeFirst(trail.count - 64) }
    if reaction.takesReference { reference = SupportReference.make() }
  }

  /// Keeps `pin` and returns the slot by which the engine refers to it.
  mutating func keep(_ pin: Pin) -> PinSlot {
    lastSlot += 1
    let slot = PinSlot(lastSlot)
    pins[slot] = pin
    return slot
  }

  /// Wipes the PINs that neither the engine nor a choice in the inbox needs.
  mutating func forgetPins() {
    guard !pins.isEmpty else { return }
    var needed = engine.heldSlots
    for case .event(.chose(_, _, let slot?)) in inbox { needed.insert(slot) }
    pins = pins.filter { needed.contains($0.key) }
  }

  /// Wipes the scan and the data of the proofing that neither the engine nor a choice in the inbox
  /// needs.
  mutating func forgetScans() {
    proofing.tidy(needsCode: engine.needsCode, needsEvidence: engine.needsEvidence)
    let isOnItsWay = inbox.contains { item in
      if case .event(.chose) = item { true } else { false }
    }
    guard !isOnItsWay, engine.pending == nil || !engine.isUnlocked else { return }
    // A lock wipes the content of a licence. It does not wipe a code, as long as the engine can
    // still claim the code.
    let mayWait = engine.isUnlocked || scanned?.symbology == .qrCode
    if !engine.needsCode || !mayWait { scanned = nil }
  }

  /// Forgets the request of a relying party that the engine no longer needs.
  mutating func forgetSharing() {
    guard sharing != nil, !engine.needsSharing else { return }
    sharing = nil
  }

  /// Returns the engine's work if it was not started yet, and marks it as started.
  mutating func takeWork() -> Pending? {
    guard let pending = engine.pending, pending.id != startedWork else { return nil }
    startedWork = pending.id
    return pending
  }

  /// Returns and removes the sealed biometric secret, if the engine no longer waits for the PIN
  /// that would put it in force.
  mutating func takeUnusedSeal() -> SealedBiometricSecret? {
    engine.awaitsPinForBiometrics ? nil : takeSealed()
  }

  /// Returns and removes the sealed biometric secret that waits for the PIN.
  mutating func takeSealed() -> SealedBiometricSecret? {
    defer { sealed = nil }
    return sealed
  }

  /// Returns and removes the wrong PINs of which `step` tells; nil if none are kept, or those of a
  /// later step.
  mutating func takeShownFailures(of step: Step) -> PinFailures? {
    guard let failures = shownFailures,
      failures.arguments.allSatisfy({ step.arguments[$0.key] == $0.value })
    else { return nil }
    shownFailures = nil
    return failures
  }

  /// If the engine did not take the choice in `event`, lets the user answer that step again.
  mutating func reopenUnlessTaken(_ event: FlowInput) {
    guard case .chose(let serial, _, _) = event, engine.serial == serial, engine.pending == nil
    else { return }
    answeredSerial = 0
  }

  /// Forgets everything about a deleted wallet.
  mutating func forgetWallet() {
    links = KeptLinks()
    scanned = nil
    sharing = nil
    proofing = ProofingState()
    chosenOption = nil
    hasPID = nil
    pidExpiry = nil
    sealed = nil
    untoldFailures = nil
    shownFailures = nil
  }
}
