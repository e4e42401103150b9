/// An attempt at the PIN that was evaluated. Only its own answer, made with its challenge, counts.
public struct StoredEvaluation: Sendable, Equatable, Codable {
  /// The evaluation's id, made by the evaluator.
  public var id: String
  /// The id of the PIN key that it was evaluated with.
  public var pinKeyID: String
  /// Base64url of the blinded PIN.
  public var blinded: String
  /// Base64url of the challenge that was made with it.
  public var challenge: String
  /// Base64url of the SHA-256 of the request's compact JWS, by which a repetition is recognised.
  public var request: String
  /// The signed answer to the request, a compact JWS.
  public var answer: String

  public init(
    id: String, pinKeyID: String, blinded: String, challenge: String, request: String,
    answer: String
  ) {
    self.id = id
    self.pinKeyID = pinKeyID
    self.blinded = blinded
    self.challenge = challenge
    self.request = request
    self.answer = answer
  }
}
