public import WalletProtocol

/// Thrown to answer a request with an unsigned problem. Such a request changes nothing.
public struct ProblemError: Error, Equatable {
  /// The body of the answer.
  public let problem: Problem
  /// The number of seconds after which a retry makes sense; nil if none does.
  public let retryAfterSeconds: Int64?

  /// - Parameter retryAfterSeconds: if nil, one second for `unavailable`, otherwise none.
  public init(_ kind: ProblemKind, detail: String? = nil, retryAfterSeconds: Int64? = nil) {
    problem = Problem(kind, title: Self.title(kind), detail: detail)
    self.retryAfterSeconds = retryAfterSeconds ?? (kind == .unavailable ? 1 : nil)
  }

  /// The fixed title of a kind (RFC 9457 section 3.1.3).
  private static func title(_ kind: ProblemKind) -> String {
    switch kind {
    case .malformedRequest: "The body is not the message that this route takes"
    case .instructionRefused: "The instruction does not agree with its signature or this route"
    case .signatureInvalid: "The hardware signature does not verify"
    case .challengeRefused: "The challenge is unknown, expired or was given for something else"
    case .requestTimeout: "The request did not come in time"
    case .challengeUsed: "The challenge was used by another request"
    case .notFound: "There is nothing at this path"
    case .methodNotAllowed: "The path does not take this method"
    case .notAcceptable: "The answer has a form that the request does not accept"
    case .bodyTooLarge: "The body is larger than this route takes"
    case .unsupportedMediaType: "The body must be application/json"
    case .tooManyRequests: "There were too many requests"
    case .headersTooLarge: "The head of the request is too large"
    case .notImplemented: "The provider does not offer this"
    case .unavailable: "The provider cannot answer at the moment"
    }
  }
}
