public import WalletCrypto
public import WalletProtocol

/// A wallet at the level of the wire: keys, an id and the numbers of its instructions.
public struct ProtocolWallet: Sendable {
  public let draft: InstructionDraft
  public let pinKey: Ed25519.SigningKey
  public var id: String
  public var sequence: UInt64
  /// The id of the PIN key; nil before the challenge of the registration.
  public private(set) var pinKeyID: String?
  /// Base64url of the blinded PIN of the newest evaluation.
  public private(set) var blinded: String?

  /// A wallet that nobody knows yet; `id` is its registration id.
  ///
  /// - Parameter pinKey: a random key when nil.
  public init(_ provider: KnownProvider, pinKey: Ed25519.SigningKey? = nil) throws {
    draft = InstructionDraft(
      configuration: provider.configuration,
      hardwareKey: try Ed25519.SigningKey(seed: .random(count: 32)))
    self.pinKey = try pinKey ?? Ed25519.SigningKey(seed: .random(count: 32))
    id = Base64URL.encode(Random.bytes(16))
    sequence = 0
  }

  /// The next number of an instruction.
  public mutating func next() -> UInt64 {
    sequence += 1
    return sequence
  }

  /// The body of `challenge` for `register`.
  public mutating func registrationRequest() throws -> [UInt8] {
    let blinded = try NamedEvaluation.randomBlinded()
    self.blinded = blinded
    return try draft.challenge(.register, wallet: id, sequence: next(), blinded: blinded)
  }

  /// The body of `register`. The PIN key is the one that `given` is about.
  public mutating func registration(_ given: GivenChallenge) throws -> [UInt8] {
    pinKeyID = given.evaluation?.key
    return try draft.pinInstruction(
      .register, wallet: id, given: given, sequence: next(), pinKey: pinKey)
  }

  /// Takes the id over that the provider gave.
  public mutating func accept(certificate: String) throws {
    id = try SignedMessage(parsing: certificate).unverifiedContent(CertificateClaims.self).wallet
  }

  /// The body of `challenge`. For an attempt at the PIN it has a new blinded PIN.
  public mutating func challengeRequest(_ name: InstructionName) throws -> [UInt8] {
    blinded = name.isAttempt ? try NamedEvaluation.randomBlinded() : nil
    return try draft.challenge(
      name, wallet: id, sequence: next(), key: name.isAttempt ? pinKeyID : nil, blinded: blinded)
  }

  /// What an answer to the newest challenge request gave; nil if that is no challenge.
  public func given(_ outcome: InstructionOutcome) -> GivenChallenge? {
    GivenChallenge(outcome, blinded: blinded)
  }

  /// The body of an instruction without content.
  public mutating func plain(_ name: InstructionName, _ given: GivenChallenge) throws -> [UInt8] {
    try draft.plain(
      name, wallet: id, payload: WireJSON.encode(EmptyPayload()), challenge: given.challenge,
      sequence: next())
  }

  /// The body of `check_pin`, by this wallet's PIN key or another one.
  public mutating func check(
    _ given: GivenChallenge, with key: Ed25519.SigningKey? = nil
  ) throws -> [UInt8] {
    try draft.pinInstruction(
      .checkPin, wallet: id, given: given, sequence: next(), pinKey: key ?? pinKey)
  }

  /// Registers and confirms a wallet over a connection that works.
  public static func confirmed(
    over connection: ProviderConnection, pinKey: Ed25519.SigningKey? = nil
  ) throws -> ProtocolWallet {
    var wallet = try ProtocolWallet(connection.provider, pinKey: pinKey)
    let opened = try connection.openRegistration(try wallet.registrationRequest())
    guard case .signed(let outcome) = opened, let given = wallet.given(outcome) else {
      throw UnusableAnswer("no challenge of a registration: \(opened)")
    }
    let registered = try connection.post(.register, try wallet.registration(given))
    guard case .signed(.registered(let certificate, _, _)) = registered else {
      throw UnusableAnswer("not registered: \(registered)")
    }
    try wallet.accept(certificate: certificate)
    let confirmation = try wallet.challenge(.confirmRegistration, over: connection)
    let confirmed = try connection.post(
      .confirmRegistration, try wallet.plain(.confirmRegistration, confirmation))
    guard case .signed(.confirmed) = confirmed else {
      throw UnusableAnswer("not confirmed: \(confirmed)")
    }
    return wallet
  }

  /// Asks for a challenge over a connection that works.
  public mutating func challenge(
    _ name: InstructionName, over connection: ProviderConnection
  ) throws -> GivenChallenge {
    let answer = try connection.post(.challenge, try challengeRequest(name))
    guard case .signed(let outcome) = answer, let given = given(outcome) else {
      throw UnusableAnswer("no challenge: \(answer)")
    }
    return given
  }
}
