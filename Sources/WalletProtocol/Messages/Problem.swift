/// The kinds of errors, which are sent unsigned. None of them makes a client change its attempts,
/// lock, block or data.
public enum ProblemKind: String, Codable, Sendable, CaseIterable {
  /// 400: the body is not the message that the route takes.
  case malformedRequest = "malformed-request"
  /// 400: the wire version, audience, instruction or payload does not fit the signature or the
  /// route.
  case instructionRefused = "instruction-refused"
  /// 401: the hardware signature does not verify.
  case signatureInvalid = "signature-invalid"
  /// 403: the challenge is unknown or expired, or was made for another wallet or instruction.
  case challengeRefused = "challenge-refused"
  /// 408: the request did not arrive in time.
  case requestTimeout = "request-timeout"
  /// 409: the challenge was already used by another request.
  case challengeUsed = "challenge-used"
  /// 404
  case notFound = "not-found"
  /// 405
  case methodNotAllowed = "method-not-allowed"
  /// 406: the answer has a form that the request does not accept.
  case notAcceptable = "not-acceptable"
  /// 413
  case bodyTooLarge = "body-too-large"
  /// 415
  case unsupportedMediaType = "unsupported-media-type"
  /// 429: too many requests of this address or wallet; `Retry-After` says when the next one is
  /// accepted.
  case tooManyRequests = "too-many-requests"
  /// 431: the head of the request is larger than the provider takes.
  case headersTooLarge = "headers-too-large"
  /// 501: the request wants something that the provider does not offer.
  case notImplemented = "not-implemented"
  /// 503: try again later; `Retry-After` says when.
  case unavailable = "unavailable"

  /// The HTTP status that it is sent with.
  public var status: Int {
    switch self {
    case .malformedRequest, .instructionRefused: 400
    case .signatureInvalid: 401
    case .challengeRefused: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .notAcceptable: 406
    case .requestTimeout: 408
    case .challengeUsed: 409
    case .bodyTooLarge: 413
    case .unsupportedMediaType: 415
    case .tooManyRequests: 429
    case .headersTooLarge: 431
    case .notImplemented: 501
    case .unavailable: 503
    }
  }
}

/// An error body, `application/problem+json` (RFC 9457).
public struct Problem: Codable, Equatable, Sendable {
  /// The prefix of every `type`; the kind's raw value follows.
  public static let typePrefix = "urn:wallet-provider:problem:"

  public var type: String
  public var title: String
  public var status: Int
  public var detail: String?

  public init(_ kind: ProblemKind, title: String, detail: String? = nil) {
    self.type = Self.typePrefix + kind.rawValue
    self.title = title
    self.status = kind.status
    self.detail = detail
  }

  /// The kind that `type` names; nil if this version does not know it.
  public var kind: ProblemKind? {
    guard type.hasPrefix(Self.typePrefix) else { return nil }
    return ProblemKind(rawValue: String(type.dropFirst(Self.typePrefix.count)))
  }
}
