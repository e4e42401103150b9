/// The provider's routes. Paths are relative to the provider's URL.
public enum Route {
  /// POST `InstructionEnvelope` of `challenge` for `register`; answers `InstructionAnswer`.
  public static let registrationChallenge = "/v2/registrations/challenge"
  /// POST `InstructionEnvelope` of `register`; answers `InstructionAnswer`.
  public static let registrations = "/v2/registrations"
  /// GET; answers the configuration as a compact JWS (`application/jwt`) with an ETag: the quoted
  /// base64url SHA-256 of the body, which a client checks.
  public static let configuration = "/v2/configuration"
  /// GET; answers the update policy as a compact JWS (`application/jwt`). With `nonceHeader` it is
  /// signed for this request and contains the nonce.
  public static let updatePolicy = "/v2/update-policy"
  /// The header of a request for the update policy with a nonce: base64url of `nonceLength` random
  /// bytes. The answer must contain the nonce, so that an old answer cannot be replayed.
  public static let nonceHeader = "wallet-nonce"
  /// The length of a nonce in bytes.
  public static let nonceLength = 16
  /// GET; succeeds if the process runs.
  public static let live = "/health/live"
  /// GET; succeeds if the store answers too.
  public static let ready = "/health/ready"

  /// POST `EvaluatorRequest`; answers `EvaluatorAnswer`. At an evaluator that runs alone.
  public static let evaluator = "/v2/evaluations"
  /// GET; answers `EvaluatorDescription`. At an evaluator that runs alone.
  public static let evaluatorDescription = "/v2/evaluator"

  /// POST `InstructionEnvelope`; answers `InstructionAnswer`. Every instruction but `register`.
  public static func instruction(_ name: InstructionName) -> String {
    "/v2/instructions/" + name.rawValue
  }

  /// The route of any instruction.
  public static func of(_ name: InstructionName) -> String {
    name == .register ? registrations : instruction(name)
  }
}
