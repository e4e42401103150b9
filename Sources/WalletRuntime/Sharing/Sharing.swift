internal import WalletCredentials
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletPresentation
internal import WalletProtocol

/// A request of a relying party under way, as flows and requests share it. It is in memory only. It
/// knows which claims are asked for and not their values, so it may outlast a lock. The keys of an
/// authorised use do not.
final class Sharing: Sendable {
  /// How a part of it ended, in the words of the flows.
  enum End: Equatable, Sendable {
    /// The request was retrieved, and can be answered.
    case available
    /// It was retrieved, and the wallet has no cards that answer it.
    case missing
    /// The relying party has taken the answer.
    case taken
    case expired
    /// Who asks is not known, or not to be believed.
    case unknownParty(Reason)
    /// The relying party is known.
    case knownParty(Reason)
    /// The PIN has to be entered: it was not yet, or a lock came before anything was sent.
    case pinNeeded
  }

  /// Why a request is not answered.
  enum Reason: String, CaseIterable, Sendable {
    case invalid, unsupported, unreachable, refused
    case notTrusted = "not-trusted"
    /// A link that was made to be scanned by the wallet came in another way.
    case foreignScanner = "foreign-scanner"
    case mayHaveBeenShared = "may-have-been-shared"
  }

  /// A card, as the history and the warnings need it.
  struct KnownCard: Sendable {
    var type: String
    var name: String?
    var warnings: [SharingRequest.Warning]
    /// Whether what everybody sees of it says nothing about its holder beyond who that is.
    var isAnonymous: Bool
  }

  /// A use of cards that the provider has authorised, and what exactly it is for. What the user chooses
  /// afterwards changes nothing of it.
  struct ConfirmedUse: Sendable {
    let use: AuthorizedUse
    let presentations: [QueryAnswer.Presentation]
  }

  struct State: Sendable {
    var session: PresentationSession?
    var request: SharingRequest?
    var selection: QueryAnswer.Selection?
    /// What the PIN was entered for.
    var use: ConfirmedUse?
    var redirectURI: String?
    /// What is to be known of each card that could be chosen.
    var cards: [String: KnownCard] = [:]
    /// The warnings that do not depend on the choice.
    var warnings: [SharingRequest.Warning] = []
    /// How the retrieval ended and how the act did; asked for once more after a lock.
    var retrieved: End?
    /// Whose request has failed, until that is in the history.
    var untoldFailure: SharingRequest.Party?
    /// Whether the refusal of the user was carried out.
    var isRefused = false
    var end: End?
  }

  let id = Base64URL.encode(Random.bytes(16))
  let isFromOtherDevice: Bool
  /// Whether the link asks for no more than a log-in.
  let asksForLogin: Bool
  let state: Monitor<State>

  /// - Parameter link: as it came; one that cannot be read ends the request when it is retrieved.
  init(_ link: String, isFromOtherDevice: Bool, asksForLogin: Bool) {
    self.isFromOtherDevice = isFromOtherDevice
    self.asksForLogin = asksForLogin
    state = Monitor(
      State(session: (try? PresentationLink(parsing: link)).map(PresentationSession.init)))
  }

  var request: SharingRequest? { state.withLock { $0.request } }

  var redirectURI: String? { state.withLock { $0.redirectURI } }

  /// How the act ended; nil before.
  var end: End? { state.withLock { $0.end } }

  var hasEnded: Bool { end != nil }

  /// Whether its time is over.
  func isExpired(at now: Int64) -> Bool {
    state.withLock { state in
      guard let end = state.request?.expiresAt else { return false }
      return end <= now
    }
  }

  /// Drops the keys of an authorised use, because of a lock.
  func forgetUse() {
    // Released after the mutex.
    let use = state.withLock { state in
      defer { state.use = nil }
      return state.use
    }
    _ = use
  }

  /// Chooses an option; choosing one again that may be left out takes it back.
  ///
  /// - Returns: Whether that leaves an answer that the relying party accepts.
  func choose(_ index: Int) -> Bool {
    state.withLock { state in
      guard let answer = state.session?.answer, var request = state.request,
        let selection = state.selection, request.options.indices.contains(index)
      else { return false }
      let option = request.options[index]
      let number = request.options[..<index].count { $0.group == option.group }
      let changed = selection.choosing(option, number: number)
      guard let changed, answer.presentations(changed) != nil else { return false }
      state.selection = changed
      request.options = answer.options(changed)
      request.warnings = state.warnings(of: request.options)
      state.request = request
      return true
    }
  }

  /// What is chosen, for the relying party that asks; nil if nothing can be.
  var chosen: (request: PresentationRequest, presentations: [QueryAnswer.Presentation])? {
    state.withLock { state in
      guard let session = state.session, let request = session.request,
        let selection = state.selection,
        let presentations = session.answer?.presentations(selection)
      else { return nil }
      return (request, presentations)
    }
  }

  func takeUse() -> ConfirmedUse? {
    state.withLock { state in
      defer { state.use = nil }
      return state.use
    }
  }

  /// Takes a step of the session.
  func step(
    _ body: (inout PresentationSession) -> PresentationSession.Next?
  ) -> PresentationSession.Next? {
    // Without the lock, because a large request takes time to judge. Only the thread that asks other
    // parties takes steps.
    guard var session = state.withLock({ $0.session }) else { return nil }
    defer { state.withLock { $0.session = session } }
    return body(&session)
  }
}

extension Sharing.State {
  func warnings(of options: [SharingRequest.Option]) -> [SharingRequest.Warning] {
    let chosen = options.filter(\.isChosen).flatMap { option in
      (option.card.flatMap { cards[$0]?.warnings } ?? []) + (isBeyond(option) ? [.asksForMore] : [])
    }
    return SharingRequest.Warning.allCases.filter { warnings.contains($0) || chosen.contains($0) }
  }

  /// Whether an option would show more than the relying party has registered.
  private func isBeyond(_ option: SharingRequest.Option) -> Bool {
    guard let query = option.query, let request = session?.request,
      let match = session?.answer?.matches[query]?.first(where: { $0.card == option.card })
    else { return false }
    return request.exceedsRegistration(by: match, of: query)
  }
}
