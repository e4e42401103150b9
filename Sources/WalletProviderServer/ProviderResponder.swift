public import Hummingbird
import HTTPTypes
public import Logging
import WalletProtocol
public import WalletProvider

/// Answers HTTP requests by the rules of a provider. It never throws: whatever comes in, the answer
/// is the message of the route or a problem, and an internal failure is `unavailable`, not 500.
///
/// The paths are few and fixed, so they are looked up in `Endpoint` as they are, without patterns,
/// decoding or tolerance: one spelling for each.
public struct ProviderResponder<Context: RequestContext>: HTTPResponder {
  /// 256 KiB, the longest body that is read.
  public static var maximumBodyLength: Int { 256 * 1024 }

  private let provider: Provider
  private let configuration: any ConfigurationSource
  private let enrolment: EnrolmentSite?
  private let logger: Logger

  /// - Parameter enrolment: the pages at `/enrol`; nil for none.
  public init(
    provider: Provider, configuration: any ConfigurationSource, enrolment: EnrolmentSite? = nil,
    logger: Logger
  ) {
    self.enrolment = enrolment
    self.provider = provider
    self.configuration = configuration
    self.logger = logger
  }

  public func respond(to request: Request, context: Context) async throws -> Response {
    let started = ContinuousClock.now
    if let enrolment, enrolment.has(request.uri.path) {
      let response = await answer(enrolment, request)
      let isHead = request.method == .head
      return logged(isHead ? response.createHeadResponse() : response, "enrol", since: started)
    }
    guard let endpoint = Endpoint(path: request.uri.path) else {
      return logged(.problem(ProblemError(.notFound)), "unknown", since: started)
    }
    let isHead = request.method == .head && endpoint.method == .get
    guard request.method == endpoint.method || isHead else {
      let allow = endpoint.method == .get ? "GET, HEAD" : endpoint.method.rawValue
      return logged(
        .problem(ProblemError(.methodNotAllowed), allow: allow), endpoint.name, since: started)
    }
    let response = await answer(endpoint, request)
    return logged(isHead ? response.createHeadResponse() : response, endpoint.name, since: started)
  }

  private func answer(_ site: EnrolmentSite, _ request: Request) async -> Response {
    await answering("enrol") {
      guard request.method == .post else { return try await site.respond(to: request, form: []) }
      let form = try await body(of: request, limit: EnrolmentSite.maximumFormLength)
      return try await site.respond(to: request, form: form)
    }
  }

  private func answer(_ endpoint: Endpoint, _ request: Request) async -> Response {
    await answering(endpoint.name) {
      switch endpoint {
      case .instruction(let instruction):
        try requireJSON(request)
        let body = try await body(of: request)
        return try .json(try await provider.answer(instruction, body: body))
      case .enrolmentChallenge:
        _ = try await body(of: request)
        return try .json(try await provider.enrolmentChallenge())
      case .configuration:
        return configurationAnswer(request, try await configuration.published)
      case .updatePolicy:
        return .signed(try await provider.updatePolicy(), [.cacheControl: "no-store"])
      case .link:
        return LinkPage.response
      case .live:
        return try .json(Health(status: "live"))
      case .ready:
        try await provider.ping()
        return try .json(Health(status: "ready"))
      }
    }
  }

  /// What `work` answers, or the problem that it failed with.
  private func answering(
    _ route: String, _ work: () async throws -> Response
  ) async -> Response {
    do {
      return try await work()
    } catch let error as ProblemError {
      return .problem(error)
    } catch {
      // Only the words of our own failures are known to hold nothing personal.
      let reason = (error as? StoreFailure)?.description ?? String(describing: type(of: error))
      logger.error(
        "a request failed inside",
        metadata: ["route": .string(route), "reason": .string(reason)])
      return .problem(ProblemError(.unavailable))
    }
  }

  private func requireJSON(_ request: Request) throws(ProblemError) {
    let type = request.headers[.contentType] ?? ""
    let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    guard essence == "application/json" else { throw ProblemError(.unsupportedMediaType) }
  }

  private func body(
    of request: Request, limit: Int = Self.maximumBodyLength
  ) async throws -> [UInt8] {
    if let text = request.headers[.contentLength] {
      guard let length = Int(text), length <= limit else {
        throw ProblemError(.bodyTooLarge)
      }
    }
    var body: [UInt8] = []
    var parts = request.body.makeAsyncIterator()
    while let part = try await next(&parts) {
      guard part.readableBytes <= limit - body.count else {
        throw ProblemError(.bodyTooLarge)
      }
      body.append(contentsOf: part.readableBytesView)
    }
    return body
  }

  /// A body that cannot be read is no failure of ours: a broken chunk, a connection that ended.
  private func next(
    _ parts: inout RequestBody.AsyncIterator
  ) async throws(ProblemError) -> ByteBuffer? {
    do { return try await parts.next() } catch { throw ProblemError(.malformedRequest) }
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

  private func logged(
    _ response: Response, _ route: String, since start: ContinuousClock.Instant
  ) -> Response {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    logger.log(
      level: response.status.code < 400 ? .debug : .info, "answered",
      metadata: [
        "route": .string(route), "status": .stringConvertible(response.status.code),
        "ms": .stringConvertible(seconds * 1000 + attoseconds / 1_000_000_000_000_000),
      ])
    return response
  }
}

private struct Health: Encodable {
  var status: String
}
