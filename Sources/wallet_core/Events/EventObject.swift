internal import CWalletCore
internal import Synchronization
internal import WalletModel
internal import WalletRuntime

/// A `wallet_core_event`. Immutable, so one object serves all clients and every repetition.
final class EventObject: Sendable {
  /// Each content has memory of its own, because every look at a field of 340 bytes copies it.
  indirect enum Content: Sendable {
    case configuration(HostConfiguration)
    case lockState(LockState)
    case versionState(VersionState)
    case completion(request: UInt64, WalletOutcome)
    case step(Step)
    case cardsChanged
  }

  let content: Content
  /// Why a completion failed.
  let error: ErrorObject?
  private let madeJSON = AtomicLazyReference<StableText>()
  private let madeStepTexts = AtomicLazyReference<StepTexts>()
  private let madeSharingTexts = AtomicLazyReference<SharingTexts>()
  /// The texts of the cards, for the getters of C.
  let cards: [CardTexts]
  /// The presentations for a verifier, for the getters of C.
  let presentations: [StableText]
  /// The texts of the activities, for the getters of C.
  let activityTexts: [ActivityTexts]
  /// The id of the replacement that a completion tells of.
  let replacementSession: StableText?

  init(_ content: Content) {
    self.content = content
    if case .completion(_, .failure(let failure)) = content {
      error = ErrorObject(failure, belongsToEvent: true)
    } else {
      error = nil
    }
    if case .completion(_, .success(.cards(let cards))) = content {
      self.cards = cards.map { CardTexts($0) }
    } else {
      cards = []
    }
    replacementSession = content.notices.replacement.map { StableText($0.session) }
    if case .completion(_, .success(.presentations(let texts, _))) = content {
      presentations = texts.map { StableText($0) }
    } else {
      presentations = []
    }
    if case .completion(_, .success(.activities(let activities))) = content {
      activityTexts = activities.map { ActivityTexts($0) }
    } else {
      activityTexts = []
    }
  }

  /// The JSON of the event. It is made when a host first reads it, because most hosts read events
  /// either as JSON or by the getters of C.
  var json: StableText { madeJSON.load() ?? madeJSON.storeIfNil(StableText(content.json)) }

  /// The texts of a step, for the getters of C; made on first use, as `json` is.
  var stepTexts: StepTexts? {
    if let made = madeStepTexts.load() { return made }
    guard case .step(let step) = content else { return nil }
    return madeStepTexts.storeIfNil(StepTexts(step))
  }

  /// The texts of a request of a relying party, for the getters of C; made on first use.
  var sharingTexts: SharingTexts? {
    if let made = madeSharingTexts.load() { return made }
    switch content {
    case .step(let step):
      guard let sharing = step.sharing else { return nil }
      return madeSharingTexts.storeIfNil(SharingTexts(sharing))
    case .completion(_, .success(.sharing(let request))):
      return madeSharingTexts.storeIfNil(SharingTexts(request))
    case .completion(_, .success(.shared(let answer, _))):
      return madeSharingTexts.storeIfNil(SharingTexts(answer))
    default: return nil
    }
  }

  var kind: wallet_core_kind {
    switch content {
    case .configuration: WALLET_CORE_EVENT_CONFIGURATION
    case .lockState: WALLET_CORE_EVENT_LOCK_STATE
    case .versionState: WALLET_CORE_EVENT_VERSION_STATE
    case .completion: WALLET_CORE_EVENT_COMPLETION
    case .step: WALLET_CORE_EVENT_STEP
    case .cardsChanged: WALLET_CORE_EVENT_CARDS_CHANGED
    }
  }

  var request: UInt64 {
    if case .completion(let request, _) = content { request } else { 0 }
  }

  /// Whether this is for an unlocked wallet only: a completion with cards or presentations, with what
  /// was shared or is to be or why it was not, or with wrong PINs.
  var needsUnlocked: Bool {
    switch content {
    case .completion(_, .success(.cards)), .completion(_, .success(.presentations)),
      .completion(_, .success(.sharing)), .completion(_, .success(.shared)),
      .completion(_, .success(.activities)):
      true
    case .completion(_, .success(.pin(_, let notices))),
      .completion(_, .success(.pinState(_, let notices))):
      notices.failures != nil
    // They name the relying party, or how an act ended.
    case .completion(_, .failure(let error)):
      error.kind == .requestRefused || error.kind == .requestExpired
    default: false
    }
  }

  /// What takes its place if the wallet is locked before a host has taken it; nil if it stays. Whoever
  /// holds the locked phone may be the one who guessed, so they do not hear of wrong PINs either.
  var withheld: EventObject? {
    switch content {
    case .completion(_, .success(.pin(let check, var notices))) where notices.failures != nil:
      notices.failures = nil
      return EventObject(.completion(request: request, .success(.pin(check, notices))))
    case .completion(_, .success(.pinState(let state, var notices))) where notices.failures != nil:
      notices.failures = nil
      return EventObject(.completion(request: request, .success(.pinState(state, notices))))
    default:
      guard needsUnlocked else { return nil }
      return EventObject(.completion(request: request, .failure(.lockedMeanwhile)))
    }
  }

  var versionState: VersionState {
    if case .versionState(let state) = content { state } else { .ok }
  }

  var step: Step? {
    if case .step(let step) = content { step } else { nil }
  }

  var pinAnswer: PinAnswer? {
    switch content {
    case .completion(_, .success(.pin(let check, let notices))):
      PinAnswer(check, notices.failures)
    case .completion(_, .success(.pinState(let state, let notices))):
      PinAnswer(state, notices.failures)
    case .completion(_, .success(.presentations(_, let notices))):
      PinAnswer(.valid, notices.failures)
    case .completion(_, .success(.shared(_, let notices?))): PinAnswer(.valid, notices.failures)
    default: nil
    }
  }

  /// Returns a pointer that owns a reference to the event until `free`.
  ///
  /// - Parameter unfreed: Counts the reference until then; nil if it is not counted.
  func handOut(_ unfreed: UnfreedEvents? = nil) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(HandedEvent(self, unfreed)).toOpaque())
  }

  static func borrow(_ pointer: OpaquePointer?) -> EventObject? {
    guard let pointer else { return nil }
    return Unmanaged<HandedEvent>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue().event
  }

  static func free(_ pointer: OpaquePointer?) {
    guard let pointer else { return }
    Unmanaged<HandedEvent>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

extension EventObject.Content {
  /// What a completion tells the owner.
  var notices: OwnerNotices {
    if case .completion(_, .success(let answer)) = self { answer.notices } else { OwnerNotices() }
  }

  fileprivate var json: String {
    switch self {
    case .configuration(let configuration):
      return JSONText.encode(ConfigurationDocument(configuration: configuration))
    case .lockState(let state):
      return JSONText.encode(LockStateDocument(state))
    case .versionState(let state):
      return JSONText.encode(VersionStateDocument(state))
    case .step(let step):
      return JSONText.encode(StepDocument(step))
    case .cardsChanged:
      return JSONText.encode(CardsChangedDocument())
    case .completion(let request, .success(let answer)):
      return JSONText.encode(Self.document(request, answer))
    case .completion(let request, .failure(let failure)):
      return JSONText.encode(
        CompletionDocument(
          request: request, status: failure.kind.status.rawValue,
          statusName: failure.kind.statusName,
          error: .init(
            category: failure.kind.category.rawValue, message: failure.messageForHost,
            data: ErrorData(failure.data))))
    }
  }

  private static func document(_ request: UInt64, _ answer: WalletAnswer) -> CompletionDocument {
    var document = CompletionDocument(request: request, status: 0, statusName: "OK")
    document.replacement = answer.notices.replacement.map { .init($0) }
    switch answer {
    case .nothing, .unlocked: break
    case .pin(let check, let notices): document.pin = .init(PinAnswer(check, notices.failures))
    case .pinState(let state, let notices):
      document.pin = .init(PinAnswer(state, notices.failures))
    case .cards(let cards): document.cards = cards.map { CardDocument($0) }
    case .presentations(let texts, let notices):
      document.pin = .init(PinAnswer(.valid, notices.failures))
      document.presentations = texts
    case .sharing(let request): document.sharing = SharingDocument(request)
    case .shared(let answer, let notices):
      document.pin = notices.map { .init(PinAnswer(.valid, $0.failures)) }
      document.shared = SharedDocument(answer)
    case .activities(let activities):
      document.activities = activities.map { ActivityDocument($0) }
    }
    return document
  }
}
