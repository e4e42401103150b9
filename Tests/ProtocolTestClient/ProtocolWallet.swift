public import WalletCrypto
public import WalletProtocol

/// A wallet at the level of the wire: keys, an id and the numbers of its instructions.
public struct ProtocolWallet: Sendable {
  public let draft: InstructionDraft
  public let pinKey: Ed25519.SigningKey
  public var id: String
  public var sequence: UInt64

  /// A wallet that nobody knows yet; `id` is its registration id.
  public init(_ provider: KnownProvider) throws {
    draft = InstructionDraft(
      configuration: provider.configuration,
      hardwareKey: try Ed25519.SigningKey(seed: .random(count: 32)))
    pinKey = try Ed25519.SigningKey(seed: .random(count: 32))
    id = Base64URL.encode(Random.bytes(16))
    sequence = 0
  }

  /// The next number of an instruction.
  public mutating func next() -> UInt64 {
    sequence += 1
    return sequence
  }

  /// The body of `register`.
  public mutating func registration(challenge: String) throws -> [UInt8] {
    try draft.pinInstruction(
      .register, wallet: id, challenge: challenge, sequence: next(), pinKey: pinKey)
  }

  /// Takes the id over that the provider gave.
  public mutating func accept(certificate: String) throws {
    id = try SignedMessage(parsing: certificate).unverifiedContent(CertificateClaims.self).wallet
  }

  /// The body of `challenge`.
  public mutating func challengeRequest(_ name: InstructionName) throws -> [UInt8] {
    try draft.plain(
      .challenge, wallet: id, payload: WireJSON.encode(ChallengePayload(instruction: name)),
      challenge: nil, sequence: next())
  }

  /// The body of an instruction without content.
  public mutating func plain(_ name: InstructionName, challenge: String) throws -> [UInt8] {
    try draft.plain(
      name, wallet: id, payload: WireJSON.encode(EmptyPayload()), challenge: challenge,
      sequence: next())
  }

  /// The body of `check_pin`, by this wallet's PIN key or another one.
  public mutating func check(
    challenge: String, with key: Ed25519.SigningKey? = nil
  ) throws -> [UInt8] {
    try draft.pinInstruction(
      .checkPin, wallet: id, challenge: challenge, sequence: next(), pinKey: key ?? pinKey)
  }

  /// Registers and confirms a wallet over a connection that works.
  public static func confirmed(over connection: ProviderConnection) throws -> ProtocolWallet {
    var wallet = try ProtocolWallet(connection.provider)
    guard let challenge = try connection.enrolmentChallenge().challenge else {
      throw UnusableAnswer("no enrolment challenge")
    }
    let registered = try connection.post(
      .register, try wallet.registration(challenge: challenge))
    guard case .signed(.registered(let certificate, _)) = registered else {
      throw UnusableAnswer("not registered: \(registered)")
    }
    try wallet.accept(certificate: certificate)
    let confirmation = try wallet.challenge(.confirmRegistration, over: connection)
    let confirmed = try connection.post(
      .confirmRegistration, try wallet.plain(.confirmRegistration, challenge: confirmation))
    guard case .signed(.confirmed) = confirmed else {
      throw UnusableAnswer("not confirmed: \(confirmed)")
    }
    return wallet
  }

  /// Asks for a challenge over a connection that works.
  public mutating func challenge(
    _ name: InstructionName, over connection: ProviderConnection
  ) throws -> String {
    let answer = try connection.post(.challenge, try challengeRequest(name))
    guard case .signed(.challenge(let challenge, _)) = answer else {
      throw UnusableAnswer("no challenge: \(answer)")
    }
    return challenge
  }
}
