/// The provider's routes. Paths are relative to the provider's URL.
public enum Route {
  /// POST, no body; answers `EnrolmentChallenge`.
  public static let enrolmentChallenge = "/v1/registrations/challenge"
  /// POST `InstructionEnvelope` of `register`; answers `InstructionAnswer`.
  public static let registrations = "/v1/registrations"
  /// GET; answers the configuration as a compact JWS (`application/jwt`) with an ETag: the quoted
  /// base64url SHA-256 of the body, which a client checks.
  public static let configuration = "/v1/configuration"
  /// GET; answers the update policy as a compact JWS (`application/jwt`), signed for this answer.
  /// With `nonceHeader` the answer contains that nonce.
  public static let updatePolicy = "/v1/update-policy"
  /// The header of a request for the update policy. Its answer has the same nonce, so it cannot be
  /// replayed later: base64url of `nonceLength` random bytes.
  public static let nonceHeader = "wallet-nonce"
  /// The length of a nonce in bytes.
  public static let nonceLength = 16
  /// GET: the process runs.
  public static let live = "/health/live"
  /// GET: the store answers too.
  public static let ready = "/health/ready"

  /// POST `InstructionEnvelope`; answers `InstructionAnswer`. Every instruction but `register`.
  public static func instruction(_ name: InstructionName) -> String {
    "/v1/instructions/" + name.rawValue
  }
}
