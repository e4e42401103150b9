internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol

/// What the wallet knows of a PIN key without the PIN. Nothing of it verifies a guess.
struct PinKeyRecord: Codable, Equatable {
  /// The id of the key at the evaluator.
  var key: String
  /// Base64url of the public value of the evaluator's half.
  var evaluatorValue: String
  /// Base64url of the public value of the provider's half.
  var providerValue: String
  /// The id of the evaluator's key that signed the grant.
  var grantKey: String
}

extension PinKeyRecord {
  /// Creates the record of a new PIN key from the evaluation that made it.
  ///
  /// - Throws: `serverRefused` if the evaluator has not granted this key to this hardware key.
  init(
    granted evaluation: PinEvaluation, to hardwareKey: SubjectPublicKey,
    by client: InstructionClient,
    cancellation: Cancellation
  ) throws(WalletError) {
    guard let compact = evaluation.evaluator.grant, let providerValue = evaluation.publicValue,
      let grantKey = (try? SignedMessage(parsing: compact))?.keyID
    else { throw Self.unfitting }
    let grant = try client.verified(
      EvaluatorGrant.self, compact, type: .evaluatorGrant, keys: \.evaluatorKeys,
      cancellation: cancellation)
    guard grant.version == wireVersion, grant.key == evaluation.evaluator.key,
      grant.hardwareKeyHash == Base64URL.encode(Hash.sha256(hardwareKey.der))
    else { throw Self.unfitting }
    self.init(
      key: grant.key, evaluatorValue: grant.publicValue, providerValue: providerValue,
      grantKey: grantKey)
  }

  /// Checks an evaluation by this key and returns what the PIN becomes.
  ///
  /// - Throws: `serverRefused` if it is not by both halves of this key.
  func secrets(of pin: BlindedPin, _ evaluation: PinEvaluation) throws -> PinSecrets {
    guard evaluation.evaluator.key == key,
      let evaluatorValue = Base64URL.decode(evaluatorValue),
      let providerValue = Base64URL.decode(providerValue),
      let half = Base64URL.decode(evaluation.evaluator.element),
      let halfProof = Base64URL.decode(evaluation.evaluator.proof),
      let element = Base64URL.decode(evaluation.element),
      let proof = Base64URL.decode(evaluation.proof)
    else { throw Self.unfitting }
    do {
      return try pin.secrets(
        PinEvaluationElements(half: half, halfProof: halfProof, element: element, proof: proof),
        by: PinKeyValues(evaluator: evaluatorValue, provider: providerValue))
    } catch CryptoError.notAuthentic { throw Self.unfitting }
  }

  private static var unfitting: WalletError {
    WalletError(
      .serverRefused,
      "The evaluation of the PIN is not by the key of this wallet; nothing was signed.")
  }
}
