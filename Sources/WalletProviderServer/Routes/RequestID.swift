public import Hummingbird
import HTTPTypes
import Logging
import WalletProvider

/// What a request is called in the log and in its answer, so that a support case can be followed: made
/// here, random, and said of nothing else.
enum RequestID {
  /// That of the request which is being answered.
  @TaskLocal static var current: String?

  /// The header of the answer.
  static let header = HTTPField.Name("X-Request-Id")

  /// Tells it to every entry of the log.
  static let metadataProvider = Logger.MetadataProvider {
    current.map { ["request": .string($0)] } ?? [:]
  }
}

/// Gives each request an id, which its log entries and its answer carry.
public struct IdentifiedRequests<Inner: HTTPResponder>: HTTPResponder {
  private let inner: Inner

  public init(_ inner: Inner) { self.inner = inner }

  public func respond(to request: Request, context: Inner.Context) async throws -> Response {
    let id = SecureRandom.identifier()
    var response = try await RequestID.$current.withValue(id) {
      try await inner.respond(to: request, context: context)
    }
    if let header = RequestID.header { response.headers[header] = id }
    return response
  }
}
