import HTTPTypes
import Hummingbird
import WalletProtocol
import WalletProvider

/// The OpenAPI 3.1 description of all routes, with the limits of this process. Operations are
/// generated from `Endpoint` and problems from `ProblemKind`, so that none can be missing.
struct OpenAPIDescription {
  static let path = "/openapi.yaml"

  private let limits: LimitSettings

  init(_ limits: LimitSettings) { self.limits = limits }

  /// The response with the description.
  var response: Response {
    .text(text, type: "application/yaml", [.cacheControl: "no-cache"])
  }

  var text: String {
    head + "paths:\n" + Endpoint.all.map(pathItem).joined() + OpenAPIText.otherPaths
      + OpenAPIText.components + problemSchema + problemResponses
  }

  private var head: String {
    """
    openapi: 3.1.1
    info:
      title: wallet-provider
      version: \(ProviderVersion.text)
      summary: Registers wallets, checks their PINs, proofs identities and issues PIDs.
      description: |
        What wallets and their provider say to each other is signed; HTTP only carries it. An error is a
        problem document (RFC 9457) and changes nothing, with one exception: after a 503 an instruction may
        have been carried out, if the database was lost during the commit. The same bytes sent again then
        get the stored answer, and are carried out once in any case. A path accepts only its own method
        (405 with Allow) and has one spelling (404 for any other).

        Limits of this process: bodies of \(limits.bodyBytes) bytes, heads of \(limits.headerBytes) bytes,
        \(limits.headerSeconds) seconds for a head, \(limits.bodySeconds) seconds for a body,
        \(limits.requestsInProgress) requests in progress. 429 and 503 say in Retry-After when to try again.
    servers:
      - url: /
    security: []

    """
  }

  private func pathItem(_ endpoint: Endpoint) -> String {
    var text = "  \(endpoint.path):\n" + operation(endpoint, endpoint.method)
    if endpoint.method == .get { text += operation(endpoint, .head) }
    return text
  }

  private func operation(_ endpoint: Endpoint, _ method: HTTPRequest.Method) -> String {
    let isHead = method == .head
    var text = """
          \(method.rawValue.lowercased()):
            operationId: \(endpoint.name)\(isHead ? "-head" : "")
            summary: \(isHead ? "The head of the answer to GET" : endpoint.summary)
            tags: [\(endpoint.tag)]

      """
    if case .instruction(let name) = endpoint {
      text += """
              description: "Payload: \(name.payloadDescription)"
              requestBody:
                $ref: '#/components/requestBodies/Instruction'

        """
    }
    if case .updatePolicy = endpoint { text += OpenAPIText.nonceParameter }
    if case .statusList = endpoint { text += OpenAPIText.statusListParameters }
    text += "      responses:\n"
    for (status, reference) in endpoint.successes {
      text +=
        "        '\(status)':\n          $ref: '#/components/responses/\(reference)\(isHead && status == 200 ? "Head" : "")'\n"
    }
    for status in endpoint.problems {
      let name = isHead ? "Problem\(status)Head" : "Problem\(status)"
      text += "        '\(status)':\n          $ref: '#/components/responses/\(name)'\n"
    }
    return text
  }

  /// The kinds of problem by status, in order.
  private var kinds: [(status: Int, kinds: [ProblemKind])] {
    Dictionary(grouping: ProblemKind.allCases, by: \.status).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  private var problemSchema: String {
    let types = ProblemKind.allCases.map { "          - \(Problem.typePrefix)\($0.rawValue)\n" }
    return """
          Problem:
            description: An error (RFC 9457).
            type: object
            required: [type, title, status]
            properties:
              type:
                type: string
                enum:
      \(types.map { "    " + $0 }.joined())\
              title:
                type: string
              status:
                type: integer
              detail:
                type: string

      """
  }

  private var problemResponses: String {
    kinds.reduce(into: "  responses:\n" + OpenAPIText.responses) { text, entry in
      let titles = entry.kinds.map { ProblemError($0).problem.title }
      let head = """
              description: "\(titles.joined(separator: "; or: "))."
              headers:
                Cache-Control:
                  $ref: '#/components/headers/NotStored'

        """ + (entry.kinds.contains { $0.isRetried } ? OpenAPIText.retryAfter : "")
      text += "    Problem\(entry.status)Head:\n" + head
      text +=
        "    Problem\(entry.status):\n" + head + """
                content:
                  application/problem+json:
                    schema:
                      allOf:
                        - $ref: '#/components/schemas/Problem'
                        - properties:
                            type:
                              enum:
          \(entry.kinds.map { "                      - \(Problem.typePrefix)\($0.rawValue)\n" }.joined())\
                            status:
                              const: \(entry.status)

          """
    }
  }
}

extension ProblemKind {
  /// Whether an answer with this problem says in Retry-After when to try again.
  var isRetried: Bool { self == .tooManyRequests || self == .unavailable }
}

extension InstructionName {
  /// A description of the instruction's payload.
  var payloadDescription: String {
    switch self {
    case .register, .checkPin:
      "the inner message, signed with the PIN key, sealed to the provider's encryption key"
    case .challenge:
      "JSON with the instruction that the challenge is for, and the blinded PIN for an attempt"
    case .beginPinChange: "as for check_pin, with the id of the change"
    case .preparePinChange:
      "as for check_pin, with the public key of the new PIN and the proof of having it"
    case .decideReplacement:
      "as for check_pin, with the session of the wallet that waits and the decision"
    case .authorizeUse:
      "as for check_pin, with the purpose, the hash of the act and the slots of the cards"
    case .commitPinChange, .cancelPinChange: "JSON with the id of the change"
    case .confirmRegistration, .pinState, .deleteWallet: "the empty JSON object"
    case .claimEnrolmentCode: "the secret of an enrolment code, sealed"
    case .releaseClaim, .proofingStatus: "JSON with the proofing session"
    case .submitEvidence: "the evidence with its idempotency key, sealed"
    case .issuePID: "the PID key, its proof and the key to seal the PID to, sealed"
    }
  }
}

extension Endpoint {
  fileprivate var summary: String {
    switch self {
    case .registrationChallenge: "Make a challenge for a registration"
    case .instruction(let name): "The instruction \(name.rawValue)"
    case .configuration: "The signed configuration"
    case .updatePolicy: "The signed rules for app versions"
    case .statusList: "A signed list of revoked PIDs (draft-ietf-oauth-status-list)"
    case .issuerMetadata:
      "The keys of the issuer (draft-ietf-oauth-sd-jwt-vc-13); only with an https public-url"
    case .pidType: "The description of the type of PIDs (draft-ietf-oauth-sd-jwt-vc-13)"
    case .issuerAuthority: "The certificates of the authority above the issuer's keys"
    case .link: "The page behind enrolment links"
    case .description: "This description"
    case .live: "Whether the process runs"
    case .ready: "Whether the store answers and the server is not ending"
    }
  }

  fileprivate var tag: String {
    switch self {
    case .registrationChallenge, .instruction: "instructions"
    case .configuration, .updatePolicy, .statusList, .issuerMetadata, .pidType, .issuerAuthority:
      "publications"
    case .link: "pages"
    case .description, .live, .ready: "operation"
    }
  }

  /// The successful responses, with the names of their components.
  fileprivate var successes: [(status: Int, component: String)] {
    switch self {
    case .registrationChallenge: [(200, "InstructionAnswer")]
    case .instruction: [(200, "InstructionAnswer")]
    case .configuration: [(200, "Configuration"), (304, "NotModified")]
    case .updatePolicy: [(200, "UpdatePolicy")]
    case .statusList: [(200, "StatusList"), (304, "NotModified")]
    case .issuerMetadata: [(200, "IssuerMetadata"), (304, "NotModified")]
    case .pidType: [(200, "TypeMetadata"), (304, "NotModified")]
    case .issuerAuthority: [(200, "Certificates"), (304, "NotModified")]
    case .link: [(200, "Page")]
    case .description: [(200, "Description")]
    case .live, .ready: [(200, "Health")]
    }
  }

  /// The HTTP statuses of the problems that the endpoint can answer with.
  fileprivate var problems: [Int] {
    switch self {
    case .instruction(.challenge): [400, 401, 408, 413, 415, 429, 431, 503]
    case .instruction: [400, 401, 403, 408, 409, 413, 415, 429, 431, 503]
    case .registrationChallenge: [400, 401, 403, 408, 413, 415, 429, 431, 503]
    case .configuration, .updatePolicy: [400, 408, 429, 431, 503]
    case .statusList: [400, 404, 406, 408, 429, 431, 501, 503]
    case .issuerMetadata: [400, 404, 408, 429, 431]
    case .link, .description, .pidType, .issuerAuthority: [400, 408, 429, 431]
    case .live: [400, 408, 431]
    case .ready: [400, 408, 431, 503]
    }
  }
}
