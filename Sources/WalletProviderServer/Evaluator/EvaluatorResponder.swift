public import Hummingbird
import HTTPTypes
public import Logging
public import WalletProtocol
import WalletProvider

/// An evaluator that runs alone.
public protocol ServedEvaluator: PinEvaluator {
  /// Checks that the store responds.
  func ping() async throws
}

/// Answers HTTP requests by the rules of an evaluator. It never throws, like `ProviderResponder`.
public struct EvaluatorResponder<Context: RequestContext>: HTTPResponder {
  private enum Endpoint: String {
    case evaluate = "evaluations"
    case description = "evaluator"
    case live, ready

    init?(path: String) {
      switch path {
      case Route.evaluator: self = .evaluate
      case Route.evaluatorDescription: self = .description
      case Route.live: self = .live
      case Route.ready: self = .ready
      default: return nil
      }
    }
  }

  private let evaluator: any ServedEvaluator
  private let limits: RequestLimits
  private let readiness: Readiness
  private let log: AnswerLog

  /// - Parameter limits: the limits of the server that uses this responder.
  public init(evaluator: any ServedEvaluator, limits: RequestLimits, logger: Logger) {
    self.evaluator = evaluator
    self.limits = limits
    readiness = Readiness(metrics: limits.metrics) { try await evaluator.ping() }
    log = AnswerLog(limits: limits, logger: logger)
  }

  public func respond(to request: Request, context: Context) async throws -> Response {
    let started = ContinuousClock.now
    let endpoint = Endpoint(path: request.uri.path)
    let name = endpoint?.rawValue ?? "unknown"
    let response = await log.answering(name) {
      guard let endpoint else { throw ProblemError(.notFound) }
      let isGet = request.method == .get || request.method == .head
      switch endpoint {
      case .evaluate where request.method != .post:
        return .problem(ProblemError(.methodNotAllowed), allow: "POST")
      case .description where !isGet, .live where !isGet, .ready where !isGet:
        return .problem(ProblemError(.methodNotAllowed), allow: "GET, HEAD")
      default: return try await answer(endpoint, request)
      }
    }
    return log.logged(
      request.method == .head ? response.createHeadResponse() : response, name, since: started)
  }

  private func answer(_ endpoint: Endpoint, _ request: Request) async throws -> Response {
    switch endpoint {
    case .evaluate:
      try request.requireJSON()
      let reader = RequestBodyReader(limits, maximumLength: limits.settings.bodyBytes)
      return try await reader.with(request) { body in
        guard let asked = try? WireJSON.decode(EvaluatorRequest.self, from: body) else {
          throw ProblemError(.malformedRequest)
        }
        return try .json(try await limits.inProgress { try await evaluator.answer(asked) })
      }
    case .description:
      return try .json(EvaluatorDescription(id: evaluator.id, grantKeys: evaluator.grantKeys))
    case .live:
      return try .json(Health(status: "live"))
    case .ready:
      try await readiness.check()
      return try .json(Health(status: "ready"))
    }
  }
}
