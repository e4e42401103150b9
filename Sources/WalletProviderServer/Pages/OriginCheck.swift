import HTTPTypes
import Hummingbird

/// Whether a form was sent from a page of ours, as browsers say it.
enum OriginCheck {
  /// By `Sec-Fetch-Site` where the browser sends it, else by `Origin`, which must name the host that
  /// the request is for. A request with neither is no form of a browser of today.
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
