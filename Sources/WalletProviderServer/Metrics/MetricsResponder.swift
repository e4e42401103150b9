public import Hummingbird
import HTTPTypes
import WalletProtocol
import WalletProvider

/// Answers `/metrics`, which has a port of its own because the metrics are for operators only. On
/// the main port operators could not be told apart by their address: behind a proxy on the same
/// machine, every request comes from this machine.
public struct MetricsResponder: HTTPResponder {
  static let path = "/metrics"

  private let metrics: ServerMetrics

  public init(_ metrics: ServerMetrics) { self.metrics = metrics }

  public func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    guard request.uri.path == Self.path else { return .problem(ProblemError(.notFound)) }
    guard request.method == .get || request.method == .head else {
      return .problem(ProblemError(.methodNotAllowed), allow: "GET, HEAD")
    }
    let response = Response.text(
      metrics.text, type: MetricText.contentType, [.cacheControl: "no-store"])
    return request.method == .head ? response.createHeadResponse() : response
  }
}
