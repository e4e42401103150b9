public import Hummingbird
import HTTPTypes
import WalletProtocol
import WalletProvider

/// `/metrics`, on its own port: the metrics are for operators only, and behind a proxy on the same
/// machine an address would not keep others out.
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
