internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

/// What the flows remember besides the engine: the bytes behind its slots, links and scans. In memory
/// only.
struct FlowState {
  /// Something to tell the engine.
  enum Item {
    case event(FlowInput)
    /// A valid PIN, a scan or a set-up brought the vault key: unlocks, if it is still awaited.
    case opened(id: UInt64, Secret, since: UInt64, FlowInput)
  }

  /// Work that was started and can be told to end.
  struct Running {
    let id: UInt64
    let cancellation: Cancellation
  }

  var engine = Engine()
  var inbox: [Item] = []
  /// Whether a thread takes items out; another one only puts them in.
  var isDraining = false
  /// The newest lock state that was heard of.
  var lockVersion: UInt64 = 0
  /// The last serial that a choice was taken for.
  var answeredSerial: UInt64 = 0
  /// The serial whose alarm is set.
  var alarmedSerial: UInt64 = 0
  /// The last work that was started.
  var startedWork: UInt64 = 0
  var pins: [PinSlot: Pin] = [:]
  var lastSlot: UInt64 = 0
  /// The link that waits for its turn; the newest wins.
  var link: Secret? { didSet { isLinkTaken = false } }
  /// Whether the link had its turn. An enrolment link stays for UC3.1 2b and leads nowhere by itself
  /// any more: who chose Later is not asked again.
  var isLinkTaken = false
  var scanned: (symbology: Symbology, bytes: Secret)?
  /// Rows and cases since the last shown step, the latest 64.
  var trail: [String] = []
  /// For the next failure that is shown with one.
  var reference = SupportReference.make()
  var step: Versioned<Step>?
  var running: Running?

  var proofing = ProofingState()

  /// Whether there is a PID; nil until it was looked up.
  var hasPID: Bool?
  /// What the platform recognises its user by, as last seen.
  var biometrics: Biometrics?
  /// A new way in by biometrics that awaits the PIN.
  var sealed: SealedBiometricSecret?
  /// Whether a scan found the biometric key gone for good.
  var isBiometricKeyGone = false

  /// Lets the next item be taken out by whoever brings it; false where one has come meanwhile.
  mutating func endDraining() -> Bool {
    guard inbox.isEmpty else { return false }
    isDraining = false
    return true
  }

  /// Takes in what followed from an event.
  mutating func note(_ reaction: Reaction) {
    trail += reaction.taken
    if trail.count > 64 { trail.removeFirst(trail.count - 64) }
    if reaction.takesReference { reference = SupportReference.make() }
  }

  /// Puts `pin` where the engine can name it.
  mutating func keep(_ pin: Pin) -> PinSlot {
    lastSlot += 1
    let slot = PinSlot(lastSlot)
    pins[slot] = pin
    return slot
  }

  /// Wipes the PINs that neither the engine nor a choice on its way to it needs.
  mutating func forgetPins() {
    guard !pins.isEmpty else { return }
    var needed = engine.heldSlots
    for case .event(.chose(_, _, let slot?)) in inbox { needed.insert(slot) }
    pins = pins.filter { needed.contains($0.key) }
  }

  /// Wipes what was scanned and of the proofing, as far as neither the engine nor a choice on its way to
  /// it needs it.
  mutating func forgetScans() {
    proofing.tidy(needsCode: engine.needsCode, needsEvidence: engine.needsEvidence)
    let isOnItsWay = inbox.contains { item in
      if case .event(.chose) = item { true } else { false }
    }
    guard !isOnItsWay, engine.pending == nil || !engine.isUnlocked else { return }
    // What was read of a licence does not outlive a lock; a code that may still be claimed does.
    let mayWait = engine.isUnlocked || scanned?.symbology == .qrCode
    if !engine.needsCode || !mayWait { scanned = nil }
  }

  /// The engine's work that nobody has started yet.
  mutating func takeWork() -> Pending? {
    guard let pending = engine.pending, pending.id != startedWork else { return nil }
    startedWork = pending.id
    return pending
  }

  /// A confirmation by biometrics that no PIN will put in force any more.
  mutating func takeUnusedSeal() -> SealedBiometricSecret? {
    guard sealed != nil, !engine.awaitsPinForBiometrics else { return nil }
    defer { sealed = nil }
    return sealed
  }

  /// A choice that the engine did not take leaves its step open for another one.
  mutating func reopenUnlessTaken(_ event: FlowInput) {
    guard case .chose(let serial, _, _) = event, engine.serial == serial, engine.pending == nil
    else { return }
    answeredSerial = 0
  }

  /// Nothing of a deleted wallet is remembered.
  mutating func forgetWallet() {
    link = nil
    scanned = nil
    proofing = ProofingState()
    hasPID = nil
    sealed = nil
    isBiometricKeyGone = false
  }
}
