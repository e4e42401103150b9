public import Hummingbird
import HTTPTypes
public import Logging
import WalletProtocol
public import WalletProvider

/// Answers HTTP requests by the rules of a provider. It never throws: every request is answered
/// with the route's message or with a problem. An internal failure is answered with the problem
/// `unavailable` (503), not with status 500.
///
/// The paths are few and fixed. A path is looked up in `Endpoint` as it was sent, without patterns
/// or decoding, so each endpoint has exactly one spelling.
public struct ProviderResponder<Context: RemoteAddressRequestContext>: HTTPResponder {
  private let provider: Provider
  private let configuration: any ConfigurationSource
  private let enrolment: EnrolmentSite?
  private let statusLists: StatusListPublisher?
  private let limits: RequestLimits
  private let readiness: Readiness
  private let issuer: IssuerDocuments
  private let log: AnswerLog

  /// - Parameters:
  ///   - enrolment: the pages at `/enrol`; nil for none.
  ///   - statusLists: publishes the status lists; nil if there are none.
  ///   - limits: the limits of the server that uses this responder.
  public init(
    provider: Provider, configuration: any ConfigurationSource, enrolment: EnrolmentSite? = nil,
    statusLists: StatusListPublisher? = nil, limits: RequestLimits = RequestLimits(), logger: Logger
  ) {
    self.enrolment = enrolment
    self.statusLists = statusLists
    self.provider = provider
    self.configuration = configuration
    self.limits = limits
    issuer = provider.issuerDocuments
    readiness = Readiness(provider, metrics: limits.metrics)
    log = AnswerLog(limits: limits, logger: logger)
  }

  public func respond(to request: Request, context: Context) async throws -> Response {
    let started = ContinuousClock.now
    let client = limits.client(request.headers, peer: context.remoteAddress)
    let (name, response) = await answer(request, from: client)
    let isHead = request.method == .head
    return log.logged(isHead ? response.createHeadResponse() : response, name, since: started)
  }

  private func answer(
    _ request: Request, from client: ClientAddress?
  ) async -> (name: String, response: Response) {
    if let enrolment, enrolment.has(request.uri.path) {
      return (
        "enrol",
        await log.answering("enrol") {
          try limits.count(client)
          return try await answer(enrolment, request, from: client)
        }
      )
    }
    let endpoint = issuer.endpoint(request.uri.path) ?? Endpoint(path: request.uri.path)
    let name = endpoint?.name ?? "unknown"
    return (
      name,
      await log.answering(name) {
        if endpoint?.isLimited ?? true { try limits.count(client) }
        guard let endpoint else { throw ProblemError(.notFound) }
        let isHead = request.method == .head && endpoint.method == .get
        guard request.method == endpoint.method || isHead else {
          let allow = endpoint.method == .get ? "GET, HEAD" : endpoint.method.rawValue
          return .problem(ProblemError(.methodNotAllowed), allow: allow)
        }
        return try await answer(endpoint, request, from: client)
      }
    )
  }

  private func answer(
    _ site: EnrolmentSite, _ request: Request, from client: ClientAddress?
  ) async throws -> Response {
    guard request.method == .post else {
      return try await limits.inProgress { try await site.respond(to: request, form: []) }
    }
    try limits.countForm(client)
    return try await RequestBodyReader(limits, maximumLength: EnrolmentSite.maximumFormLength)
      .with(request) { form in
        try await limits.inProgress { try await site.respond(to: request, form: form) }
      }
  }

  private func answer(
    _ endpoint: Endpoint, _ request: Request, from client: ClientAddress?
  ) async throws -> Response {
    let reader = RequestBodyReader(limits, maximumLength: limits.settings.bodyBytes)
    switch endpoint {
    case .instruction(let instruction):
      try request.requireJSON()
      return try await reader.with(request) { body in
        let answer = try await limits.inProgress {
          try await provider.answer(instruction, body: body)
        }
        return try .json(answer)
      }
    case .registrationChallenge:
      try request.requireJSON()
      try limits.countRegistration(client)
      return try await reader.with(request) { body in
        try .json(
          try await limits.inProgress { try await provider.registrationChallenge(body: body) })
      }
    case .configuration:
      let published = try await configuration.published
      return configurationAnswer(request, try await provider.current(published))
    case .updatePolicy:
      let nonce = HTTPField.Name(Route.nonceHeader).flatMap { request.headers[$0] }
      let policy = try await limits.inProgress {
        try await provider.updatePolicy(naming: try await configuration.published, nonce: nonce)
      }
      return .signed(policy, [.cacheControl: "no-store"])
    case .statusList:
      return try await limits.inProgress {
        try await StatusListAnswer(publisher: statusLists).response(to: request)
      }
    case .issuerMetadata:
      guard let metadata = issuer.metadata else {
        throw ProblemError(
          .notFound, detail: "The issuer has no https:// URL, so nobody looks for its keys here.")
      }
      return metadata.answer(request)
    case .pidType: return issuer.type.answer(request)
    case .issuerAuthority: return issuer.authorities.answer(request)
    case .link:
      return LinkPage.response(PageLayout(isDemonstration: provider.isDemonstration))
    case .description:
      return OpenAPIDescription(limits.settings).response
    case .live:
      return try .json(Health(status: "live"))
    case .ready:
      try await readiness.check()
      return try .json(Health(status: "ready"))
    }
  }

  private func configurationAnswer(
    _ request: Request, _ configuration: PublishedConfiguration
  ) -> Response {
    let headers: HTTPFields = [.eTag: configuration.entityTag, .cacheControl: "no-cache"]
    if EntityTags(request.headers[.ifNoneMatch]).match(configuration.entityTag) {
      return Response(status: .notModified, headers: headers)
    }
    return .signed(configuration.compact, headers)
  }
}
