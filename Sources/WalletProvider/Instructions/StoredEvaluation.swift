import WalletProtocol

/// An attempt at the PIN that was evaluated. Only its own answer, made with its challenge, counts.
public struct StoredEvaluation: Sendable, Codable {
  private enum CodingKeys: CodingKey {
    case id, pinKeyID, blinded, challenge, request, answer
  }

  /// The evaluation's id, made by the evaluator.
  public let id: String
  /// The id of the PIN key that it was evaluated with.
  public let pinKeyID: String
  /// Base64url of the blinded PIN.
  public let blinded: String
  /// Base64url of the challenge that was made with it.
  public let challenge: String
  /// Base64url of the SHA-256 of the request's compact JWS, by which a repetition is recognised.
  public let request: String
  /// The signed answer to the request, a compact JWS.
  public let answer: String
  /// The JSON that it was read from; nil for a new one. It is in the row and in the row's code, and need
  /// not be made again for them.
  private var read: String?

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

  /// - Parameter json: what `json` was.
  init(json: String) throws {
    self = try WireJSON.decode(Self.self, from: Array(json.utf8))
    read = json
  }

  var json: String {
    get throws { try read ?? String(decoding: WireJSON.encode(self), as: UTF8.self) }
  }
}

extension StoredEvaluation: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.pinKeyID == right.pinKeyID && left.blinded == right.blinded
      && left.challenge == right.challenge && left.request == right.request
      && left.answer == right.answer
  }
}
