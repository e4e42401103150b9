import WalletSignatures
public import Hummingbird
import HTTPTypes
import Logging
import WalletProvider

/// The id of a request, in the log and in the response, by which a support case can be traced. It
/// is random, made by the server and used for nothing else.
enum RequestID {
  /// The id of the current request.
  @TaskLocal static var current: String?

  /// The response header with the id.
  static let header = HTTPField.Name("X-Request-Id")

  /// Adds the id of the current request to every log entry.
  static let metadataProvider = Logger.MetadataProvider {
    current.map { ["request": .string($0)] } ?? [:]
  }
}

/// Gives each request an id, which its log entries and its response carry.
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
