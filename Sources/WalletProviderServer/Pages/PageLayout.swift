import Crypto
import HTTPTypes
import Hummingbird

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The layout of all pages: plain HTML without scripts or external content, and never cached.
struct PageLayout {
  /// Whether each page says that the provider is a demonstration.
  let isDemonstration: Bool

  private static let style = """
    :root{color-scheme:light dark;--text:#1b1b1b;--back:#fff;--line:#6b6b6b;--mark:#0b5cad}
    @media(prefers-color-scheme:dark){:root{--text:#eee;--back:#161616;--line:#999;--mark:#8cc2ff}}
    body{font:1.1rem/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);\
    max-width:36rem;margin:2rem auto;padding:0 1rem}
    label{display:block;margin:1rem 0 .25rem}
    input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;border:1px solid var(--line);\
    border-radius:.25rem;color:inherit;background:inherit}
    button{font:inherit;margin:1.5rem 0;padding:.6rem 1.2rem;border:2px solid var(--mark);\
    border-radius:.25rem;color:var(--back);background:var(--mark)}
    a{color:var(--mark);overflow-wrap:anywhere}
    img{display:block;margin:1rem 0;border:0;image-rendering:pixelated;max-width:none}
    :focus-visible{outline:3px solid var(--mark);outline-offset:2px}
    .error{border-left:.3rem solid #c33;padding-left:.75rem}
    """

  /// Allows only the style with this hash, so that content injected into a page cannot add another
  /// style.
  private static let policy: String = {
    let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
    return "default-src 'none'; style-src 'sha256-\(hash)'; img-src data:; form-action 'self';"
      + " base-uri 'none'; frame-ancestors 'none'"
  }()

  private static let notice: HTML = """
    <p id="demonstration" class="error" role="note"><strong>Demonstration.</strong> No identity is \
    verified here, and digital IDs of this provider prove nothing.</p>
    """

  /// - Parameter refreshSeconds: the interval at which the browser reloads; nil for never.
  func response(
    _ status: HTTPResponse.Status = .ok, title: String, refreshSeconds: Int? = nil, body: HTML
  ) -> Response {
    let refresh: HTML =
      refreshSeconds.map { "<meta http-equiv=\"refresh\" content=\"\($0)\">" as HTML } ?? ""
    let style = HTML(stringLiteral: Self.style)
    let notice = isDemonstration ? Self.notice : ""
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(refresh)
      <title>\(title)</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>
      \(notice)
      <h1>\(title)</h1>
      \(body)
      </main>
      </body>
      </html>

      """
    return Response(
      status: status, headers: Self.headers([.contentType: "text/html; charset=utf-8"]),
      body: .init(byteBuffer: ByteBuffer(string: page.description)))
  }

  /// Redirects the browser to `path` with a GET.
  static func redirect(to path: String) -> Response {
    Response(status: .seeOther, headers: headers([.location: path]))
  }

  private static func headers(_ own: HTTPFields) -> HTTPFields {
    var headers = own
    headers[.cacheControl] = "no-store"
    headers[.contentSecurityPolicy] = policy
    headers[.xContentTypeOptions] = "nosniff"
    // "no-referrer" would make browsers send this site's own forms with the origin "null".
    if let referrer = HTTPField.Name("Referrer-Policy") { headers[referrer] = "same-origin" }
    return headers
  }
}
