import Foundation
import TestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// Where a server is killed.
enum CommitFault: String, CaseIterable {
  case before = "crash_before_commit"
  case after = "crash_after_commit"
}

/// Tests of servers that are killed while they handle a request, and restarted.
class KilledServerTestCase: StoreTestCase {
  func server(_ harness: ProviderHarness) throws -> ServerProcess {
    var options = ["--data", harness.path, "--control-tcp", "0"]
    if case .database(let url) = harness.storeLocation { options += ["--database", url.text] }
    return try ServerProcess(options, program: Program.testingProvider, lines: 2)
  }

  private func post(_ url: String, _ body: String) throws -> ProgramResult {
    try Program.curl(
      url, "--header", "Content-Type: application/json", "--data-binary", body, "--max-time",
      "\(Int(Patience.seconds))")
  }

  private func set(_ kind: String, at server: ServerProcess) throws {
    let answer = try post(try server.url(1) + "/faults", #"{"kind":"\#(kind)"}"#)
    XCTAssertEqual(answer.output, "{}")
  }

  func send(
    _ request: TestWallet.Prepared, to server: ServerProcess, _ harness: ProviderHarness
  ) throws -> InstructionOutcome {
    let answer = try post(
      try server.url() + request.path,
      String(decoding: request.body, as: UTF8.self))
    XCTAssertEqual(answer.status, 0, answer.errors)
    return try harness.result(
      try WireJSON.decode(InstructionAnswer.self, from: Array(answer.output.utf8)),
      to: request.body, claims: request.claims)
  }

  /// Sends the request to a server that is killed at the fault `kind`, then to a restarted one.
  func sendTwice(
    _ request: TestWallet.Prepared, _ harness: ProviderHarness, dying kind: String,
    meanwhile: () async throws -> Void
  ) async throws -> InstructionOutcome {
    let dying = try server(harness)
    try set(kind, at: dying)
    let lost = try post(
      try dying.url() + request.path,
      String(decoding: request.body, as: UTF8.self))
    XCTAssertNotEqual(lost.status, 0, "there was an answer: \(lost.output)")
    XCTAssertEqual(dying.killedBy(), SIGKILL)
    try await meanwhile()
    return try send(request, to: try server(harness), harness)
  }
}
