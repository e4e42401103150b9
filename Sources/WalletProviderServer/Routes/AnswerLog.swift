import HTTPTypes
import Hummingbird
import Logging
import WalletProtocol
import WalletProvider

/// Answers what fails with a problem, and counts and logs all answers.
struct AnswerLog: Sendable {
  let limits: RequestLimits
  let logger: Logger

  /// The result of `work`, or the problem with which it failed.
  func answering(_ route: String, _ work: () async throws -> Response) async -> Response {
    do {
      return try await work()
    } catch let error as ProblemError {
      return .problem(error)
    } catch {
      limits.metrics.count(error)
      logger.error(
        "a request failed inside",
        metadata: ["route": .string(route), "reason": .string(ServerLog.reason(error))])
      return .problem(ProblemError(.unavailable))
    }
  }

  func logged(
    _ response: Response, _ route: String, since start: ContinuousClock.Instant
  ) -> Response {
    let duration = ContinuousClock.now - start
    limits.metrics.requests.add(route, String(response.status.code))
    limits.metrics.durations.add(route, duration)
    let (seconds, attoseconds) = duration.components
    logger.log(
      level: response.status.code < 400 ? .debug : .info, "answered",
      metadata: [
        "route": .string(route), "status": .stringConvertible(response.status.code),
        "ms": .stringConvertible(seconds * 1000 + attoseconds / 1_000_000_000_000_000),
      ])
    return response
  }
}

extension Request {
  /// Throws unless the request says that its body is JSON.
  func requireJSON() throws(ProblemError) {
    let type = headers[.contentType] ?? ""
    let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    guard essence == "application/json" else { throw ProblemError(.unsupportedMediaType) }
  }
}

/// The body of the health checks.
struct Health: Encodable {
  var status: String
}
