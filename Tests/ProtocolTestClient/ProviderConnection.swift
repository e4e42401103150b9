public import WalletModel
public import WalletPlatform
public import WalletProtocol
public import WalletTransport
import WalletCrypto

/// An answer that no honest provider gives.
public struct UnusableAnswer: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// What a provider is known by.
public struct KnownProvider: Sendable {
  public let configuration: ConfigurationClaims
  public let address: ProviderAddress

  /// - Parameter document: what `client-configuration` prints.
  public init(document: [UInt8]) throws {
    let client = try WireJSON.decode(ClientConfiguration.self, from: document)
    configuration = try SignedMessage(parsing: client.configuration)
      .unverifiedContent(ConfigurationClaims.self)
    address = try ProviderAddress(url: client.providerURL, allowLoopbackHTTP: true)
  }
}

/// One connection that is kept alive, and what comes over it.
public struct ProviderConnection {
  public enum Answer: Sendable {
    /// 200 with a result whose signature and binding to the request hold.
    case signed(InstructionOutcome)
    /// A status with a problem.
    case problem(ProblemKind, status: Int, retryAfter: Int64?)
    /// Nothing came, or not all of it.
    case lost(WalletError)
  }

  public let provider: KnownProvider
  private let transport: ProviderTransport
  /// Sent with each request.
  private let headers: [String: String]
  private let timeout: Milliseconds

  public init(
    _ provider: KnownProvider, address: ProviderAddress? = nil, headers: [String: String] = [:],
    timeout: Milliseconds = 30_000
  ) {
    self.provider = provider
    transport = ProviderTransport(address: address ?? provider.address, certificateAuthority: nil)
    self.headers = headers
    self.timeout = timeout
  }

  /// Sends the body of an instruction.
  ///
  /// - Throws: `UnusableAnswer` for a status without a problem and for a result that is not signed
  ///   for this request.
  public func post(_ name: InstructionName, _ body: [UInt8]) throws -> Answer {
    try post(body, to: Route.of(name))
  }

  /// Sends the body of the challenge of a registration.
  ///
  /// - Throws: as `post`.
  public func openRegistration(_ body: [UInt8]) throws -> Answer {
    try post(body, to: Route.registrationChallenge)
  }

  private func post(_ body: [UInt8], to path: String) throws -> Answer {
    let response: HTTPResponse
    do { response = try send(path, body) } catch { return .lost(error) }
    guard response.status == 200 else { return try problem(response) }
    return .signed(try outcome(response, to: body))
  }

  private func send(_ path: String, _ body: [UInt8]) throws(WalletError) -> HTTPResponse {
    var headers = headers
    headers["content-type"] = "application/json"
    return try transport.send(
      HTTPRequest(.post, path, headers: headers, body: body, timeout: timeout),
      cancellation: Cancellation())
  }

  private func problem(_ response: HTTPResponse) throws -> Answer {
    guard response.headers["content-type"] == "application/problem+json",
      let problem = try? WireJSON.decode(Problem.self, from: response.body),
      let kind = problem.kind, kind.status == response.status
    else { throw UnusableAnswer("HTTP \(response.status) without a problem of ours") }
    return .problem(kind, status: response.status, retryAfter: response.retryAfterSeconds)
  }

  private func outcome(_ response: HTTPResponse, to body: [UInt8]) throws -> InstructionOutcome {
    let answer = try WireJSON.decode(InstructionAnswer.self, from: response.body)
    let message = try SignedMessage(parsing: answer.result)
    let request = try WireJSON.decode(InstructionEnvelope.self, from: body).signature
    let claims = try SignedMessage(parsing: request).unverifiedContent(InstructionClaims.self)
    guard let key = provider.configuration.resultKeys.first(where: { $0.id == message.keyID }),
      let publicKey = Base64URL.decode(key.key)
    else { throw UnusableAnswer("a result of an unknown key") }
    let result = try message.content(
      InstructionResultClaims.self, type: .instructionResult,
      verifier: try Ed25519.VerifyingKey(publicKey: publicKey))
    guard
      result.answers(
        claims, requestHash: Base64URL.encode(Hash.sha256(Array(request.utf8))),
        issuer: provider.configuration.providerID)
    else { throw UnusableAnswer("a result for another request") }
    return result.outcome
  }
}
