import HTTPTypes
import Hummingbird
import WalletProtocol
import WalletProvider

/// Answers requests for status lists (draft-ietf-oauth-status-list section 8).
struct StatusListAnswer {
  private static let type = "application/statuslist+jwt"

  /// Nil if there are no lists.
  let publisher: StatusListPublisher?

  /// - Throws: `ProblemError`: not-found; not-acceptable if another form is wanted; not-implemented
  ///   if the list of an earlier time is. `StoreFailure`.
  func response(to request: Request) async throws -> Response {
    guard let publisher, let id = Endpoint.statusListID(in: request.uri.path) else {
      throw ProblemError(.notFound)
    }
    guard AcceptedTypes(request.headers[.accept]).accept(Self.type) else {
      throw ProblemError(.notAcceptable)
    }
    guard let list = try await publisher.list(id) else { throw ProblemError(.notFound) }
    guard request.uri.queryParameters["time"] == nil else { throw ProblemError(.notImplemented) }
    // Browsers may read it from any page: it says nothing of who asks for it.
    let headers: HTTPFields = [
      .eTag: list.entityTag, .cacheControl: "max-age=\(publisher.secondsLeft(of: list))",
      .accessControlAllowOrigin: "*",
    ]
    if EntityTags(request.headers[.ifNoneMatch]).match(list.entityTag) {
      return Response(status: .notModified, headers: headers)
    }
    return .text(list.token, type: Self.type, headers)
  }
}
