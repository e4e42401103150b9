import HTTPTypes
import WalletProtocol
import WalletProvider

/// The endpoints of the server, each with its path.
enum Endpoint: Equatable {
  case registrationChallenge
  case instruction(InstructionName)
  case configuration
  case updatePolicy
  /// The status list with the id at the end of the path.
  case statusList
  /// The keys by which verifiers check PIDs, where SD-JWT VC has them.
  case issuerMetadata
  /// The description of the type of PIDs.
  case pidType
  /// The certificates of the authority above the issuer's keys.
  case issuerAuthority
  /// The page for enrolment links.
  case link
  /// The OpenAPI description of all endpoints.
  case description
  case live
  case ready

  /// All endpoints.
  static let all: [Endpoint] =
    [
      .registrationChallenge, .configuration, .updatePolicy, .statusList, .issuerMetadata,
      .pidType, .issuerAuthority, .link, .description, .live, .ready,
    ]
    + InstructionName.allCases.map(Endpoint.instruction)

  private static let byPath = Dictionary(
    all.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })

  init?(path: String) {
    if Self.statusListID(in: path) != nil {
      self = .statusList
      return
    }
    guard let endpoint = Self.byPath[path], endpoint != .statusList else { return nil }
    self = endpoint
  }

  /// The id of the status list at this path; nil if the path is another endpoint's.
  static func statusListID(in path: String) -> String? {
    guard path.hasPrefix(StatusListRoute.prefix) else { return nil }
    let id = path.dropFirst(StatusListRoute.prefix.count)
    return id.isEmpty || id.contains("/") ? nil : String(id)
  }

  /// The path; that of status lists with a placeholder.
  var path: String {
    switch self {
    case .registrationChallenge: Route.registrationChallenge
    case .instruction(.register): Route.registrations
    case .instruction(let name): Route.instruction(name)
    case .configuration: Route.configuration
    case .updatePolicy: Route.updatePolicy
    case .statusList: StatusListRoute.path(list: "{list}")
    case .issuerMetadata: IssuerDocuments.metadataPath
    case .pidType: PIDType.path
    case .issuerAuthority: IssuerDocuments.authorityPath
    case .link: LinkPage.path
    case .description: OpenAPIDescription.path
    case .live: Route.live
    case .ready: Route.ready
    }
  }

  var method: HTTPRequest.Method {
    switch self {
    case .registrationChallenge, .instruction: .post
    case .configuration, .updatePolicy, .statusList, .issuerMetadata, .pidType, .issuerAuthority,
      .link,
      .description, .live, .ready:
      .get
    }
  }

  /// The name of the endpoint in the log and the metrics.
  var name: String {
    switch self {
    case .registrationChallenge: "registration-challenge"
    case .instruction(let name): name.rawValue
    case .configuration: "configuration"
    case .updatePolicy: "update-policy"
    case .statusList: "status-list"
    case .issuerMetadata: "issuer-metadata"
    case .pidType: "pid-type"
    case .issuerAuthority: "issuer-authority"
    case .link: "link"
    case .description: "openapi"
    case .live: "live"
    case .ready: "ready"
    }
  }

  /// Whether requests are counted per address. The health checks are not counted: monitoring must
  /// not be locked out, and its requests cost next to nothing.
  var isLimited: Bool { self != .live && self != .ready }
}
