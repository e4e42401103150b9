import WalletAttempts
import HTTPTypes
import Hummingbird
import WalletProtocol
import WalletProvider
import WalletProviderServer

/// The control interface of the testing provider: plain HTTP on a loopback port or a Unix socket.
///
/// Bodies are JSON, whatever the content type, so that `curl -d` is enough. Answers are JSON.
///
///     GET  /clock                                  {"now_ms":1700000000000}
///     POST /clock   {"advance_ms":60000}           moves the clock, back if negative
///     POST /policy  {"rounds":4,"attempts_per_round":4,"block_ms":[60000,300000,3600000]}
///     POST /update-policy  {"rules":[{"grade":"block","below_version":"2.0.0"}]}
///                   replaces the rules, also those of the file; a rule may also have
///                   "minimum_version", "from", "warning_seconds", "update_available"
///     POST /faults  {"kind":"unavailable","count":2}    answers 503
///     POST /faults  {"kind":"drop"}                     closes the connection without an answer
///     POST /faults  {"kind":"delay","delay_ms":500}     handles the request after this time
///     POST /faults  {"kind":"hold"}                     handles it once the faults are changed
///     POST /faults  {"kind":"drop_answer"}              handles it, closes without the answer
///     POST /faults  {"kind":"crash_before_commit"}      kills the process; nothing is stored
///     POST /faults  {"kind":"crash_after_commit"}       handles it, then kills the process
///     POST /faults  {"kind":"crash_while_vetting"}      kills the process before the verdict
///                   each with "count" (number of requests, 1), "skip" (requests handled normally
///                   before, 0) and "path" (only requests there, such as
///                   "/v2/instructions/check_pin"); replaces the fault that was set before
///     POST /faults  {}                             ends all faults
///     GET  /requests                               {"all":2,"held":1}, those in progress
///     POST /pin-payloads                           {"payloads":["..."]}, the sealed payloads of
///                   PIN instructions since the last call; the first call begins the recording
///     GET  /wallets/ID                             {"confirmed":true,"sequence":7,
///                   "wrong_attempts":4,"blocked_ms":60000,"blocked_permanently":false}
///     GET  /counts                                 {"pending":0,"confirmed":1,"judged":4}
///     POST /vetting {"verdict":"pending"}          or "declined" or "unavailable"; {} ends the
///                   simulated verdict
///     POST /source  {"answers":false}              makes the authoritative source unavailable;
///                   true makes it answer again
///     POST /accounts  {"label":"m@example.org","family_name":"Sample","given_name":"Maria",
///                   "birth_date":"1990-12-31"}     {"account":"ID","link":"...","qr":"..."}
///     POST /accounts/ID/codes                      makes a new code; the same answer
///     POST /accounts/ID/replacements               {}; adds a second wallet that waits to take the
///                   place of the proofed one
///     GET  /accounts/ID                            {"closed":false,"proofed":true,"wallet":true,
///                   "code":"consumed","expired":false,"replacement":false,"refused":false}
///     GET  /proofings                              {"accounts":1,"claimed":0,"consumed":1,
///                   "sessions":1,"proofed":1,"issued":1}; "issued" since the process started
///     POST /evaluator  an `EvaluatorRequest`        the evaluator's answer, as the provider gets it
///     POST /evaluator/reopen  {}                   opens the files of the evaluator anew
///     POST /evaluator/unblock  {"key":"ID"}        {}; as an operator of the evaluator can
struct WalletProviderTestControl: HTTPResponder {
  typealias Context = BasicRequestContext

  let state: ControlledState
  let store: any CountingProviderStore
  let evaluator: ReopenedEvaluator
  let accounts: AccountControl

  func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    do {
      let body = Array(try await request.body.collect(upTo: 64 * 1024).readableBytesView)
      switch (request.method, request.uri.path) {
      case (.get, "/clock"):
        return try .json(Now(now: try await now()))
      case (.post, "/clock"):
        state.advance(by: try WireJSON.decode(Advance.self, from: body).milliseconds)
        return try .json(Now(now: try await now()))
      case (.post, "/policy"):
        state.setPolicy(try WireJSON.decode(Policy.self, from: body).policy())
        return try .json(EmptyPayload())
      case (.post, "/update-policy"):
        state.setUpdatePolicy(try UpdatePolicy(json: body))
        return try .json(EmptyPayload())
      case (.post, "/faults"):
        state.setFault(body == Array("{}".utf8) ? nil : try WireJSON.decode(Fault.self, from: body))
        return try .json(EmptyPayload())
      case (.get, "/requests"):
        return try .json(state.requests)
      case (.post, "/pin-payloads"):
        return try .json(PinPayloads(payloads: state.takeSealedPayloads()))
      case (.post, "/evaluator/reopen"):
        try evaluator.reopen()
        return try .json(EmptyPayload())
      case (.post, "/vetting"):
        state.setSimulatedVerdict(
          try WireJSON.decode(VerdictControl.self, from: body).verdict.map(VerdictControl.known))
        return try .json(EmptyPayload())
      case (.post, "/source"):
        state.setSourceAnswers(try WireJSON.decode(Source.self, from: body).answers)
        return try .json(EmptyPayload())
      case (.get, "/proofings"):
        return try .json(Proofings(try await store.proofingCounts(), issued: state.issued))
      case (.post, "/evaluator"):
        return try .json(
          try await evaluator.answer(try WireJSON.decode(EvaluatorRequest.self, from: body)))
      case (.post, "/evaluator/unblock"):
        _ = try await evaluator.unblock(key: try WireJSON.decode(PinKeyID.self, from: body).key)
        return try .json(EmptyPayload())
      case (.get, "/counts"):
        let counts = try await store.walletCounts()
        return try .json(
          Counts(pending: counts.pending, confirmed: counts.confirmed, judged: state.judged))
      case (.get, let path) where path.hasPrefix("/wallets/"):
        return try await wallet(id: String(path.dropFirst("/wallets/".count)))
      default:
        return try await accounts.respond(to: request, body: body)
          ?? .problem(ProblemError(.notFound))
      }
    } catch {
      return .problem(ProblemError(.malformedRequest, detail: "\(error)"))
    }
  }

  private func now() async throws -> Int64 { try await store.transaction { try $0.now } }

  private func wallet(id: String) async throws -> Response {
    let found = try await store.transaction { (try $0.wallet(id: id), try $0.now) }
    guard let wallet = found.0 else { return .problem(ProblemError(.notFound)) }
    var attempts = wallet.attempts
    let left = attempts.block?.remaining(now: found.1) ?? 0
    return try .json(
      WalletStateBody(
        confirmed: wallet.confirmed, sequence: wallet.sequence,
        wrongAttempts: attempts.wrongAttempts, blocked: left,
        blockedPermanently: attempts.blockedPermanently))
  }
}

private struct Now: Encodable {
  var now: Int64
  enum CodingKeys: String, CodingKey { case now = "now_ms" }
}

private struct Advance: Decodable {
  var milliseconds: Int64
  enum CodingKeys: String, CodingKey { case milliseconds = "advance_ms" }
}

private struct Policy: Decodable {
  var rounds: Int
  var attemptsPerRound: Int
  var blocks: [Int64]
  var failuresPerMonth: Int?

  func policy() throws(SettingsError) -> AttemptPolicy {
    do throws(AttemptPolicyError) {
      return try AttemptPolicy(
        rounds: rounds, attemptsPerRound: attemptsPerRound, blockDurations: blocks,
        failuresPerMonth: failuresPerMonth ?? AttemptPolicy.standard.failuresPerMonth)
    } catch { throw SettingsError(error.description) }
  }

  enum CodingKeys: String, CodingKey {
    case rounds
    case attemptsPerRound = "attempts_per_round"
    case blocks = "block_ms"
    case failuresPerMonth = "failures_per_month"
  }
}

private struct VerdictControl: Decodable {
  var verdict: String?

  static func known(_ name: String) throws(SettingsError) -> SimulatedVerdict {
    guard let verdict = SimulatedVerdict(rawValue: name) else {
      throw SettingsError("no such verdict")
    }
    return verdict
  }
}

private struct PinKeyID: Decodable {
  var key: String
}

private struct Source: Decodable {
  var answers: Bool
}

private struct Proofings: Encodable {
  var accounts: Int
  var claimed: Int
  var consumed: Int
  var sessions: Int
  var proofed: Int
  var issued: Int

  init(_ counts: ProofingCounts, issued: Int) {
    accounts = counts.accounts
    claimed = counts.claimed
    consumed = counts.consumed
    sessions = counts.sessions
    proofed = counts.proofed
    self.issued = issued
  }
}

private struct PinPayloads: Encodable {
  var payloads: [String]
}

private struct Counts: Encodable {
  var pending: Int
  var confirmed: Int
  var judged: Int
}

private struct WalletStateBody: Encodable {
  var confirmed: Bool
  var sequence: UInt64
  var wrongAttempts: Int
  var blocked: Int64
  var blockedPermanently: Bool

  enum CodingKeys: String, CodingKey {
    case confirmed, sequence
    case wrongAttempts = "wrong_attempts"
    case blocked = "blocked_ms"
    case blockedPermanently = "blocked_permanently"
  }
}
