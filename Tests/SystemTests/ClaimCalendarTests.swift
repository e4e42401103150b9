import CWalletCore
import CWalletCoreTesting
import XCTest

/// A wrong calendar of the device ends no claim, whichever answer of the provider puts it right.
final class ClaimCalendarTests: ProofingTestCase {
  /// How far the calendar is ahead, in seconds: more than a claim lasts.
  private let ahead: Int64 = 86_400
  private var isAhead = false
  private let policyPath = "/v2/update-policy"

  override func tearDown() {
    putCalendarRight()
    super.tearDown()
  }

  private func putCalendarRight() {
    if isAhead { wallet_core_testing_advance_calendar(-ahead) }
    isAhead = false
  }

  /// Answers requests for the update policy with `answer`; nil is the provider's own answer.
  private func answerPolicy(with answer: [UInt8]?) {
    let path = policyPath
    middle.answer { $0.path == path ? answer : nil }
  }

  /// Claims a code, starts again with the calendar ahead and without a policy from the provider,
  /// and comes back when both are right again.
  ///
  /// - Parameter answer: Returns the answer to the request for the policy then.
  private func claimAndComeBack(_ answer: () throws -> [UInt8]?) throws {
    try flow.claim(account().link)
    answerPolicy(with: ManInTheMiddle.http(503, "{}"))
    wallet_core_testing_advance_calendar(ahead)
    isAhead = true
    try restart(to: "UC3.1 2a")
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    putCalendarRight()
    answerPolicy(with: try answer())
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 5c")
  }

  func testUC3_1_1eAClaimOutlivesAWrongCalendarThatANewPolicyPutsRight() throws {
    try provider.advanceClock(milliseconds: 1000)
    try claimAndComeBack {
      try provider.advanceClock(milliseconds: 1000)
      return nil
    }
  }

  /// An old answer tells no time, so it does not end the claim.
  func testUC3_1_1cAnOldAnswerEndsNoClaim() throws {
    try newWallet()
    let known = try XCTUnwrap(middle.latest(policyPath)).answer
    try flow.claim(account().link)
    answerPolicy(with: known)
    wallet_core_testing_advance_calendar(ahead)
    isAhead = true
    try restart(to: "UC3.1 2a")
    XCTAssertEqual(flow.text("failure"), "init.service_down")
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    putCalendarRight()
    answerPolicy(with: nil)
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 5c")
  }
}
