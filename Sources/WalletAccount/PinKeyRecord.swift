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
  /// Base64url of the public half of that key.
  var grantPublicKey: String
}

extension PinKeyRecord {
  /// Creates the record of a new PIN key from the evaluation that made it.
  ///
  /// - Parameter former: The PIN key that it replaces; nil in a registration. The key that granted
  ///   that one must have signed the grant too. The configuration alone does not do: its signer is
  ///   the provider, who could name an evaluator of its own.
  /// - Throws: `serverRefused` if the evaluator has not granted this key to this hardware key.
  init(
    granted evaluation: PinEvaluation, to hardwareKey: SubjectPublicKey,
    replacing former: PinKeyRecord? = nil, by client: InstructionClient,
    cancellation: Cancellation
  ) throws(WalletError) {
    guard let compact = evaluation.evaluator.grant, let providerValue = evaluation.publicValue,
      let grantKey = (try? SignedMessage(parsing: compact))?.keyID
    else { throw Self.unfitting }
    let grant = try client.verified(
      EvaluatorGrant.self, compact, type: .evaluatorGrant, keys: \.evaluatorKeys,
      cancellation: cancellation)
    guard grant.version == wireVersion, grant.key == evaluation.evaluator.key,
      grant.replaces == former?.key,
      grant.hardwareKeyHash == Base64URL.encode(Hash.sha256(hardwareKey.der))
    else { throw Self.unfitting }
    let published = client.configuration.evaluatorKeys.first { $0.id == grantKey }
    // Whoever signs it again does not become the key that grants.
    guard let published, published.key == grant.grantKey else { throw Self.unfitting }
    if let former, !former.vouches(for: grant, in: evaluation.evaluator) {
      throw WalletError(
        .serverRefused,
        "The evaluator of the new PIN is not vouched for by the one of the former PIN; nothing was "
          + "changed.")
    }
    self.init(
      key: grant.key, evaluatorValue: grant.publicValue, providerValue: providerValue,
      grantKey: grantKey, grantPublicKey: published.key)
  }

  /// Whether the key that granted this PIN key has signed a grant too.
  private func vouches(for grant: EvaluatorGrant, in evaluation: HalfEvaluation) -> Bool {
    guard let publicKey = Base64URL.decode(grantPublicKey),
      let key = try? Ed25519.VerifyingKey(publicKey: publicKey)
    else { return false }
    let compacts = [evaluation.grant].compactMap { $0 } + (evaluation.otherGrants ?? [])
    return compacts.contains { compact in
      let content = try? SignedMessage(parsing: compact).content(
        EvaluatorGrant.self, type: .evaluatorGrant, verifier: key)
      return content == grant
    }
  }

  /// Checks that the evaluator has adopted this key, by a receipt of the key that granted it. The
  /// provider's word is not enough: as long as none is adopted, the hardware key alone decides which
  /// one is.
  ///
  /// - Parameter commitment: The commitment to the PIN public key in the wallet's claims.
  /// - Throws: `serverRefused` if the receipt is of another adoption.
  func requireAdoption(_ receipt: String, of commitment: String?) throws(WalletError) {
    guard let publicKey = Base64URL.decode(grantPublicKey),
      let verifier = try? Ed25519.VerifyingKey(publicKey: publicKey),
      let content = try? SignedMessage(parsing: receipt).content(
        EvaluatorReceipt.self, type: .evaluatorReceipt, verifier: verifier),
      content.version == wireVersion, content.key == key, let commitment,
      content.pinKeyCommitment == commitment
    else {
      throw WalletError(
        .serverRefused, "The evaluator has not adopted the key of this PIN; register again.")
    }
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
