import HTTPTypes
import Hummingbird
import WalletProtocol
public import WalletProvider

/// The pages at `/enrol`, where anyone can make an account and see its enrolment code. For
/// demonstrations only, because nobody verifies the person.
public struct EnrolmentSite: Sendable {
  static let path = "/enrol"
  /// The maximum length of a form, in bytes.
  static let maximumFormLength = 8 * 1024
  private static let refreshSeconds = 2

  private let accounts: AccountAdministration
  private let host: String
  private let hostCheck: HostCheck

  /// - Parameters:
  ///   - host: the host that enrolment links name.
  ///   - hosts: the hosts that requests may name.
  public init(accounts: AccountAdministration, host: String, hosts: some Sequence<String>) {
    self.accounts = accounts
    self.host = host
    hostCheck = HostCheck(hosts)
  }

  private var layout: PageLayout { PageLayout(isDemonstration: accounts.isDemonstration) }

  /// Whether the path belongs to this site.
  func has(_ path: String) -> Bool { path == Self.path || path.hasPrefix(Self.path + "/") }

  /// Responds to a request at a path of this site.
  ///
  /// - Parameter form: the body; empty for a GET.
  func respond(to request: Request, form: [UInt8]) async throws -> Response {
    guard hostCheck.accepts(request) else { return misdirected }
    let id = String(request.uri.path.dropFirst(Self.path.count + 1))
    switch (request.method, id.isEmpty) {
    case (.get, true), (.head, true):
      return EnrolmentForm.page(nil, error: nil, layout)
    case (.post, true):
      guard OriginCheck.isSameOrigin(request) else { return foreign }
      return try await create(form)
    case (.get, false), (.head, false):
      return try await show(id)
    case (.post, false):
      guard OriginCheck.isSameOrigin(request) else { return foreign }
      return switch try await accounts.renewPage(id) {
      case .renewed, .proofed: PageLayout.redirect(to: Self.path + "/" + id)
      case .unknown: unknown
      }
    default:
      return .problem(ProblemError(.methodNotAllowed), allow: "GET, HEAD, POST")
    }
  }

  private func create(_ form: [UInt8]) async throws -> Response {
    guard let fields = EnrolmentForm(form) else {
      return EnrolmentForm.page(nil, error: "The form could not be read.", layout)
    }
    let person: AccountPerson
    do {
      person = try fields.person()
    } catch { return EnrolmentForm.page(fields, error: error.description, layout) }
    return PageLayout.redirect(to: Self.path + "/" + (try await accounts.createPage(person)))
  }

  private func show(_ id: String) async throws -> Response {
    guard let page = try await accounts.page(id) else { return unknown }
    let isFinal = page.state == .proofed || page.state == .failed || page.state == .expired
    return layout.response(
      title: "Account \(page.maskedLabel)",
      refreshSeconds: isFinal ? nil : Self.refreshSeconds,
      body: try content(page, action: Self.path + "/" + id))
  }

  private func content(_ page: EnrolmentPage, action: String) throws -> HTML {
    let renew: HTML =
      page.state == .proofed
      ? ""
      : "<form method=\"post\" action=\"\(action)\"><button>Make a new code</button></form>"
    let state: HTML =
      "<p role=\"status\">State: <strong id=\"state\">\(page.state.rawValue)</strong></p>"
    guard let code = page.code else {
      return "\(state)<p>\(Self.explanation(page.state))</p>\(renew)"
    }
    let symbol = try QRSymbol(EnrolmentLink(code, host: host, medium: .qr).text)
    let side = (symbol.width + 2 * QRSymbol.quietZone) * 8
    let image = Base64Image.dataURI(try symbol.png(scale: 8))
    let link = EnrolmentLink(code, host: host, medium: .link).text
    return """
      \(state)
      <p>Scan this code with your wallet. It can be used once, and only for a short time.</p>
      <img src="\(image)" width="\(side)" height="\(side)" alt="QR code with the enrolment code">
      <p>Is the wallet on this device? <a id="link" href="\(link)">Open the wallet</a></p>
      \(renew)
      """
  }

  private static func explanation(_ state: EnrolmentPage.State) -> String {
    switch state {
    case .issued: ""
    case .claimed: "A wallet has the code. Go on there."
    case .proofed: "The identity is proofed. This page makes no more codes and can be closed."
    case .expired: "The code has expired."
    case .failed: "The identity could not be proofed with this code."
    }
  }

  private var unknown: Response {
    layout.response(
      .notFound, title: "No such page", body: "<p><a href=\"/enrol\">Make an account</a></p>")
  }

  private var misdirected: Response {
    layout.response(
      .misdirectedRequest, title: "Another host",
      body: "<p>This server is not known by the host in the address.</p>")
  }

  private var foreign: Response {
    layout.response(
      .forbidden, title: "Not from here", body: "<p>The form must be sent from its own page.</p>")
  }
}
