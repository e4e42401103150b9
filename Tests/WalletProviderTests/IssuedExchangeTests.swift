import Foundation
import ServerTestSupport
import TestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// PIDs as issued by a running server, before any wallet of this project handles them, for
/// independent verifiers.
///
/// If the environment variable WALLET_CORE_EXCHANGES names a file, issued.json is written next to
/// it for Tests/Interop/sdjwt.sh, with the app's configuration.
final class IssuedExchangeTests: XCTestCase {
  func testIssuesPIDsForIndependentVerifiers() async throws {
    let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
    let server = try ServerProcess(["--data", harness.path, "--demonstration"])
    let url = try server.url()
    let document = try Program.run(
      Program.provider, ["client-configuration", "--data", harness.path, "--url", url])
    XCTAssertEqual(document.status, 0, document.errors)
    let directory = try Self.directory(harness)
    let configuration = directory.appendingPathComponent("issued-configuration.json")
    var exchanges: [JSONValue] = []
    for key in [TestHardwareKey.makeEd25519(), .makeP256()] {
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession().id
      let evidence = try TestPerson.claims(number: Base64URL.encode(wallet.salt))
      let submitted = try send(
        try await wallet.prepareSubmission(evidence, session), to: url, harness)
      guard case .proofing(let status) = submitted, status.state == .proofed else {
        return XCTFail("not proofed: \(submitted)")
      }
      let challenge = try await wallet.challenge(for: .issuePID)
      let issuance = try wallet.prepareSealed(
        .issuePID, wallet.issuance(session, pidKey: key, challenge: challenge),
        challenge: challenge)
      let issued = try wallet.verified(
        try send(issuance, to: url, harness), now: SystemWallClock().now / 1000)
      XCTAssertTrue(issued.compact.hasSuffix("~"), "as issued there is no key binding")
      XCTAssertEqual(
        issued.compact.split(separator: "~").count, PIDClaims.disclosable.count + 1)
      exchanges.append(
        .object([
          "configuration": .string(configuration.path),
          "presented_at": .integer(SystemWallClock().now / 1000), "issued": .string(issued.compact),
          "claims": .object(issued.verified.claims),
        ]))
    }
    XCTAssertEqual(server.end(), 0)
    try Data(document.output.utf8).write(to: configuration)
    try Data(JSONValue.array(exchanges).encoded).write(
      to: directory.appendingPathComponent("issued.json"))
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

  private static func directory(_ harness: ProviderHarness) throws -> URL {
    guard let path = ProcessInfo.processInfo.environment["WALLET_CORE_EXCHANGES"] else {
      return URL(fileURLWithPath: harness.path)
    }
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    let url = URL(fileURLWithPath: path)
    return isDirectory.boolValue ? url : url.deletingLastPathComponent()
  }
}
