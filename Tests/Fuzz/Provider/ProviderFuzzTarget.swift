internal import WalletProtocol
internal import WalletProvider

/// What the provider reads from outside behind its HTTP: what wallets send, and what people write
/// for it; and what a provider sends to an evaluator. What the server itself reads needs its whole HTTP stack; MutatedTextTests attack that. A
/// directory of `Corpus` has the name of each.
enum ProviderFuzzTarget: String, CaseIterable {
  case request = "wallet_provider_request"
  case payload = "wallet_provider_payload"
  case pinInstruction = "wallet_provider_pin_instruction"
  case evaluator = "wallet_provider_evaluator"
  case evidence = "wallet_provider_evidence"
  case account = "wallet_provider_account"
  case updatePolicy = "wallet_provider_update_policy"
  case source = "wallet_provider_source"
  case keys = "wallet_provider_keys"
  case address = "wallet_provider_address"

  /// - Returns: Whether the input was read to its end, and not refused on the way.
  @discardableResult
  func run(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .request: readRequest(bytes)
    case .payload: readPayload(bytes)
    case .pinInstruction: readPinInstruction(bytes)
    case .evaluator: askEvaluator(bytes)
    case .evidence: readEvidence(bytes)
    case .account: readAccount(bytes)
    case .updatePolicy: readUpdatePolicy(bytes)
    case .source: (try? AuthoritativeSourceFile(json: bytes)) != nil
    case .keys: readKeys(String(decoding: bytes, as: UTF8.self))
    case .address: readAddress(String(decoding: bytes, as: UTF8.self))
    }
  }
}

// MARK: Evidence

private func readEvidence(_ bytes: [UInt8]) -> Bool {
  guard let claims = try? WireJSON.decode(LicenceClaims.self, from: bytes), claims.isBounded,
    let person = try? AccountPerson(
      label: "erika@example.org", familyName: "Mustermann-Musterfrau", givenName: "Erika Maria",
      birthDate: "1990-12-31")
  else { return false }
  let vetting = AccountVetting(settings: ProofingSettings())
  let vettingCase = VettingCase(
    session: "session", claims: claims, person: person, documentUsedElsewhere: false)
  // 1 September 2026, noon in UTC.
  let now: Int64 = 1_788_264_000
  let subject = PIDSubject(claims, of: person, isDemonstration: false)
  guard case .acceptable = vetting.assess(vettingCase, now: now * 1000) else { return false }
  guard let subject else { preconditionFailure("accepted, and nobody to issue for") }
  precondition(subject.documentEnds > now, "a document that has ended")
  return true
}

// MARK: What people write

private func readAccount(_ bytes: [UInt8]) -> Bool {
  guard let person = try? AccountPerson(json: bytes) else { return false }
  precondition(person.maskedLabel.contains("•••"), "a label in the clear")
  let written = try? WireJSON.encode(person)
  let again = written.flatMap { try? WireJSON.decode(AccountPerson.self, from: $0) }
  precondition(again == person, "an account that its row does not hold")
  return true
}

private func readUpdatePolicy(_ bytes: [UInt8]) -> Bool {
  guard let policy = try? UpdatePolicy(json: bytes) else { return false }
  precondition(!policy.summary.isEmpty, "no word on any version")
  return true
}

private func readKeys(_ text: String) -> Bool {
  guard let list = try? KeyList(parsing: text) else { return false }
  precondition((try? KeyList(parsing: list.text)) == list, "keys that change when written")
  return true
}

private func readAddress(_ text: String) -> Bool {
  if let url = try? DatabaseURL(text) {
    precondition(!"\(url)".contains("://"), "it is shown")
    return true
  }
  return (try? DataDirectory.checkClientURL(text)) != nil
}
