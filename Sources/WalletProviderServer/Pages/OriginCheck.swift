import HTTPTypes
import Hummingbird

/// Checks by the headers that the browser sends whether a form came from a page of this server.
enum OriginCheck {
  /// Uses `Sec-Fetch-Site` if the browser sends it, otherwise `Origin`, which must name the host of
  /// the request. Every current browser sends one of the two with a form.
  static func isSameOrigin(_ request: Request) -> Bool {
    if let name = HTTPField.Name("Sec-Fetch-Site"), let site = request.headers[name] {
      return site == "same-origin"
    }
    guard let origin = request.headers[.origin], let authority = request.head.authority,
      !authority.isEmpty
    else { return false }
    return origin == "https://" + authority || origin == "http://" + authority
  }
}
