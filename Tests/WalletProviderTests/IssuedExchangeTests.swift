import Foundation
import ServerTestSupport
import TestSupport
import WalletCredentials
import WalletProtocol
import WalletProvider
import XCTest

/// PIDs as issued by a running server, before any wallet of this project handles them, for
/// verifiers of other projects who know the anchor alone.
///
/// If the environment variable WALLET_CORE_EXCHANGES names a file, pids_issued.json is written next
/// to it for Tests/Interop/pids.sh.
final class IssuedExchangeTests: XCTestCase {
  private static let type = "urn:wallet-provider:pid:1"

  func testIssuesPIDsForIndependentVerifiers() async throws {
    let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
    let server = try ServerProcess([
      "--data", harness.path, "--demonstration", "--public-url", "https://issuer.example",
      "--pid-type", Self.type, "--issuing-country", "US",
    ])
    let url = try server.url()
    harness.learn(try Self.configuration(url))
    let anchors = try Program.curl(url + "/issuer-authority.pem")
    XCTAssertEqual(anchors.status, 0, anchors.errors)
    var batches: [JSONValue] = []
    for copies in [10, 20] {
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession().id
      let evidence = try TestPerson.claims(number: Base64URL.encode(wallet.salt))
      let submitted = try send(
        try await wallet.prepareSubmission(evidence, session), to: url, harness)
      guard case .proofing(let status) = submitted, status.state == .proofed else {
        return XCTFail("not proofed: \(submitted)")
      }
      // Later than the verdict, by the clock of the provider in this process.
      harness.clock.advance(60_000)
      _ = try await wallet.checkRight()
      let challenge = try await wallet.challenge(for: .issuePID)
      let issuance = try wallet.prepareSealed(
        .issuePID,
        wallet.issuance(
          session, pidKeys: (0..<copies).map { _ in .makeP256() }, challenge: challenge),
        challenge: challenge)
      let outcome = try send(issuance, to: url, harness)
      let now = SystemWallClock().now / 1000
      let issued = try wallet.verified(outcome, now: now)
      XCTAssertEqual(
        issued.compact.split(separator: "~").count, PIDClaims.disclosable.count + 1)
      batches.append(
        .object([
          "anchors": .array([.string(anchors.output)]), "type": .string(Self.type),
          "copies": .array(try wallet.copies(outcome).map(JSONValue.string)),
          "claims": try JSONValue(encoding: issued.pid), "now": .integer(now),
        ]))
    }
    XCTAssertEqual(server.end(), 0)
    try Data(JSONValue.array(batches).encoded).write(
      to: Exchanges.directory(else: harness.path).appendingPathComponent("pids_issued.json"))
  }

  /// The configuration that the server publishes.
  private static func configuration(_ url: String) throws -> ConfigurationClaims {
    let answer = try Program.curl(url + Route.configuration)
    return try SignedMessage(parsing: answer.output).unverifiedContent(ConfigurationClaims.self)
  }

  private func send(
    _ request: TestWallet.Prepared, to url: String, _ harness: ProviderHarness
  ) throws -> InstructionOutcome {
    let answer = try Program.curl(
      url + Route.instruction(request.instruction), "--header", "Content-Type: application/json",
      "--data-binary", String(decoding: request.body, as: UTF8.self), "--max-time",
      "\(Int(Patience.seconds))")
    XCTAssertEqual(answer.status, 0, answer.errors)
    return try harness.result(
      try WireJSON.decode(InstructionAnswer.self, from: Array(answer.output.utf8)),
      to: request.body, claims: request.claims)
  }
}
