internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletTransport

/// Sends signed instructions. Only an answer that the provider has signed for exactly the
/// instruction sent counts as its outcome.
struct InstructionClient {
  let transport: any Transport
  let configurations: ConfigurationAccess
  let hardwareKey: HardwareKey
  let clock: any BootClock
  /// Waits for a time, or until it is cancelled, while others use the wallet.
  let wait: @Sendable (Milliseconds, Cancellation) -> Void
  let cancellation: Cancellation
  /// Called after each answer that can contain a notice for the owner.
  var whenTold: @Sendable (InstructionResultClaims) -> Void = { _ in }

  /// Every further try waits at least this long for an answer, even if the first try has used all of
  /// the time or the device slept meanwhile. In milliseconds.
  static let leastRetryTime: Milliseconds = 5_000

  var configuration: ConfigurationClaims { configurations.current() }

  /// A signed request, kept so that the same bytes can be sent again.
  struct Prepared {
    let claims: InstructionClaims
    let path: String
    let body: [UInt8]
    let requestHash: String
  }

  /// Signs an instruction with the hardware key. A registration and its challenge also contain the public half of
  /// that key, which the provider does not know yet.
  ///
  /// - Parameters:
  ///   - encryptionKey: The id of the key that `payload` is sealed to; nil if it is not sealed.
  ///   - opensRegistration: Whether this is the challenge of a registration.
  ///   - commitment: The commitment to a new PIN key.
  func prepare(
    _ name: InstructionName, wallet: String, payload: [UInt8], challenge: String?,
    sequence: UInt64, encryptionKey: String? = nil, opensRegistration: Bool = false,
    commitment: String? = nil
  ) throws -> Prepared {
    let isRegistration = name == .register || opensRegistration
    let claims = InstructionClaims(
      audience: configuration.providerID, wallet: wallet, instruction: name,
      payloadHash: Base64URL.encode(Hash.sha256(payload)), challenge: challenge,
      sequence: sequence,
      hardwareKey: isRegistration ? Base64URL.encode(hardwareKey.subjectKey.der) : nil,
      encryptionKey: encryptionKey, pinKeyCommitment: commitment)
    let signature = try SignedMessage.sign(claims, type: .instruction, signer: hardwareKey)
    let envelope = InstructionEnvelope(signature: signature, payload: Base64URL.encode(payload))
    return Prepared(
      claims: claims, path: opensRegistration ? Route.registrationChallenge : Route.of(name),
      body: try WireJSON.encode(envelope),
      requestHash: Base64URL.encode(Hash.sha256(Array(signature.utf8))))
  }

  /// Signs an instruction whose payload is sealed to the provider.
  func prepareSealed(
    _ name: InstructionName, wallet: String, payload: Secret, challenge: String,
    sequence: UInt64, commitment: String? = nil
  ) throws -> Prepared {
    let current = try configurations.forSealing(cancellation)
    let (keyID, sealed) = try ProviderKeyring(configuration: current).seal(payload)
    return try prepare(
      name, wallet: wallet, payload: sealed, challenge: challenge, sequence: sequence,
      encryptionKey: keyID, commitment: commitment)
  }

  /// Signs a PIN instruction twice. The inner message is signed with the PIN key and sealed to the
  /// provider; in a registration it contains the PIN public key. The outer message is signed with
  /// the hardware key. For a new PIN key it commits to the public half.
  ///
  /// - Parameter newKey: The key of the new PIN; only for `prepare_pin_change`.
  func preparePin(
    _ name: InstructionName, wallet: String, payload: Secret, challenge: String,
    sequence: UInt64, pinKey: Ed25519.SigningKey, evaluation: EvaluationReference? = nil,
    newBlinded: [UInt8]? = nil, newKey: Ed25519.SigningKey? = nil
  ) throws -> Prepared {
    let commitment = try (name == .register ? pinKey : newKey).map(PinKeyCommitment.init)
    let message = PinMessage(
      audience: configuration.providerID, wallet: wallet, instruction: name, challenge: challenge,
      sequence: sequence, hardwareKey: hardwareKey.subjectKey.der, evaluation: evaluation,
      newBlinded: newBlinded, opening: commitment?.opening)
    return try prepareSealed(
      name, wallet: wallet, payload: message.json(payload: payload, pinKey: pinKey),
      challenge: challenge, sequence: sequence, commitment: commitment?.value)
  }

  /// The answer to a request.
  enum Answer {
    /// Signed by the provider for exactly this request.
    case outcome(InstructionOutcome)
    /// Not signed by the provider, so it may cause another try but never a change of data.
    case problem(ProblemKind)
  }

  /// Sends `request`. If the answer is lost, or the provider or a proxy reports a failure, the same
  /// bytes are sent once more. The provider answers a repetition with the stored result and does
  /// not check the PIN again.
  ///
  /// An attempt at the PIN that was counted is a wrong PIN unless it is completed. So if the
  /// provider has too much to do for a message that may belong to one, and says when to come again,
  /// the wallet waits and sends the same bytes again.
  ///
  /// All tries share the timeout of one request, so that a provider that is silent or slow on
  /// purpose cannot hold a request for twice that time. Only `leastRetryTime` may extend it.
  ///
  /// - Parameters:
  ///   - waiting: Ends a wait early; `cancellation` if it is nil. What it asks to end is then for
  ///     `requireAllowed` to say.
  ///   - beginsAttempt: Whether the provider counts an attempt when it answers this challenge.
  ///   - requireAllowed: Called after each wait; throws to send nothing more.
  func exchange(
    _ request: Prepared, cancellation: Cancellation, waitingUntil waiting: Cancellation? = nil,
    timeout: Milliseconds? = nil, beginsAttempt: Bool = false,
    ifStill requireAllowed: () throws(WalletError) -> Void = { () throws(WalletError) in }
  ) throws(WalletError) -> Answer {
    var post = HTTPRequest(
      .post, request.path, headers: ["content-type": "application/json"], body: request.body)
    if let timeout { post.timeout = timeout }
    let deadline = clock.now() &+ post.timeout
    var mayBeCounted = request.claims.instruction.isAttempt
    var mayRepeat = true
    var pauses = RetryPauses()
    while true {
      let result: Result<HTTPResponse, WalletError>
      do {
        result = .success(try transport.send(post, cancellation: cancellation))
      } catch  where error.kind == .serverUnreachable { result = .failure(error) }
      let response = try? result.get()
      let mayHaveTakenEffect = response?.mayHaveTakenEffect ?? true
      mayBeCounted = mayBeCounted || (mayHaveTakenEffect && beginsAttempt)
      if mayHaveTakenEffect, mayRepeat {
        mayRepeat = false
      } else if mayBeCounted, let asked = response?.askedPause,
        let pause = pauses.next(
          atLeast: asked, atMost: deadline &- clock.now() &- Self.leastRetryTime)
      {
        wait(pause, waiting ?? cancellation)
        // The device may have slept meanwhile.
        guard clock.now() < deadline else {
          return try accept(result.get(), of: request, cancellation: cancellation)
        }
        try requireAllowed()
      } else {
        return try accept(result.get(), of: request, cancellation: cancellation)
      }
      post.timeout = min(max(deadline &- clock.now(), Self.leastRetryTime), post.timeout)
    }
  }

  /// Returns the content of `compact`, signed with a key of the provider. If the configuration does
  /// not have the key that `compact` names, it is fetched first, once.
  func verified<Content: Decodable>(
    _: Content.Type, _ compact: String, type: SignedMessageType,
    keys: KeyPath<ConfigurationClaims, [PublishedKey]>, cancellation: Cancellation
  ) throws(WalletError) -> Content {
    if let message = try? SignedMessage(parsing: compact),
      !configuration[keyPath: keys].contains(where: { $0.id == message.keyID })
    {
      configurations.refresh(cancellation)
    }
    return try ProviderKeyring(configuration: configuration).verified(
      Content.self, compact, type: type, keys: configuration[keyPath: keys])
  }

  private func accept(
    _ response: HTTPResponse, of request: Prepared, cancellation: Cancellation
  ) throws(WalletError) -> Answer {
    guard response.status == 200 else { return .problem(try Self.problem(in: response)) }
    guard let answer = try? WireJSON.decode(InstructionAnswer.self, from: response.body) else {
      throw WalletError(
        .serverRefused, "The provider's answer is not an instruction answer; it was ignored.")
    }
    let result = try verified(
      InstructionResultClaims.self, answer.result, type: .instructionResult, keys: \.resultKeys,
      cancellation: cancellation)
    guard
      result.answers(
        request.claims, requestHash: request.requestHash, issuer: configuration.providerID)
    else {
      throw WalletError(
        .serverRefused,
        "The provider's answer belongs to another wallet, instruction or challenge; it was "
          + "ignored and nothing was changed.")
    }
    switch (request.claims.instruction, result.outcome) {
    // These outcomes are about the sequence number or the wallet itself and never come with a
    // notice.
    case (_, .sequenceRefused), (_, .unknownWallet): break
    case (.checkPin, _), (.pinState, _), (.beginPinChange, _), (.decideReplacement, _),
      (.authorizeUse, _):
      whenTold(result)
    default: break
    }
    return .outcome(result.outcome)
  }

  /// Returns the kind of problem in an answer other than 200. Temporary failures (5xx, too many
  /// requests, a request timeout) are thrown, since a later try may succeed.
  static func problem(in response: HTTPResponse) throws(WalletError) -> ProblemKind {
    if response.isTemporary, let failure = response.failure { throw failure }
    let kind = (try? WireJSON.decode(Problem.self, from: response.body))?.kind
    guard let kind else {
      throw WalletError(
        .serverRefused, "The provider answers \(response.status) without a known problem type.")
    }
    return kind
  }

  /// Returns `kind` as the error of a request.
  static func refusal(_ kind: ProblemKind) -> WalletError {
    WalletError(
      .serverRefused, "The provider refused the request: \(kind.rawValue).",
      data: ["problem": .text(kind.rawValue)])
  }
}

extension HTTPResponse {
  /// Whether the request may have taken effect although it failed: the provider may have failed
  /// while committing, or a proxy may have lost the provider's answer.
  fileprivate var mayHaveTakenEffect: Bool { [500, 502, 503, 504].contains(status) }

  /// How long the provider asks to wait because it has too much to do; nil if it does not.
  fileprivate var askedPause: Milliseconds? {
    guard [429, 503].contains(status), let seconds = retryAfterSeconds, seconds <= 3_600 else {
      return nil
    }
    return seconds * 1_000
  }
}

/// The pauses before a message is sent again. Each is at least as long as the provider asks and, as
/// long as there is time, about twice as long as the one before. They are random, so that wallets that
/// were refused together do not come again together.
private struct RetryPauses {
  private static let shortest: Milliseconds = 1_000
  private var usual = shortest

  /// Nil if what is asked for is longer than `left`.
  mutating func next(atLeast asked: Milliseconds, atMost left: Milliseconds) -> Milliseconds? {
    let least = max(asked, Self.shortest)
    guard least <= left else { return nil }
    let pause = max(asked, usual)
    usual = usual &* 2
    let part = Milliseconds(Random.bytes(1).first ?? 0)
    let drawn = pause + pause / 2 * part / 255
    return drawn <= left ? drawn : least + (left - least) * part / 255
  }
}
