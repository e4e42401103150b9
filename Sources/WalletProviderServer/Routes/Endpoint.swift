import HTTPTypes
import WalletProtocol

/// The endpoints of the server, each with its path.
enum Endpoint: Equatable {
  case registrationChallenge
  case instruction(InstructionName)
  case configuration
  case updatePolicy
  /// The page for enrolment links.
  case link
  /// The OpenAPI description of all endpoints.
  case description
  case live
  case ready

  /// All endpoints.
  static let all: [Endpoint] =
    [.registrationChallenge, .configuration, .updatePolicy, .link, .description, .live, .ready]
    + InstructionName.allCases.map(Endpoint.instruction)

  private static let byPath = Dictionary(
    all.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })

  init?(path: String) {
    guard let endpoint = Self.byPath[path] else { return nil }
    self = endpoint
  }

  var path: String {
    switch self {
    case .registrationChallenge: Route.registrationChallenge
    case .instruction(.register): Route.registrations
    case .instruction(let name): Route.instruction(name)
    case .configuration: Route.configuration
    case .updatePolicy: Route.updatePolicy
    case .link: LinkPage.path
    case .description: OpenAPIDescription.path
    case .live: Route.live
    case .ready: Route.ready
    }
  }

  var method: HTTPRequest.Method {
    switch self {
    case .registrationChallenge, .instruction: .post
    case .configuration, .updatePolicy, .link, .description, .live, .ready: .get
    }
  }

  /// The name of the endpoint in the log and the metrics.
  var name: String {
    switch self {
    case .registrationChallenge: "registration-challenge"
    case .instruction(let name): name.rawValue
    case .configuration: "configuration"
    case .updatePolicy: "update-policy"
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
