import WalletProofing
import WalletModel
import XCTest

/// The error table, row by row.
final class ProofingErrorTableTests: XCTestCase {
  /// Codes, class, primary and secondary button, target.
  private static let table = """
    init.camera_missing init.camera_denied init.offline init.service_down init.clock_skew \
    init.update_required init.integrity init.storage: irrecoverable exit - exit
    code.timeout code.cancelled code.unreadable code.not_ours code.malformed code.expired \
    code.claimed_elsewhere code.released: recoverable scan_again - code
    code.version code.account_final code.rate_limited: irrecoverable exit - exit
    code.network: recoverable try_again - claim
    doc.timeout doc.cancelled doc.unreadable doc.wrong_barcode: recoverable scan_again - licence
    doc.damaged: recoverable_while_attempts_remain scan_again - licence
    doc.unsupported_format: recoverable_while_attempts_remain scan_another exit licence
    doc.issuer_not_accepted doc.expired doc.under_age: irrecoverable exit - exit
    doc.type_not_accepted: recoverable_while_attempts_remain scan_another - licence
    doc.inconsistent: recoverable_while_attempts_remain scan_again exit licence
    proof.network: recoverable try_again - submission
    proof.rescan_document: recoverable_while_attempts_remain scan_licence_again - licence
    proof.code_expired: recoverable scan_qr_code - code
    proof.source_unavailable: recoverable_until_deadline try_again exit submission
    proof.not_matched: recoverable_while_attempts_remain scan_again exit licence
    proof.declined proof.internal: irrecoverable exit - exit
    proof.pending_review: pending exit - exit
    attempts_exhausted: irrecoverable exit - exit
    session_lost: recoverable continue - left
    """

  func testEveryRowHasTheClassAndButtonsOfTheTable() throws {
    var rest = Set(ProofingError.allCases)
    for line in Self.table.split(separator: "\n") {
      let sides = line.split(separator: ":")
      let words = sides[1].split(separator: " ").map(String.init)
      for code in sides[0].split(separator: " ") {
        let error = try XCTUnwrap(ProofingError(rawValue: String(code)), "\(code)")
        XCTAssertNotNil(rest.remove(error), "\(code) is listed twice")
        let row = error.row
        XCTAssertEqual(
          [
            row.errorClass.rawValue, row.primary.rawValue, row.secondary?.rawValue ?? "-",
            row.target.rawValue,
          ], words, "\(code)")
      }
    }
    XCTAssertEqual(rest, [])
  }

  func testExactlyOneOfExitAndRetryIsPrimary() {
    for error in ProofingError.allCases {
      let isFinal = [.irrecoverable, .pending].contains(error.row.errorClass)
      XCTAssertEqual(error.row.primary == .exit, isFinal, error.rawValue)
      XCTAssertEqual(error.row.target == .exit, isFinal, error.rawValue)
      XCTAssertNotEqual(error.row.secondary, error.row.primary)
    }
  }
}
