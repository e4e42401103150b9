import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// A PID replaces another in the same wallet: the card and its key change together, and no key is
/// left.
final class SecondPIDTests: ProofingTestCase {
  private static let pidKeys = "wallet_core.pid."
  private var holder: TestProvider.Account!

  override func setUpWithError() throws {
    try super.setUpWithError()
    holder = try account()
    try flow.obtainPID(applicant, holder.link)
  }

  private var pidKeys: Set<String> { flow.host.keys.signingKeys(Self.pidKeys) }

  private func newLink() throws -> String { try provider.newCode(for: holder).link }

  /// The key that the credential of a presentation is bound to.
  private func boundKey() throws -> String {
    let text = try flow.host.present(["birthdate"]).get()
    let parts = (text.split(separator: "~").first ?? "").split(separator: ".")
    guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])),
      case .object(let claims) = try JSONValue(parsing: payload),
      case .object(let confirmation)? = claims["cnf"], case .object(let key)? = confirmation["jwk"],
      case .string(let point)? = key["x"]
    else { throw TestFailure("no key in \(text)") }
    return point
  }

  private func waitForPIDKeys(_ wanted: Set<String>) -> Bool {
    eventually { pidKeys == wanted }
  }

  private var notes: String {
    let file = flow.host.storage.appendingPathComponent("platform-keys")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  func testUC3_1_11ASecondPIDReplacesTheFirstAndItsKeyIsDeleted() throws {
    let key = try boundKey()
    let identifiers = pidKeys
    XCTAssertEqual(identifiers.count, 10)
    try provider.advanceClock(milliseconds: 5_000)
    flow.advanceClock(5_000)
    try flow.obtainAnotherPID(applicant, newLink())
    let cards = try flow.host.cards().get()
    XCTAssertEqual(cards.map(\.claims["family_name"]), [applicant.familyName])
    let issuedAt = try XCTUnwrap(cards.first).issuedAt
    XCTAssertTrue(issuedAt.hasSuffix("T00:00:00Z"), "\(issuedAt): a day, not a moment")
    XCTAssertTrue(
      eventually { pidKeys.count == 10 && pidKeys.isDisjoint(with: identifiers) },
      "the earlier keys stayed")
    XCTAssertNotEqual(try boundKey(), key)
    XCTAssertTrue(
      eventually { !identifiers.contains { notes.contains($0) } }, "an earlier key is still noted")
    // The new card is on disk.
    try restart(to: "UC7.1 1.1")
    XCTAssertEqual(try flow.host.cards().get(), cards)
    XCTAssertNotEqual(try boundKey(), key)
  }

  func testAnAbandonedSecondProofingLeavesTheFirstCardAndItsKey() throws {
    let (cards, identifiers) = (try flow.host.cards().get(), pidKeys)
    try flow.scanAnotherCode(newLink())
    try flow.expect("UC3.1 5c")
    flow.choose("not-my-account")
    try flow.expect("UC3.1 5b")
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    try restart(to: "UC7.1 1.1")
    XCTAssertEqual(try flow.host.cards().get(), cards)
    XCTAssertNoThrow(try boundKey())
    XCTAssertEqual(pidKeys, identifiers)
  }

  func testAKeyThatThePlatformDoesNotDeleteIsDeletedAtALaterStart() throws {
    let earlier = pidKeys
    flow.host.keys.refuseDeletion(true)
    try flow.obtainAnotherPID(applicant, newLink())
    let current = pidKeys.subtracting(earlier)
    XCTAssertTrue(eventually { flow.host.keys.calls(of: "delete") > 0 }, "not asked")
    XCTAssertEqual(pidKeys.count, 20, "the platform did not refuse")
    let asked = flow.host.keys.calls(of: "delete")
    try restart(to: "UC7.1 1.1")
    XCTAssertTrue(eventually { flow.host.keys.calls(of: "delete") > asked }, "not asked again")
    XCTAssertEqual(pidKeys.count, 20)
    flow.host.keys.refuseDeletion(false)
    try flow.host.restart()
    XCTAssertTrue(waitForPIDKeys(current), "\(pidKeys)")
    try flow.launch()
    try unlock(to: "UC7.1 1.1")
    XCTAssertNoThrow(try boundKey())
    XCTAssertEqual(flow.host.keys.keyCount, 12)
  }

  func testAWipeTakesEveryKeyAlsoOneThatAnEarlierPIDLeft() throws {
    flow.host.keys.refuseDeletion(true)
    try flow.obtainAnotherPID(applicant, newLink())
    XCTAssertEqual(flow.host.keys.keyCount, 22)
    flow.host.keys.refuseDeletion(false)
    XCTAssertEqual(try flow.host.wipe(), .done)
    XCTAssertEqual(flow.host.keys.keyCount, 0)
  }
}
