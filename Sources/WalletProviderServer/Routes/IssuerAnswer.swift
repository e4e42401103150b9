import HTTPTypes
import Hummingbird
import WalletProvider

extension IssuerDocuments {
  /// The endpoint at a path that depends on that of the public URL.
  func endpoint(_ path: String) -> Endpoint? {
    guard !publicPath.isEmpty else { return nil }
    switch path {
    case Self.metadataPath + publicPath: return .issuerMetadata
    case publicPath + PIDType.path: return .pidType
    default: return nil
    }
  }
}

extension IssuerDocument {
  /// The document, or 304 if the client has it.
  func answer(_ request: Request) -> Response {
    // An hour, so that an announced key is known everywhere before it is used.
    let headers: HTTPFields = [.eTag: entityTag, .cacheControl: "public, max-age=3600"]
    if EntityTags(request.headers[.ifNoneMatch]).match(entityTag) {
      return Response(status: .notModified, headers: headers)
    }
    return .text(text, type: mediaType, headers)
  }
}
