import CWalletCore
import WalletHost

/// Checks that completions reach their requests, whatever they contain.
@MainActor
func checkCompletions() async throws {
  let client = try Client(name: "answers")
  defer { client.detach() }
  defer { interposer.withLock { $0.more = "" } }
  // A completion with additional members.
  func completion(with more: String) async throws -> Event.Completion {
    interposer.withLock { $0.more = more }
    return try await client.begin { wallet_core_wipe(client.id, $0, $1) }.completion()
  }

  let card = """
    "cards":[{"id":"pid","type":"urn:example:pid","issuer":"https://wallet.example",
    "issued_at":"2026-01-01T00:00:00Z","expires_at":"2027-01-01T00:00:00Z","state":"valid",
    "disclosable":[["given_names"]],
    "claims":{"given_names":["Imogen",null,["Elspeth"]],"sex":null,"age_equal_or_over":{"18":true}}}]
    """
  let claims = try await completion(with: card).cards?.first?.claims ?? [:]
  var isListRead = false
  if case .list(let names)? = claims["given_names"], names.count == 3,
    case .text("Imogen") = names[0], case .null = names[1], case .list = names[2]
  {
    isListRead = true
  }
  holds("a claim can be a list", isListRead)
  var isNullRead = false
  if case .null? = claims["sex"] { isNullRead = true }
  holds("a claim can be null", isNullRead)
  var isObjectRead = false
  if case .object(let ages)? = claims["age_equal_or_over"], case .truth(true)? = ages["18"] {
    isObjectRead = true
  }
  holds("a claim can have members", isObjectRead)

  let told = try await completion(
    with: #""pin":{"outcome":"valid"},"replacement":{"session":"s-1","takes_effect_in_ms":7}"#)
  holds(
    "a completion and its verdict tell of another wallet",
    [told.replacement, told.pin?.replacement].allSatisfy {
      $0?.session == "s-1" && $0?.takesEffectInMs == 7
    })
  func refusal(of session: String, _ decision: ReplacementDecision) async -> String? {
    await errorName {
      _ = try await client.decideReplacement(
        session, decision, pin: Pin([UInt8]("471108".utf8)))
    }
  }
  holds(
    "a decision without a session is refused", await refusal(of: "", .refuse) == "INVALID_ARGUMENT")
  for decision in [ReplacementDecision.refuse, .allow] {
    holds(
      "\(decision) is passed on to a wallet that is not there",
      await refusal(of: "s", decision) == "NOT_REGISTERED")
  }

  holds(
    "an answer that cannot be read ends its request with an error",
    await errorName { _ = try await completion(with: #""cards":17"#) } == "UNSUPPORTED")
}

/// Checks which events are kept for a client that does not read them.
@MainActor
func checkKeptEvents() async throws {
  let late = try Client(name: "late")
  for _ in 0..<20 {
    try check { wallet_core_wipe(late.id, nil, $0) }
    try await late.wipe()
  }
  late.detach()
  var waiting: [String: Int] = [:]
  for await event in late.events { waiting[kind(event), default: 0] += 1 }
  holds("only the newest value of a stream is kept until it is read", waiting["configuration"] == 1)
  holds(
    "a completion is kept only if it has no request to go to",
    waiting["completion"] == 20)
}
