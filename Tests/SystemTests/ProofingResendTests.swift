import CSQLite
import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// The idempotency key of a submission at the provider: every resend of a licence has the same one,
/// and another scan a new one.
final class ProofingResendTests: ProofingTestCase {
  /// The key in hex; nil if nothing was submitted.
  private func idempotencyKey() throws -> String? {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let path = provider.data.appendingPathComponent("wallet-provider.sqlite").path
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_prepare_v2(
        database, "SELECT hex(idempotency_key) FROM proofing_session", -1, &statement, nil)
        == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
    else { throw TestFailure("no session at the provider") }
    let text = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
    return text.isEmpty ? nil : text
  }

  private func scanAgain(_ applicant: Applicant, to failure: String) throws {
    flow.choose("scan-again")
    try flow.expect("UC3.1 6")
    flow.scanLicence(applicant)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), failure)
  }

  private func tryAgain(to failure: String) throws {
    flow.choose("try-again")
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), failure)
  }

  func testEachResendHasTheSameNameAndEachRescanANewOne() throws {
    var stranger = Applicant()
    stranger.givenName = "PHINEAS"
    try flow.claim(account().link)
    XCTAssertNil(try idempotencyKey())

    flow.choose("scan-licence")
    try flow.expect("UC3.1 6")
    let lost = HeldAnswer(path("submit_evidence"), isCut: true)
    middle.answer(with: lost.rewrite)
    lost.letGo()
    flow.scanLicence(stranger)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), "proof.not_matched", "it was sent again automatically")
    let first = try XCTUnwrap(try idempotencyKey())

    try simulateVerdict("unavailable")
    try scanAgain(stranger, to: "proof.source_unavailable")
    let second = try XCTUnwrap(try idempotencyKey())
    XCTAssertNotEqual(second, first, "the same person's licence, scanned again")
    for _ in 0..<3 {
      try tryAgain(to: "proof.source_unavailable")
      XCTAssertEqual(try idempotencyKey(), second)
    }
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    try tryAgain(to: "proof.network")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    try simulateVerdict(nil)
    try tryAgain(to: "proof.not_matched")
    XCTAssertEqual(try idempotencyKey(), second)

    flow.choose("scan-again")
    try flow.expect("UC3.1 6")
    flow.scanLicence(applicant)
    try flow.expectPID()
    XCTAssertFalse([first, second, nil].contains(try idempotencyKey()))
  }
}
