public import WalletCredentials
public import WalletJOSE
public import WalletTrust

/// One request of a relying party, from the link to the end (OpenID4VP 1.0 with the response mode
/// `direct_post.jwt`), as a pure state machine: answers and choices come in, requests go out. It has
/// no clock, no randomness and no network, so that every order of events can be tried.
///
/// A relying party may take a request for used up by the first answer, so nothing is posted twice:
/// after `post` the session only waits for the end. The one exception is an answer of which nothing
/// was sent.
public struct PresentationSession: Sendable {
  /// What the caller does next.
  public enum Next: Sendable {
    /// Sends `fetch` and hands over the answer.
    case fetch(RequestFetch)
    /// Looks for cards, and hands them over with `match`.
    case match(PresentationRequest)
    /// Has the user decide.
    case decide(PresentationRequest, QueryAnswer)
    /// Posts it, and hands over the answer.
    case post(PresentationResponse)
    case end(Ending)
  }

  /// How it ended.
  public enum Ending: Equatable, Sendable {
    /// The relying party has the answer: the data, or that the user refused.
    case taken(redirectURI: String?)
    /// The request is over: the relying party does not know it any more, or its time has passed.
    case expired
    /// The relying party cannot be reached, and nothing was sent.
    case unreachable
    /// The request is refused. With a reply, the relying party is authenticated and may be told.
    case refused(RequestRefusal)
    /// Data was sent, and it is not known whether the relying party has it.
    case unknown
    /// The relying party has answered with an error.
    case failed
  }

  private enum State: Sendable {
    case created
    case fetching(RequestFetch)
    case matching(PresentationRequest)
    case deciding(PresentationRequest, QueryAnswer)
    /// What is posted, and where the session goes on if nothing of it was sent.
    case posting(hasData: Bool, PresentationRequest?, QueryAnswer?)
    case ended(RequestRefusal.Reply?)
  }

  public let link: PresentationLink
  private var state = State.created

  public init(_ link: PresentationLink) { self.link = link }

  /// The authenticated request; nil before it was judged, and at the end.
  public var request: PresentationRequest? {
    switch state {
    case .matching(let request), .deciding(let request, _), .posting(_, let request?, _): request
    case .created, .fetching, .posting, .ended: nil
    }
  }

  /// What the cards of the wallet can answer; nil unless the user decides.
  public var answer: QueryAnswer? {
    if case .deciding(_, let answer) = state { answer } else { nil }
  }

  /// What may be told to the relying party after a refusal, by the user's hand, once.
  public var reply: RequestRefusal.Reply? {
    if case .ended(let reply) = state { reply } else { nil }
  }

  /// Begins; once more only after an attempt that had no answer. Each of the following functions
  /// returns nil if it is not its turn, and then does nothing.
  ///
  /// - Parameters:
  ///   - nonce: 32 random bytes, never used before.
  ///   - key: made for this attempt.
  public mutating func begin(nonce: [UInt8], key: KeyAgreementKey) -> Next? {
    guard case .created = state else { return nil }
    let fetch = RequestFetch(link, nonce: nonce, key: key)
    state = .fetching(fetch)
    return .fetch(fetch)
  }

  /// Takes in an answer of the relying party.
  ///
  /// - Parameters:
  ///   - mediaType: in lower case, without parameters; nil if there is none.
  ///   - ownHosts: those whose links open this wallet.
  ///   - now: seconds since 1970.
  public mutating func receive(
    status: Int, mediaType: String?, body: [UInt8], anchors: TrustAnchors, ownHosts: [String],
    now: Int64
  ) -> Next? {
    switch state {
    case .fetching(let fetch): return judge(fetch, status, mediaType, body, anchors, now)
    case .posting(let hasData, _, _):
      switch PresentationReceipt(
        status: status, mediaType: mediaType, body: body, ownHosts: ownHosts)
      {
      case .taken(let redirectURI): return end(.taken(redirectURI: redirectURI))
      case .unknown: return end(hasData ? .unknown : .failed)
      }
    case .created, .matching, .deciding, .ended: return nil
    }
  }

  /// Takes in an answer that was refused unread, for its type or its size.
  public mutating func refuseAnswer() -> Next? {
    switch state {
    case .fetching: return end(.refused(RequestRefusal(.objectMalformed)))
    case .posting(let hasData, _, _): return end(hasData ? .unknown : .failed)
    case .created, .matching, .deciding, .ended: return nil
    }
  }

  /// Takes in that there was no answer.
  ///
  /// - Parameter wasSent: Whether a byte of the request may have left the device.
  public mutating func fail(wasSent: Bool) -> Next? {
    switch state {
    case .fetching:
      state = .created
      return .end(.unreachable)
    case .posting(_, let request?, let answer?) where !wasSent:
      state = .deciding(request, answer)
      return .end(.unreachable)
    case .posting(let hasData, _, _): return end(hasData && wasSent ? .unknown : .unreachable)
    case .created, .matching, .deciding, .ended: return nil
    }
  }

  /// Takes in the cards of the wallet.
  public mutating func match(_ cards: [QueriedCard]) -> Next? {
    guard case .matching(let request) = state else { return nil }
    let answer = QueryAnswer(request.query, cards: cards)
    state = .deciding(request, answer)
    return .decide(request, answer)
  }

  /// Answers with the presentations that the user has agreed to.
  ///
  /// - Parameter presentations: for each query those in compact form.
  /// - Throws: if nothing can be encrypted to the relying party's key.
  public mutating func share(
    _ presentations: [String: [String]], now: Int64
  ) throws -> Next? {
    guard case .deciding(let request, let answer) = state else { return nil }
    if request.expiresAt <= now { return self.end(.expired) }
    let response = try PresentationResponse(to: request, presentations: presentations)
    state = .posting(hasData: true, request, answer)
    return .post(response)
  }

  /// Tells the relying party that the user has refused.
  public mutating func deny() -> Next? {
    guard case .deciding(let request, _) = state else { return nil }
    state = .posting(hasData: false, nil, nil)
    return .post(PresentationResponse(denying: request))
  }

  /// Tells an authenticated relying party what is wrong with its request.
  public mutating func tell() -> Next? {
    guard case .ended(let reply?) = state else { return nil }
    state = .posting(hasData: false, nil, nil)
    return .post(PresentationResponse(reply))
  }

  /// Ends without telling anybody.
  public mutating func drop() { state = .ended(nil) }

  private mutating func judge(
    _ fetch: RequestFetch, _ status: Int, _ mediaType: String?, _ body: [UInt8],
    _ anchors: TrustAnchors,
    _ now: Int64
  ) -> Next? {
    // Relying parties forget requests that were answered, fetched before, or are too old.
    if [404, 410].contains(status) { return end(.expired) }
    guard status == 200, mediaType == PresentationRequest.mediaType,
      let text = String(validating: body, as: UTF8.self)
    else { return end(.refused(RequestRefusal(.objectMalformed))) }
    do throws(RequestRefusal) {
      let request = try PresentationRequest(
        parsing: fetch.open(text), calledBy: link, walletNonce: fetch.walletNonce,
        anchors: anchors, now: now)
      state = .matching(request)
      return .match(request)
    } catch { return end(.refused(error)) }
  }

  private mutating func end(_ ending: Ending) -> Next {
    if case .refused(let refusal) = ending {
      state = .ended(refusal.reply)
    } else {
      state = .ended(nil)
    }
    return .end(ending)
  }
}
